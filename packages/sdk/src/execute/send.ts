import { MintageError } from '@mintage/protocol';
import { BaseError, type Block, type Hex, InsufficientFundsError, keccak256, type TransactionReceipt } from 'viem';
import {
  getBlock,
  getCapabilities,
  getTransactionCount,
  prepareTransactionRequest,
  sendCalls,
  sendRawTransaction,
  sendTransaction,
  waitForCallsStatus,
} from 'viem/actions';
import { findSent } from './findSent.ts';
import type { CheckedCall } from './items.ts';
import { receiptOf } from './receipt.ts';
import { isRefusal } from './refusal.ts';
import { minedRevert, whyReverts } from './reverted.ts';
import { expired, type Sent, unconfirmed } from './sent.ts';
import type { Wallet } from './wallet.ts';

export const approvalKey = (slug: string): string => `${slug} approve`;

/** Whether it approves what another transaction takes, and does nothing else. */
export const isApproval = ({ key, chainSlug }: Sent): boolean => key === approvalKey(chainSlug);

/** Who sends, who is told, and how long is waited. */
export interface Sending {
  client: Wallet;
  timeoutMs: number;
  tell(sent: Sent): Promise<void>;
  /** Hashes, lower case, of other transactions of this wallet. */
  others: ReadonlySet<string>;
}

/**
 * Sends a call and waits for it. Nothing is sent that would revert now.
 *
 * @throws MintageError The revert's own code; WALLET_REFUSED; SENT_UNCONFIRMED.
 */
export const sendOne = async (sending: Sending, key: string, call: CheckedCall): Promise<TransactionReceipt> => {
  const { client, tell } = sending;
  const revert = await whyReverts(client, call);
  if (revert !== null) throw revert;
  const { to, data, value, gas, chain } = call;
  const { account } = client;
  const fields = { account, chain: null, to, data, value, ...(gas !== null && { gas }) };
  const sent: Sent = { key, chainSlug: chain.slug, hash: null, nonce: null, batchId: null };
  if (account.type === 'local') {
    const request = await prepareTransactionRequest(client, { ...fields, chainId: chain.chainId });
    // viem fills in everything that signing needs, for whichever kind of transaction the chain takes.
    const raw = await account.signTransaction({ ...request, chainId: chain.chainId } as never);
    const known = { ...sent, hash: keccak256(raw), nonce: Number(request.nonce) };
    await tell(known);
    await sendRawTransaction(client, { serializedTransaction: raw }).catch((error: unknown) => {
      throw refusal(known, error) ?? unconfirmed(known, error);
    });
    return waitForOne(sending, known, call);
  }
  const nonce = await getTransactionCount(client, { address: account.address, blockTag: 'pending' });
  await tell({ ...sent, nonce });
  const hash = await sendTransaction(client, fields).catch((error: unknown) => {
    throw refusal(sent, error) ?? unconfirmed({ ...sent, nonce }, error);
  });
  await tell({ ...sent, hash, nonce });
  return waitForOne(sending, { ...sent, hash, nonce }, call);
};

/**
 * Waits for what was sent. Where the wallet never told its hash, it is looked for among what the wallet has mined.
 *
 * @throws MintageError TRANSACTION_EXPIRED: it is not there, and its deadline has passed on the chain. SENT_UNCONFIRMED: it may be there,
 *   or may still come.
 */
export const waitForOne = async (sending: Sending, told: Sent, call: CheckedCall): Promise<TransactionReceipt> => {
  const { client, timeoutMs, tell } = sending;
  const hash = (told.hash as Hex | null) ?? (await findHash(sending, told, call));
  const sent = { ...told, hash };
  if (told.hash === null) await tell(sent);
  let other: string | null = null;
  const receipt = await receiptOf(client, {
    hash,
    timeout: timeoutMs,
    onReplaced: ({ reason }) => {
      other = reason === 'repriced' ? null : reason;
    },
  }).catch((error: unknown) => {
    throw unconfirmed(sent, error);
  });
  if (other !== null)
    throw new MintageError('TRANSACTION_FAILED', `The wallet sent another transaction in its place: it was ${other}.`, {
      details: { hash: receipt.transactionHash },
    });
  if (receipt.status === 'success') return receipt;
  const reason = await whyReverts(client, call, receipt.blockNumber);
  throw minedRevert(reason, receipt.transactionHash);
};

/** @throws MintageError as `waitForOne`. */
const findHash = async ({ client, others }: Sending, told: Sent, call: CheckedCall): Promise<Hex> => {
  // One block for both: providers that share an address may be at different ones.
  const newest = await newestBlock(client, told);
  const found = told.nonce === null ? undefined : await findSent(client, told.nonce, newest.number, call, others);
  if (found === null && isPast(newest, [call])) throw expired(told);
  if (found === null || found === undefined) throw unconfirmed(told);
  return found;
};

/** @throws MintageError SENT_UNCONFIRMED where the provider does not answer. */
const newestBlock = (client: Wallet, sent: Sent) =>
  getBlock(client).catch((error: unknown) => {
    throw unconfirmed(sent, error);
  });

/** So long after a deadline a reorganisation may still move a transaction before it, seconds. */
const reorganisedSeconds = 30n;

/** Whether a deadline of calls that succeed or fail together has passed, by the chain's clock. */
const isPast = ({ timestamp }: Pick<Block, 'timestamp'>, calls: readonly CheckedCall[]): boolean =>
  calls.some(({ deadline }) => deadline !== null && timestamp > deadline + reorganisedSeconds);

/** EIP-5792: the wallet has taken no batch with this id. */
const isUnknownBatch = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((one) => (one as { code?: unknown }).code === 5730) !== null;

/** Whether the wallet executes several calls as one on this chain (EIP-5792). A local key does not. */
export const canBatch = async (client: Wallet): Promise<boolean> => {
  if (client.account.type === 'local') return false;
  // A wallet that does not know the method refuses it, and some answer null: whatever it is, calls then go one by one.
  const capabilities = await getCapabilities(client, { account: client.account }).catch(() => null);
  const chainId = Number(await client.request({ method: 'eth_chainId' }));
  const status = capabilities?.[chainId]?.atomic?.status;
  return status === 'supported' || status === 'ready';
};

/** All or none, under an id that is told first: a wallet takes an id once. */
export const sendBatch = async (
  sending: Sending,
  key: string,
  calls: readonly CheckedCall[],
): Promise<TransactionReceipt[]> => {
  const { client, tell } = sending;
  const [{ chain }] = calls as [CheckedCall];
  const batchId = `0x${Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  const sent: Sent = { key, chainSlug: chain.slug, hash: null, nonce: null, batchId };
  await tell(sent);
  const { id } = await sendCalls(client, {
    account: client.account,
    id: batchId,
    forceAtomic: true,
    chain: { id: chain.chainId } as never, // the id is all that is sent of it
    calls: calls.map(({ to, data, value }) => ({ to, data, value })),
  }).catch((error: unknown) => {
    throw refusal(sent, error) ?? unconfirmed(sent, error);
  });
  const named = { ...sent, batchId: id };
  if (id !== batchId) await tell(named);
  return waitForBatch(sending, named, calls);
};

/** @throws MintageError TRANSACTION_EXPIRED: the wallet does not know it, and a deadline of it has passed. SENT_UNCONFIRMED. */
export const waitForBatch = async (
  { client, timeoutMs }: Sending,
  sent: Sent,
  calls: readonly CheckedCall[],
): Promise<TransactionReceipt[]> => {
  const isOver = isPast(await newestBlock(client, sent), calls);
  const { status, receipts = [] } = await waitForCallsStatus(client, {
    id: String(sent.batchId),
    timeout: timeoutMs,
  }).catch((error: unknown) => {
    throw isOver && isUnknownBatch(error) ? expired(sent) : unconfirmed(sent, error);
  });
  if (status === 'success') return receipts as TransactionReceipt[]; // what is read of them all receipts have
  const hash = receipts[0]?.transactionHash;
  throw new MintageError('TRANSACTION_FAILED', `The wallet’s batch ${sent.batchId} failed.`, { details: { hash } });
};

/** Codes of EIP-1193 and EIP-5792: not allowed, not known here. */
const unableCodes: ReadonlySet<unknown> = new Set([4100, 4200, 4902, 5700, 5710, 5740, 5750, 5760]);

/** Of a transaction that was signed here, viem does not read what the node says of it. */
const saysTooLittle = (error: unknown): boolean =>
  error instanceof InsufficientFundsError ||
  (error instanceof BaseError && InsufficientFundsError.nodeMessage.test(error.details?.toLowerCase()));

/** What is certainly not sent, named in `details.sent`; null where that is not certain. */
const refusal = (sent: Sent, error: unknown): MintageError | null => {
  const refused = (why: string): MintageError =>
    new MintageError('WALLET_REFUSED', `The wallet refused: ${why}`, { details: { sent }, cause: error });
  if (isRefusal(error)) return refused('its user declined.');
  if (!(error instanceof BaseError)) return null;
  if (error.walk(saysTooLittle) !== null)
    return new MintageError(
      'INSUFFICIENT_BALANCE',
      'The wallet has too little of the coin for the transaction’s gas.',
      { details: { sent }, cause: error },
    );
  const isUnable = error.walk((one) => unableCodes.has((one as { code?: unknown }).code)) !== null;
  return isUnable ? refused(error.shortMessage) : null;
};
