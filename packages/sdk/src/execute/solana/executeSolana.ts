import { type Base58, fromBase58, type Hash, invalid, MintageError } from '@mintage/protocol';
import { wait } from '../../call.ts';
import type { GetTransactionAnswer } from '../../generated/types.ts';
import type { Trusted } from '../../trusted.ts';
import { type Executed, quotedIn } from '../executed.ts';
import type { Prepared } from '../prepared.ts';
import { isRefusal } from '../refusal.ts';
import { expired, type Sent, unconfirmed } from '../sent.ts';
import { checkPreparedSolana } from './checkPrepared.ts';
import { findSent, type HistoryCalls } from './findSent.ts';
import { solanaOutcomeOf } from './outcome.ts';
import type { SolanaWallet } from './solanaWallet.ts';
import { type CheckedTransaction, longestLifetimeMs } from './whole.ts';

/** How long after its end a transaction may still become visible, milliseconds: blocks come slower than expected at times. */
const marginMs = 60_000;
/** Pauses between looks, milliseconds. */
const [firstPauseMs, longestPauseMs] = [250, 2_000];

/** Whether it can land no more, and what landed would be seen: also by this clock, whatever the service says of its end. */
const isOver = ({ at = 0 }: Sent, { expiresAt }: CheckedTransaction): boolean =>
  Date.now() > Math.max(expiresAt + marginMs, at + longestLifetimeMs);

/** What `execute` is given of a wallet of Solana. */
interface Options {
  trusted: Trusted;
  calls?: Partial<HistoryCalls>;
  onSent?(sent: Sent): void | Promise<void>;
  sent?: readonly Sent[];
  others?: readonly string[];
}

interface Sending {
  wallet: SolanaWallet;
  calls: HistoryCalls;
  timeoutMs: number;
  tell(sent: Sent): Promise<void>;
  /** Hashes of other transactions of this wallet. */
  others: ReadonlySet<string>;
}

/** `execute` for a wallet of Solana. */
export const executeSolana = async (
  prepared: Prepared,
  wallet: SolanaWallet,
  timeoutMs: number,
  { trusted, calls, onSent, sent = [], others = [] }: Options,
): Promise<Executed> => {
  if (calls?.getTransaction === undefined)
    throw invalid('calls', 'must be given with a wallet of Solana: by them it is learned what became of a transaction');
  requireAccount(prepared, wallet);
  const { address } = wallet;
  const sending: Sending = {
    wallet,
    calls: calls as HistoryCalls,
    timeoutMs,
    tell: async (one) => onSent?.(one),
    others: new Set(others),
  };
  const landed: { checked: CheckedTransaction; found: GetTransactionAnswer }[] = [];
  for (const checked of checkPreparedSolana(prepared, address, trusted)) {
    const key = `${checked.chain.slug} 0`;
    const before = sent.find((one) => one.key === key);
    const known = before === undefined ? await send(sending, key, checked) : await found(sending, before, checked);
    landed.push({ checked, found: await waitFor(sending, known, checked) });
  }
  return {
    transactions: landed.map(({ checked, found: { hash } }) => ({
      chainSlug: checked.chain.slug,
      hash: hash as Base58,
    })),
    quoted: quotedIn(prepared),
    ...solanaOutcomeOf(
      landed.map(({ checked, found: { events } }) => ({ chain: checked.chain, events })),
      address,
    ),
  };
};

/** @throws MintageError WALLET_ELSEWHERE where another wallet was to execute it. */
const requireAccount = ({ asked }: Prepared, { address }: SolanaWallet): void => {
  const { userAddress, wallet_address = userAddress } = (asked ?? {}) as {
    userAddress?: string;
    wallet_address?: string;
  };
  if (wallet_address !== undefined && wallet_address !== address)
    throw new MintageError('WALLET_ELSEWHERE', `The wallet is ${address}, not ${wallet_address}.`);
};

type Known = Sent & { hash: Hash };

/** @throws MintageError TRANSACTION_EXPIRED and what the wallet says: nothing was sent. SENT_UNCONFIRMED. */
const send = async ({ wallet, tell }: Sending, key: string, checked: CheckedTransaction): Promise<Known> => {
  const { chain, transaction, expiresAt } = checked;
  let sent: Sent = { key, chainSlug: chain.slug, hash: null, nonce: null, batchId: null, at: Date.now() };
  if (Date.now() > expiresAt) throw expired(sent);
  await tell(sent);
  const signed = async (hash: string): Promise<Known> => {
    if (fromBase58(hash)?.length !== 64)
      throw unconfirmed(sent, new Error(`The wallet says ${hash}, which is no signature.`));
    const known = { ...sent, hash: hash as Base58 };
    sent = known;
    await tell(known);
    return known;
  };
  const hash = await wallet
    .signAndSend(transaction.slice(), chain.slug, async (early) => void (await signed(early)))
    .catch((error: unknown) => {
      throw refusal(sent, error) ?? unconfirmed(sent, error);
    });
  return sent.hash === hash ? { ...sent, hash } : signed(hash);
};

/** What was told before, with its hash. Where the wallet never said it, it is looked for once nothing can land any more. */
const found = async (
  { wallet, calls, tell, others }: Sending,
  before: Sent,
  checked: CheckedTransaction,
): Promise<Known> => {
  if (before.hash !== null) return { ...before, hash: before.hash };
  if (!isOver(before, checked)) throw unconfirmed(before);
  const hash = await findSent(calls, wallet.address, checked, others).catch((error: unknown) => {
    throw unconfirmed(before, error);
  });
  if (hash === null) throw expired(before);
  const known = { ...before, hash: hash as Base58 };
  await tell(known);
  return known;
};

/** Waits for the block that holds it, which is asked for by its hash, of whoever is asked. */
const waitFor = async (
  { wallet, calls, timeoutMs, others }: Sending,
  sent: Known,
  checked: CheckedTransaction,
): Promise<GetTransactionAnswer> => {
  const { hash } = sent;
  const { chain } = checked;
  const endMs = Date.now() + timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const wasOver = isOver(sent, checked);
    let cause: unknown;
    try {
      const answer = await calls.getTransaction({ hash, chainSlug: chain.slug });
      // One provider's word alone is none: it waits for a second.
      if (answer.status !== 'sent' && !answer.one_provider) return requireSuccess(answer);
    } catch (error) {
      if (!(error instanceof MintageError) || error.code === 'TRANSACTION_FAILED') throw error;
      cause = error;
      if (error.code === 'TRANSACTION_NOT_FOUND' && wasOver) {
        // Those who are asked for a hash may have forgotten it; the index has not.
        const indexed = await findSent(calls, wallet.address, checked, others).catch((failed: unknown) => {
          throw unconfirmed(sent, failed);
        });
        if (indexed === null) throw expired(sent);
      }
    }
    if (Date.now() + pauseMs > endMs) throw unconfirmed(sent, cause);
    await wait(pauseMs);
  }
};

/** @throws MintageError TRANSACTION_FAILED with the words of the service. */
const requireSuccess = (answer: GetTransactionAnswer): GetTransactionAnswer => {
  if (answer.status === 'mined' || answer.status === 'final') return answer;
  throw new MintageError('TRANSACTION_FAILED', answer.error ?? 'The transaction failed, and nobody says why.', {
    details: { hash: answer.hash },
  });
};

/** What is certainly not sent, named in `details.sent`; null where that is not certain. */
const refusal = (sent: Sent, error: unknown): MintageError | null => {
  if (error instanceof MintageError)
    return error.code === 'SENT_UNCONFIRMED'
      ? null
      : new MintageError(error.code, error.message, { details: { sent, why: error.details }, cause: error });
  if (!isRefusal(error)) return null;
  return new MintageError('WALLET_REFUSED', 'The wallet refused: its user declined.', {
    details: { sent },
    cause: error,
  });
};
