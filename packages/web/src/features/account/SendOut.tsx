import { MintageError } from '@mintage/sdk';
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
  /** When the service was first asked, milliseconds since 1970; absent: it was not. */
  askedAtMs?: number;
}

/** The service knows a key for a day. After this an order that it did not take begins anew. */
const longestKeyMs = 23 * 3_600_000;

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
  const [sent, setSent] = useState<{ callKey: string; chainSlug: string } | null>(null);
  // What may have been sent outlives this page: its key makes the service send it once.
  const name = `send out ${signedInUser()}`;
  useEffect(() => {
    if (!isOpen) return;
    let isWanted = true;
    const look = async (): Promise<void> => {
      const found = await kept<Order>(name);
      if (found === null) return;
      const { callKey, askedAtMs = 0 } = found;
      const isKnown = await apiOf(client)
        .transactionStatus({ idempotencyKey: callKey })
        .then(
          () => true,
          (error: unknown) => (error instanceof MintageError && error.code === 'TRANSACTION_NOT_FOUND' ? false : null),
        );
      const isOver = isKnown === true || (isKnown === false && Date.now() - askedAtMs > longestKeyMs);
      if (isOver) await forget(name);
      if (!isWanted) return;
      if (isKnown === true) setSent({ callKey, chainSlug: found.pocket.chainSlug });
      else if (!isOver) setOrder(found);
    };
    void look();
    return () => {
      isWanted = false;
    };
  }, [client, isOpen, name]);
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
      const known = { ...asked, askedAtMs: asked.askedAtMs ?? Date.now() };
      await keep(name, known);
      setOrder(known);
      await apiOf(client)
        .sendTransaction({ chainSlug, to, ...input }, { idempotencyKey: callKey })
        .catch(async (error: unknown) => {
          // What was refused begins anew.
          if (!mayBeSent(error)) {
            await forget(name);
            const { askedAtMs: _, ...anew } = asked;
            setOrder({ ...anew, callKey: crypto.randomUUID() });
          }
          throw error;
        });
      setSent({ callKey, chainSlug });
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
          <p className="hint">
            {order.askedAtMs === undefined || act.doing !== null ? t.account.send.sure : t.account.send.again}
          </p>
          <Trouble act={act} />
          <Button kind="ink" size="l" disabled={act.doing !== null} onClick={() => send(order)}>
            {t.account.send.act}
          </Button>
          <Button kind="bare" onClick={drop}>
            {order.askedAtMs === undefined ? t.account.send.back : t.account.send.discard}
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
const Sent = ({ callKey, chainSlug, onDone }: { callKey: string; chainSlug: string; onDone(): void }) => {
  const client = useQueryClient();
  const { data } = useQuery({
    ...read([ownKey, 'sent', callKey], (api, options) => api.transactionStatus({ idempotencyKey: callKey }, options)),
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
