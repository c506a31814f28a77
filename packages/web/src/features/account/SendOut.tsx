import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { amountProblem, typedUnits } from '../../lib/amounts.ts';
import { apiOf, read } from '../../lib/api.ts';
import { chainName } from '../../lib/chainLooks.ts';
import { decimal, unitsToText } from '../../lib/format.ts';
import { forget, keep, kept } from '../../lib/kept.ts';
import { isSolana } from '../../lib/onChain.ts';
import { chains } from '../../lib/queries.ts';
import { recipientProblem } from '../../lib/recipient.ts';
import { mayBeSent } from '../../lib/refusal.ts';
import { ownKey, signedInUser } from '../../lib/session.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/account.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Balance, type Pocket } from './Balance.tsx';
import { Trouble } from './Trouble.tsx';

type What = 'usd' | 'native';

interface Order {
  pocket: Pocket;
  what: What;
  /** Base units. */
  amount: bigint;
  decimals: number;
  to: string;
  /** By which the service does it once, however often it is asked. */
  callKey: string;
}

/** Sends coins or dollars from the wallet here to any address: what will be sent is shown once more before. */
export const SendOut = ({
  pockets,
  isOpen,
  onClose,
}: {
  pockets: readonly Pocket[];
  isOpen: boolean;
  onClose(): void;
}) => {
  const client = useQueryClient();
  const act = useAct();
  const [order, setOrder] = useState<Order | null>(null);
  const [sent, setSent] = useState<{ intentId: string; chainSlug: string } | null>(null);
  // What may have been sent outlives this page: its key makes the service send it once.
  const name = `send out ${signedInUser()}`;
  useEffect(() => {
    if (isOpen) void kept<Order>(name).then((found) => found !== null && setOrder(found));
  }, [isOpen, name]);
  const drop = (): void => {
    void forget(name);
    setOrder(null);
  };
  const close = (): void => {
    setOrder(null);
    setSent(null);
    onClose();
  };
  const send = (asked: Order) =>
    act.run(t.account.send.states.queued, async () => {
      const { pocket, what, amount, to, callKey } = asked;
      const { chainSlug } = pocket;
      const input = what === 'native' ? { amount: String(amount) } : { usd: String(amount) };
      await keep(name, asked);
      const sending = apiOf(client).sendTransaction({ chainSlug, to, ...input }, { idempotencyKey: callKey });
      const { intentId } = await sending.catch(async (error: unknown) => {
        // What was refused begins anew.
        if (!mayBeSent(error)) {
          await forget(name);
          setOrder({ ...asked, callKey: crypto.randomUUID() });
        }
        throw error;
      });
      setSent({ intentId, chainSlug });
      drop();
      await client.invalidateQueries({ queryKey: [ownKey, 'me'] });
    });
  return (
    <Dialog title={t.account.send.title} isOpen={isOpen} onClose={close}>
      {sent !== null ? (
        <Sent {...sent} onDone={close} />
      ) : order === null ? (
        <Form pockets={pockets} onOrder={setOrder} />
      ) : (
        <div className="stack">
          <dl className="lines">
            <div>
              <dt>{t.account.send.amount}</dt>
              <dd className="num">
                {decimal(unitsToText(order.amount, order.decimals), order.decimals)} {order.pocket[order.what].symbol}
              </dd>
            </div>
            <div>
              <dt>{t.account.send.chain}</dt>
              <dd>{chainName(order.pocket.chainSlug)}</dd>
            </div>
          </dl>
          <div>
            <div className="hint">{t.account.send.to}</div>
            <div className="deposit">
              <span className="mono grow">{order.to}</span>
            </div>
          </div>
          <p className="hint">{t.account.send.sure}</p>
          <Trouble act={act} />
          <Button kind="ink" size="l" disabled={act.doing !== null} onClick={() => send(order)}>
            {t.account.send.act}
          </Button>
          <Button kind="bare" onClick={drop}>
            {t.account.send.back}
          </Button>
        </div>
      )}
    </Dialog>
  );
};

const Form = ({ pockets, onOrder }: { pockets: readonly Pocket[]; onOrder(order: Order): void }) => {
  const { data } = useQuery(chains());
  const [slug, setSlug] = useState<string>(pockets[0]?.chainSlug ?? '');
  const [what, setWhat] = useState<What>('usd');
  const [problems, setProblems] = useState<{ amount?: string; to?: string }>({});
  const pocket = pockets.find(({ chainSlug }) => chainSlug === slug) ?? pockets[0];
  const chain = data?.chains.find((one) => one.slug === pocket?.chainSlug);
  if (pocket === undefined || chain === undefined) return null;
  const { dollarToken: dollar, nativeCurrency: coin } = chain;
  const check = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [text, to] = [String(form.get('amount')).trim(), String(form.get('to')).trim()];
    const decimals = (what === 'usd' ? dollar : coin).decimals;
    const amount = typedUnits(text, decimals);
    const has = pocket[what].balanceRaw;
    const problem = recipientProblem(pocket.chainSlug, to);
    const found = {
      ...(amount === null && { amount: amountProblem(text) ?? t.account.send.badAmount }),
      ...(amount !== null && has !== null && amount > BigInt(has) && { amount: t.account.send.tooMuch }),
      ...(problem !== null && {
        to:
          problem === 'checksum'
            ? t.badChecksum
            : isSolana(pocket.chainSlug)
              ? t.account.send.badSolanaAddress
              : t.account.send.badAddress,
      }),
    };
    setProblems(found);
    if (amount !== null && Object.keys(found).length === 0)
      onOrder({ pocket, what, amount, decimals, to, callKey: crypto.randomUUID() });
  };
  return (
    <form className="stack" noValidate onSubmit={check}>
      <div className="field">
        <label htmlFor="send-chain">{t.account.send.chain}</label>
        <select
          id="send-chain"
          className="input"
          value={pocket.chainSlug}
          onChange={({ currentTarget }) => setSlug(currentTarget.value)}
        >
          {pockets.map(({ chainSlug }) => (
            <option key={chainSlug} value={chainSlug}>
              {chainName(chainSlug)}
            </option>
          ))}
        </select>
      </div>
      <fieldset className="pick" aria-label={t.account.send.what}>
        {(['usd', 'native'] as const).map((one) => (
          <label key={one}>
            <input type="radio" name="what" checked={what === one} onChange={() => setWhat(one)} />
            {pocket[one].symbol}
          </label>
        ))}
      </fieldset>
      <Field
        label={t.account.send.amount}
        name="amount"
        inputMode="decimal"
        autoComplete="off"
        problem={problems.amount}
        hint={
          <>
            {t.account.send.has} <Balance of={pocket[what]} places={6} />
          </>
        }
      />
      <Field
        label={t.account.send.to}
        name="to"
        autoComplete="off"
        spellCheck={false}
        problem={problems.to}
        placeholder={isSolana(pocket.chainSlug) ? undefined : '0x…'}
      />
      <Button kind="ink" size="l" type="submit">
        {t.account.send.check}
      </Button>
    </form>
  );
};

/** How far it is; asked until it does not change any more. */
const Sent = ({ intentId, chainSlug, onDone }: { intentId: string; chainSlug: string; onDone(): void }) => {
  const client = useQueryClient();
  const { data } = useQuery({
    ...read([ownKey, 'sent', intentId], (api, options) => api.transactionStatus({ intentId }, options)),
    refetchInterval: ({ state }) => (/final|failed|reverted/.test(state.data?.status ?? '') ? false : 1_000),
  });
  const status = data?.status ?? 'queued';
  useEffect(() => {
    if (status === 'mined') void client.invalidateQueries({ queryKey: [ownKey, 'me'] });
  }, [client, status]);
  return (
    <div className="stack">
      <p role="status">{t.account.send.states[status]}</p>
      {data?.error != null && <p className="hint">{data.error}</p>}
      {data !== undefined && data.hash !== '' && (
        <ButtonLink href={`/tx/${chainSlug}/${data.hash}`}>{t.account.send.proof}</ButtonLink>
      )}
      <Button kind="ink" size="l" onClick={onDone}>
        {t.close}
      </Button>
    </div>
  );
};
