import { tokenDecimalsOn } from '@mintage/protocol';
import type { ChainSlug, TokenAbout } from '@mintage/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { amountProblem, typedUnits } from '../../lib/amounts.ts';
import { chainName } from '../../lib/chainLooks.ts';
import { decimal, unitsToText } from '../../lib/format.ts';
import { isSolana, keyOf, mainAddress } from '../../lib/onChain.ts';
import { recipientProblem } from '../../lib/recipient.ts';
import { useSession } from '../../lib/session.ts';
import { ownPosition } from '../../lib/tokenQueries.ts';
import { useWalletOn } from '../../lib/wallet.ts';
import * as t from '../../messages/en/across.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Priced } from './Priced.tsx';
import { type Asked, type PricedSending, priceSending } from './sending.ts';
import { isHere, type Way } from './ways.ts';

/** Sends tokens to the same token on another chain, or to another wallet: first the fee, then the signature. */
export const SendDialog = ({
  about,
  ways,
  isOpen,
  onClose,
}: {
  about: TokenAbout;
  ways: readonly Way[];
  isOpen: boolean;
  onClose(): void;
}) => {
  const session = useSession();
  return (
    <Dialog
      title={ways.some(isHere) ? t.across.sendHereTitle(about.symbol) : t.across.sendTitle(about.symbol)}
      isOpen={isOpen}
      onClose={onClose}
    >
      {session === null ? (
        <>
          <p>{t.across.needsAccount}</p>
          <ButtonLink kind="ink" href="/account">
            {t.nav.connect}
          </ButtonLink>
        </>
      ) : (
        <Send about={about} ways={ways} onSent={onClose} />
      )}
    </Dialog>
  );
};

type Wrong = Partial<Record<'amount' | 'recipient', string>>;

const Send = ({ about, ways, onSent }: { about: TokenAbout; ways: readonly Way[]; onSent(): void }) => {
  const client = useQueryClient();
  const { data: position } = useQuery(ownPosition(about.id, true));
  const [first] = ways;
  const [from, setFrom] = useState<ChainSlug>(first?.from ?? 'base');
  const wallet = useWalletOn(from);
  const targets = ways.filter((way) => way.from === from);
  const [chosen, setTo] = useState<ChainSlug | null>(null);
  const to = targets.find((way) => way.to === chosen) ?? targets[0];
  const [wrong, setWrong] = useState<Wrong>({});
  const [at, setAt] = useState<{ isBusy: boolean; error: unknown; priced: PricedSending | null }>({
    isBusy: false,
    error: null,
    priced: null,
  });
  const address = mainAddress(about);
  const held = position?.tokens.find(({ chainSlug }) => chainSlug === from)?.balance ?? null;

  const price = async (asked: Asked): Promise<void> => {
    setAt({ isBusy: true, error: null, priced: null });
    try {
      setAt({ isBusy: false, error: null, priced: await priceSending(client, asked, wallet) });
    } catch (error) {
      setAt({ isBusy: false, error, priced: null });
    }
  };

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const typed = String(fields.get('amount'));
    const units = typedUnits(typed, tokenDecimalsOn(from));
    const recipient = String(fields.get('recipient')).trim();
    const found: Wrong = {};
    if (units === null) found.amount = amountProblem(typed) ?? t.across.badAmount;
    const isOwn = recipient === '' && to !== undefined && !isHere(to);
    const problem = isOwn ? null : recipientProblem(to?.to ?? from, recipient);
    if (problem !== null)
      found.recipient = problem === 'checksum' ? t.badChecksum : t.across.badRecipient(isSolana(from));
    setWrong(found);
    if (units === null || Object.keys(found).length > 0 || to === undefined || address === null) return;
    const amount = unitsToText(units, tokenDecimalsOn(from)).replace(/\.?0+$/, '');
    const token = { id: about.id, address, symbol: about.symbol };
    void price({ kind: 'transfer', token, amount, recipient: isOwn ? null : keyOf(recipient), from, to: to.to });
  };

  const register = (): void => {
    if (to === undefined || address === null) return;
    const token = { id: about.id, address, symbol: about.symbol };
    void price({ kind: 'register', token, from, to: to.to });
  };

  if (at.priced !== null)
    return <Priced priced={at.priced} onChange={() => setAt({ ...at, priced: null })} onSent={onSent} />;
  return (
    <form className="send" onSubmit={submit} noValidate>
      {!ways.every(isHere) && (
        <>
          <div className="field">
            <label htmlFor="send-from">{t.across.from}</label>
            <select
              id="send-from"
              className="input"
              value={from}
              onChange={(event) => setFrom(event.currentTarget.value as ChainSlug)}
            >
              {[...new Set(ways.map((way) => way.from))].map((slug) => (
                <option key={slug} value={slug}>
                  {chainName(slug)}
                </option>
              ))}
            </select>
          </div>
          <div className="field">
            <label htmlFor="send-to">{t.across.to}</label>
            <select
              id="send-to"
              className="input"
              value={to?.to}
              onChange={(event) => setTo(event.currentTarget.value as ChainSlug)}
            >
              {targets.map((way) => (
                <option key={way.to} value={way.to}>
                  {chainName(way.to)}
                </option>
              ))}
            </select>
          </div>
        </>
      )}
      <Field
        label={t.across.amount}
        name="amount"
        inputMode="decimal"
        autoComplete="off"
        hint={held === null ? '' : t.across.youHave(decimal(held, 6))}
        problem={wrong.amount}
      />
      <Field
        label={t.across.recipient}
        name="recipient"
        autoComplete="off"
        spellCheck={false}
        placeholder={to !== undefined && isHere(to) ? '' : (wallet?.address ?? '')}
        hint={to !== undefined && isHere(to) ? undefined : t.across.recipientHint}
        problem={wrong.recipient}
      />
      {at.error !== null && <Problem error={at.error} />}
      <Button kind="ink" size="l" type="submit" disabled={at.isBusy}>
        {at.isBusy ? t.across.pricing : to !== undefined && isHere(to) ? t.across.check : t.across.price}
      </Button>
      {to?.isNew === true && (
        <div className="row between">
          <span className="hint">{t.across.registerHint}</span>
          <Button size="s" onClick={register} disabled={at.isBusy}>
            {t.across.register}
          </Button>
        </div>
      )}
    </form>
  );
};
