import { type Hash, toBase58 } from '@mintage/protocol';
import { readMessage } from '@mintage/protocol/solana';
import { bytesOf, hexOf } from '../../chain/solana/bytes.ts';
import { messageAgain, signedTransaction } from '../../chain/solana/message/compile.ts';
import { coinTransfer } from '../../chain/solana/tryCall.ts';
import type { Context, Tx } from '../context.ts';
import { countAttempt, insertAttempt } from '../lanes/recordAttempt.ts';
import type { StepBytes } from '../policy/policy.ts';
import type { SolanaLane } from './chainAccess.ts';
import type { ChainState } from './chainState.ts';
import { isPayment } from './readActions.ts';
import type { WalletKey } from './walletKey.ts';

/** A transaction with its signature, which is its hash. */
export interface SignedBytes {
  hash: Hash;
  raw: `0x${string}`;
}

/** The place of a step. */
export interface Place {
  intentId: string;
  /** From 0, within the intent. */
  step: number;
}

/** The step's transaction, signed for a lifetime that begins now. @throws Error for one that another wallet pays for. */
export const sign = (
  { wallet }: Pick<SolanaLane, 'wallet'>,
  key: WalletKey,
  step: StepBytes,
  { blockhash }: Pick<ChainState, 'blockhash'>,
): SignedBytes => {
  const { data } = isPayment(step) ? coinTransfer(wallet, step) : step;
  const message = messageAgain(bytesOf(data), blockhash);
  if (readMessage(message).payer !== wallet) throw new Error(`The transaction is not one that ${wallet} pays for.`);
  const signature = key.sign(message);
  return { hash: toBase58(signature), raw: hexOf(signedTransaction(message, signature)) };
};

/** Two transactions that do the same with the same lifetime are one to the chain: the later one waits for a newer blockhash. */
export const isKnown = async (tx: Tx, { chain }: SolanaLane, { hash }: SignedBytes): Promise<boolean> => {
  const same = tx.selectFrom('attempt').select('hash').where('eid', '=', chain.eid).where('hash', '=', hash);
  return (await same.executeTakeFirst()) !== undefined;
};

/** Stores signed bytes in the transaction of the verdict; they are sent only after it is committed. The line is the audit record. */
export const recordAttempt = async (
  { log }: Context,
  tx: Tx,
  lane: SolanaLane,
  { intentId, step }: Place,
  signed: SignedBytes,
  { head, validUntil }: ChainState,
): Promise<void> => {
  const attempt = { ...signed, nonce: null, kind: 'call' as const, fees: null };
  const lifetime = { signedBlock: head, validUntilBlock: validUntil };
  await insertAttempt(tx, lane, { intentId, step }, { ...attempt, ...lifetime }).execute();
  await countAttempt(tx, lane, { intentId, step }, attempt);
  log.info({ chain: lane.chain.slug, wallet: lane.wallet, intent: intentId, step, hash: signed.hash }, 'signed');
};
