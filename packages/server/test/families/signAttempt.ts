import type { Context, Lane, Tx } from '../../src/sign/context.ts';
import { countAttempt, insertAttempt } from '../../src/sign/lanes/recordAttempt.ts';
import type { MadeUpChain } from './madeUpChain.ts';
import type { MadeUpKey } from './madeUpKey.ts';
import type { Deed, Signed } from './transaction.ts';

/** Blocks that signed bytes are good for. */
export const goodForBlocks = 12;

export interface Payload {
  intentId: string;
  step: number;
  does: Deed[];
}

/**
 * Signs a step, and stores the bytes in the same transaction; they are sent only after it is committed. Two transactions that do
 * the same until the same block are one to the chain, so the second of them is good for one block more.
 */
export const signAttempt = async (
  { log }: Context,
  tx: Tx,
  chain: MadeUpChain,
  lane: Lane,
  key: MadeUpKey,
  { intentId, step, does }: Payload,
): Promise<void> => {
  const signedBlock = chain.head.height;
  let validUntilBlock = signedBlock + goodForBlocks;
  const sign = (): Signed => key.sign({ from: lane.wallet, validUntil: validUntilBlock, does });
  let signed = sign();
  while (await isKnown(tx, lane, signed)) {
    validUntilBlock += 1;
    signed = sign();
  }
  const attempt = { hash: signed.id, raw: signed.raw, nonce: null, kind: 'call' as const, fees: null };
  await insertAttempt(tx, lane, { intentId, step }, { ...attempt, signedBlock, validUntilBlock }).execute();
  await countAttempt(tx, lane, { intentId, step }, attempt);
  log.info({ chain: lane.chain.slug, wallet: lane.wallet, intent: intentId, step, hash: signed.id }, 'signed');
};

const isKnown = async (tx: Tx, { chain }: Lane, { id }: Signed): Promise<boolean> => {
  const same = tx.selectFrom('attempt').select('hash').where('eid', '=', chain.eid).where('hash', '=', id);
  return (await same.executeTakeFirst()) !== undefined;
};
