import type { Hash } from '@mintage/protocol';
import type { Position } from '../position.ts';
import { FinalityError } from '../sync/FinalityError.ts';
import type { ClusterSource } from './source.ts';

export interface Ancestor {
  number: number;
  hash: Hash;
}

/** Whether the chain still has this block of ours; slots that the providers do not have yet are no answer. */
export const isStill = async (source: ClusterSource, { number, hash }: Ancestor, head: number): Promise<boolean> => {
  if (number > head) return true;
  const block = await source.block(number, false);
  if (block !== null) return block.hash === hash;
  // A slot without a block looks like one that is not there yet; the list of slots tells them apart.
  return (await source.slots(number, number)).includes(number);
};

/**
 * The newest of our blocks up to a slot that the chain still has.
 *
 * @throws FinalityError when not even a final one is there.
 */
export const ancestorUpTo = async (
  source: ClusterSource,
  { hashes, finalized }: Pick<Position, 'hashes' | 'finalized'>,
  highest: number,
): Promise<Ancestor> => {
  const ours = [...hashes].filter(([number]) => number <= highest).toSorted(([a], [b]) => b - a);
  for (const [number, hash] of ours) {
    if ((await source.block(number, false))?.hash !== hash) continue;
    if (number >= finalized) return { number, hash };
    break;
  }
  throw new FinalityError(finalized);
};
