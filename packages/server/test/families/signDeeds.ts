import type { Lane, Tx } from '../../src/sign/context.ts';
import type { NewAttempt } from '../../src/sign/signingLog/newAttempt.ts';
import type { MadeUpChain } from './madeUpChain.ts';
import type { MadeUpKey } from './madeUpKey.ts';
import type { Deed, Signed } from './transaction.ts';

/** Blocks that signed bytes are good for. */
export const goodForBlocks = 12;

/**
 * Signs a step. Two transactions that do the same until the same block are one to the chain, so the second of them is good
 * for one block more.
 */
export const signDeeds = async (
  tx: Tx,
  chain: MadeUpChain,
  lane: Lane,
  key: MadeUpKey,
  does: Deed[],
): Promise<NewAttempt> => {
  const signedBlock = chain.head.height;
  let validUntilBlock = signedBlock + goodForBlocks;
  const sign = (): Signed => key.sign({ from: lane.wallet, validUntil: validUntilBlock, does });
  let signed = sign();
  while (await isKnown(tx, lane, signed)) {
    validUntilBlock += 1;
    signed = sign();
  }
  const { id: hash, raw } = signed;
  return { hash, raw, nonce: null, kind: 'call', fees: null, signedBlock, validUntilBlock };
};

const isKnown = async (tx: Tx, { chain }: Lane, { id }: Signed): Promise<boolean> => {
  const same = tx.selectFrom('attempt').select('hash').where('eid', '=', chain.eid).where('hash', '=', id);
  return (await same.executeTakeFirst()) !== undefined;
};
