import type { ChainSlug, CreateApiKeyAnswer, CreateApiKeyInput } from '@mintage/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { amountProblem, typedAmount } from '../../lib/amounts.ts';
import { apiOf } from '../../lib/api.ts';
import { chains } from '../../lib/queries.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/account.ts';
import { Copy } from '../../ui/Address.tsx';
import { Button } from '../../ui/Button.tsx';
import { ChainName } from '../../ui/chains.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Trouble } from './Trouble.tsx';

type Scope = NonNullable<CreateApiKeyInput['scopes']>[number];

const scopes = ['read', 'prepare', 'execute', 'social'] as const satisfies readonly Scope[];
const days = { d30: 30, d90: 90, d365: 365, never: null } as const;
type Expiry = keyof typeof days;

/** Dollars as they are sent, decimal text with cents; or what is wrong with them. */
const dollarsOf = (form: FormData, name: string): { plain: string } | { problem: string } => {
  const text = String(form.get(name));
  const plain = typedAmount(text) ?? '';
  if (/^\d{1,15}(\.\d{1,2})?$/.test(plain)) return { plain };
  return { problem: amountProblem(text) ?? t.account.keys.badCap };
};

/** Makes a key. One that may spend has a budget; the key itself is shown once. */
export const NewKey = ({ isOpen, onClose, onMade }: { isOpen: boolean; onClose(): void; onMade(): void }) => {
  const [made, setMade] = useState<CreateApiKeyAnswer | null>(null);
  const close = (): void => {
    setMade(null);
    onClose();
  };
  return (
    <Dialog title={t.account.keys.newTitle} isOpen={isOpen} onClose={close}>
      {made === null ? (
        <Form
          onMade={(key) => {
            setMade(key);
            onMade();
          }}
        />
      ) : (
        <div className="stack">
          <div className="note">
            <Icon name="info" />
            <p>{t.account.keys.once}</p>
          </div>
          <div className="deposit">
            <code className="mono grow">{made.key}</code>
            <Copy text={made.key} label={t.account.keys.copy} />
          </div>
          <Button kind="ink" size="l" onClick={close}>
            {t.account.keys.done}
          </Button>
        </div>
      )}
    </Dialog>
  );
};

const Form = ({ onMade }: { onMade(key: CreateApiKeyAnswer): void }) => {
  const api = apiOf(useQueryClient());
  const act = useAct();
  const { data } = useQuery(chains());
  const [mayExecute, setMayExecute] = useState(true);
  const [problems, setProblems] = useState<Partial<Record<'scopes' | 'perTrade' | 'perDay' | 'chains', string>>>({});
  const served = data?.chains.map(({ slug }) => slug) ?? [];
  const create = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const wanted = scopes.filter((scope) => form.getAll('scope').includes(scope));
    const [perTrade, perDay] = [dollarsOf(form, 'perTrade'), dollarsOf(form, 'perDay')];
    const chosen = form.getAll('chain') as ChainSlug[];
    const found = {
      ...(wanted.length === 0 && { scopes: t.account.keys.noScope }),
      ...(mayExecute && 'problem' in perTrade && { perTrade: perTrade.problem }),
      ...(mayExecute && 'problem' in perDay && { perDay: perDay.problem }),
      ...(mayExecute && chosen.length === 0 && { chains: t.account.keys.noChain }),
    };
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    const left = days[form.get('expiry') as Expiry];
    const input: CreateApiKeyInput = {
      name: String(form.get('name')).trim() || t.account.keys.newTitle,
      scopes: wanted,
      ...(left !== null && { expiresAt: new Date(Date.now() + left * 86_400_000).toISOString() }),
      ...(mayExecute &&
        'plain' in perTrade &&
        'plain' in perDay && {
          budget: {
            perTradeUsd: perTrade.plain,
            perDayUsd: perDay.plain,
            ...(chosen.length < served.length && { chains: chosen }),
          },
        }),
    };
    await act.run('', async () => onMade(await api.createApiKey(input)));
  };
  return (
    <form className="stack" noValidate onSubmit={create}>
      <Field label={t.account.keys.name} hint={t.account.keys.nameHint} name="name" maxLength={64} autoComplete="off" />
      <fieldset className="checks">
        <legend className="lab">{t.account.keys.may}</legend>
        {scopes.map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              name="scope"
              value={scope}
              defaultChecked
              onChange={scope === 'execute' ? ({ currentTarget }) => setMayExecute(currentTarget.checked) : undefined}
            />
            {t.account.keys.scopes[scope]}
          </label>
        ))}
        {problems.scopes !== undefined && <p className="hint down">{problems.scopes}</p>}
      </fieldset>
      {mayExecute && (
        <>
          <div className="two">
            <Field
              label={t.account.keys.perTrade}
              name="perTrade"
              inputMode="decimal"
              autoComplete="off"
              problem={problems.perTrade}
            />
            <Field
              label={t.account.keys.perDay}
              name="perDay"
              inputMode="decimal"
              autoComplete="off"
              hint={t.account.keys.capHint}
              problem={problems.perDay}
            />
          </div>
          <fieldset className="checks">
            <legend className="lab">{t.account.keys.chains}</legend>
            <div className="chains">
              {served.map((slug) => (
                <label key={slug}>
                  <input type="checkbox" name="chain" value={slug} defaultChecked />
                  <ChainName slug={slug} />
                </label>
              ))}
            </div>
            {problems.chains !== undefined && <p className="hint down">{problems.chains}</p>}
          </fieldset>
        </>
      )}
      <fieldset className="checks">
        <legend className="lab">{t.account.keys.expiry}</legend>
        <div className="pick">
          {(Object.keys(days) as Expiry[]).map((one) => (
            <label key={one}>
              <input type="radio" name="expiry" value={one} defaultChecked={one === 'd90'} />
              {t.account.keys.expiries[one]}
            </label>
          ))}
        </div>
      </fieldset>
      {act.error !== null && <Trouble act={act} />}
      <Button kind="ink" size="l" type="submit" disabled={act.doing !== null}>
        {t.account.keys.create}
      </Button>
    </form>
  );
};
