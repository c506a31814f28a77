import { encodeApprove, invalid, MintageError } from '@mintage/protocol';
import { type Block, erc20Abi, type TransactionReceipt } from 'viem';
import { getBlock, readContract } from 'viem/actions';
import { requireMs, wait } from '../call.ts';
import { isSolana, lower, type Trusted, type TrustedChain } from '../trusted.ts';
import { checkDollar } from './checkDollar.ts';
import { checkMarket } from './checkMarket.ts';
import { checkPrepared } from './checkPrepared.ts';
import { differs } from './differs.ts';
import { type Executed, quotedIn } from './executed.ts';
import type { CheckedCall } from './items.ts';
import { outcomeOf } from './outcome.ts';
import type { Prepared } from './prepared.ts';
import { approvalKey, canBatch, type Sending, sendBatch, sendOne, waitForBatch, waitForOne } from './send.ts';
import { type Sent, unconfirmed } from './sent.ts';
import type { HistoryCalls } from './solana/findSent.ts';
import type { SolanaWallet } from './solana/solanaWallet.ts';
import { onChain, type Wallet } from './wallet.ts';

export interface ExecuteOptions {
  /**
   * What signs and sends; on EVM chains a function where several have a client each, all of them with one account. What was prepared for
   * Solana wants a `SolanaWallet`.
   */
  wallet: Wallet | ((chain: TrustedChain) => Wallet | Promise<Wallet>) | SolanaWallet;
  /** By `readTrusted` once, or your own copy. */
  trusted: Trusted;
  /** A client of the service, with a wallet of Solana: by it is learned what became of a transaction. */
  calls?: Partial<HistoryCalls>;
  /**
   * Called before a transaction is sent, with all that it can be found by later, and again when its hash is known. Keep the
   * last one of each `key`: given back as `sent` it is looked up and not sent again.
   */
  onSent?(sent: Sent): void | Promise<void>;
  /** What an earlier try with the same prepared answer has told. */
  sent?: readonly Sent[];
  /** Hashes of other transactions of this wallet, so that none of them is taken for one whose hash is not known. */
  others?: readonly string[];
  /**
   * false: nobody pressed, so that an approval of `sent` whose hash is not known is not asked for again; absent: it is, where the
   * allowance does not suffice.
   */
  again?: boolean;
  /** false: one transaction after the other, also where the wallet takes a batch. */
  batch?: boolean;
  /** Milliseconds to wait for each receipt; absent: 180,000. */
  timeoutMs?: number;
}

const usualTimeoutMs = 180_000;

/**
 * Executes a prepared answer by the caller's own wallet: checks every byte of it, approves exactly what is taken where less is
 * approved, sends, and waits for the receipts.
 *
 * On Solana the wallet sends one whole transaction, and neither approves nor reads the chain: what happened is what the service reads of
 * the transaction, and the limit of a trade is held against the state that the answer names, unless `limitAmountRaw` was asked for.
 *
 * @throws MintageError BYTES_DIFFER, WALLET_REFUSED, WALLET_ELSEWHERE, DEADLINE_PASSED: nothing was sent. TRANSACTION_EXPIRED: what was
 *   sent, if anything, can land no more. SENT_UNCONFIRMED: something was, and `details.sent` says what. A revert has its own
 *   code, on Solana TRANSACTION_FAILED, with `details.hash` where it was mined.
 */
export const execute = async (prepared: Prepared, options: ExecuteOptions): Promise<Executed> => {
  const { wallet, trusted } = options;
  const timeoutMs = options.timeoutMs ?? usualTimeoutMs;
  requireMs('timeoutMs', timeoutMs);
  if ('signAndSend' in wallet) {
    // Its reader and the curve that addresses are derived by are loaded where they are needed.
    const { executeSolana } = await import('./solana/executeSolana.ts');
    return executeSolana(prepared, wallet, timeoutMs, options);
  }
  const walletOn = typeof wallet === 'function' ? wallet : () => wallet;
  const { address } = (await walletOn(firstChain(prepared, trusted))).account;
  const calls = checkPrepared(prepared, address, trusted);

  const receipts: { chain: TrustedChain; receipt: TransactionReceipt }[] = [];
  for (const group of byChain(calls)) {
    const [{ chain }] = group;
    const client = await onChain(await walletOn(chain), chain, address);
    for (const receipt of await executeGroup(client, group, options)) receipts.push({ chain, receipt });
  }
  return {
    transactions: receipts.map(({ chain, receipt }) => ({ chainSlug: chain.slug, hash: receipt.transactionHash })),
    quoted: quotedIn(prepared),
    ...outcomeOf(receipts, address),
  };
};

/** Where the first transaction is to be, so that no wallet is asked to go elsewhere. An answer that names none of ours passes no check. */
const firstChain = (prepared: Prepared, trusted: Trusted): TrustedChain => {
  const slug =
    prepared.operation === 'mintUsd' ? prepared.asked.chainSlug : [prepared.answer.transactions].flat()[0]?.chainSlug;
  const chains = Object.values(trusted).filter((one): one is TrustedChain => !isSolana(one));
  const chain = chains.find((one) => one.slug === slug) ?? chains[0];
  if (chain === undefined) throw invalid('trusted', 'has no EVM chain');
  return chain;
};

type Group = [CheckedCall, ...CheckedCall[]];

const byChain = (calls: readonly CheckedCall[]): Group[] => {
  const slugs = [...new Set(calls.map(({ chain }) => chain.slug))];
  return slugs.map((slug) => calls.filter(({ chain }) => chain.slug === slug) as Group);
};

/** All calls on one chain. What an earlier try sent is waited for. */
const executeGroup = async (client: Wallet, calls: Group, options: ExecuteOptions): Promise<TransactionReceipt[]> => {
  const { slug } = calls[0].chain;
  const sending: Sending = {
    client,
    timeoutMs: options.timeoutMs ?? usualTimeoutMs,
    tell: async (sent) => options.onSent?.(sent),
    others: new Set((options.others ?? []).map(lower)),
  };
  const told = new Map((options.sent ?? []).map((sent) => [sent.key, sent]));
  const steps = calls.map((call, index) => {
    const key = `${slug} ${index}`;
    return { call, key, before: told.get(key) };
  });
  const keys = { batch: `${slug} batch`, approval: approvalKey(slug) };
  const batch = told.get(keys.batch);
  if (batch !== undefined) return waitForBatch(sending, batch, calls);
  const approved = told.get(keys.approval);
  // An approval whose hash is not known is looked for in the allowance: asking for it again takes nothing.
  const isKnown = approved?.hash != null;
  const receipts = isKnown ? [await waitForOne(sending, approved, approvalOf(calls))] : [];

  const open = steps.flatMap(({ call, before }) => (before === undefined ? [call] : []));
  await refuseLate(client, open);
  if (open.some(({ takesUsd, order }) => takesUsd > 0n || order !== null)) await checkDollar(client, calls[0].chain);
  for (const { chain, order } of open) if (order !== null) await checkMarket(client, chain, order);
  const approval = await approvalFor(client, open);
  if (approval !== null && approved !== undefined && !isKnown && options.again === false) throw unconfirmed(approved);
  const whole = approval === null ? open : [approval, ...open];
  const isNew = !isKnown && open.length === steps.length;
  if (isNew && options.batch !== false && whole.length > 1 && (await canBatch(client)))
    return sendBatch(sending, keys.batch, whole);
  if (approval !== null) receipts.push(await sendOne(sending, keys.approval, approval));
  for (const { call, key, before } of steps)
    receipts.push(await (before === undefined ? sendOne(sending, key, call) : waitForOne(sending, before, call)));
  return receipts;
};

/** The approval that these calls need; null where as much is approved already. */
const approvalFor = async (client: Wallet, calls: readonly CheckedCall[]): Promise<CheckedCall | null> => {
  const [first] = calls;
  const neededUsd = takenBy(calls);
  if (first === undefined || neededUsd === 0n) return null;
  const { launchpad, usd } = first.chain;
  const args = [client.account.address, launchpad] as const;
  const allowance = await readContract(client, { address: usd, abi: erc20Abi, functionName: 'allowance', args });
  return allowance >= neededUsd ? null : approvalOf(calls as Group);
};

/** Of exactly what these calls take. */
const approvalOf = (calls: Group): CheckedCall => {
  const [{ chain }] = calls;
  const data = encodeApprove(chain.launchpad, takenBy(calls));
  return { chain, to: chain.usd, data, value: 0n, gas: null, takesUsd: 0n, deadline: null, order: null };
};

const takenBy = (calls: readonly CheckedCall[]): bigint => calls.reduce((sum, { takesUsd }) => sum + takesUsd, 0n);

/** Longest that an order of ours may be good for, seconds, and what clocks may differ by. */
const longestSeconds = 25n * 3_600n;

/** By the chain's clock, which is the one that counts. */
const refuseLate = async (client: Wallet, calls: readonly CheckedCall[]): Promise<void> => {
  const deadlines = calls.flatMap(({ deadline }) => (deadline === null ? [] : [deadline]));
  if (deadlines.length === 0) return;
  const quotedAt = calls.flatMap(({ order }) => order?.blockNumber ?? []);
  const { timestamp } = await newestBlock(client, quotedAt);
  for (const deadline of deadlines) {
    if (deadline < timestamp)
      throw new MintageError(
        'DEADLINE_PASSED',
        `The deadline passed ${timestamp - deadline} s before the newest block.`,
      );
    if (deadline > timestamp + longestSeconds) throw differs('deadline', deadline, 'at most 24 hours ahead');
  }
};

/** The wallet's node may be a little behind the one that a quote was made by: for so long its block is waited for. */
const newestBlock = async (client: Wallet, quotedAt: readonly bigint[]): Promise<Block> => {
  for (let waitedMs = 0; ; waitedMs += behindEveryMs) {
    const block = await getBlock(client);
    if (quotedAt.every((number) => number <= block.number) || waitedMs >= longestBehindMs) return block;
    await wait(behindEveryMs);
  }
};

const [behindEveryMs, longestBehindMs] = [250, 5_000];
