import type { Address } from '@mintage/protocol';
import type { ChainEvent } from '../handlers/events.ts';
import { MovedError } from '../sync/MovedError.ts';
import { together } from '../sync/together.ts';
import type { Block, Listed } from './calls.ts';
import { Decoder, type Placed, type Programs, type Signers } from './decode.ts';
import type { Range } from './heard.ts';
import type { ClusterSource } from './source.ts';

/** Blocks of the chain with all their events. */
export interface ReadPage {
  to: Block;
  /** Blocks with one of our transactions, and `to`. */
  blocks: Block[];
  events: ChainEvent[];
  /** Transactions that were read. */
  read: readonly Pick<Listed, 'signature' | 'slot'>[];
}

/**
 * Reads a page. What is named but in no block is left out: a list is a hint, and nobody's word is needed for what the blocks show.
 *
 * @param range - To a slot that has a block.
 * @param isFinal - Whether none of these blocks can vanish meanwhile.
 * @throws MovedError when blocks or transactions are not there, or others meanwhile.
 */
export const readPage = async (
  source: ClusterSource,
  { listed, to }: Range,
  {
    programs,
    signers,
    poolTypes,
    isFinal,
  }: {
    programs: Programs;
    signers: Signers;
    poolTypes: ReadonlyMap<Address, number>;
    isFinal: boolean;
  },
): Promise<ReadPage> => {
  const last = await blockAt(source, to, false);
  const slots = [...new Set(listed.map(({ slot }) => slot))];
  const blocks = (await together(slots, (slot) => blockIfAny(source, slot))).filter((block) => block !== null);
  const places = new Map(
    blocks.flatMap((block) =>
      (block.signatures ?? []).map((signature, index) => [signature, { block, index }] as const),
    ),
  );
  const wanted = listed.filter(
    ({ signature, slot, hasFailed }) => !hasFailed && places.get(signature)?.block.number === slot,
  );
  const found = await source.transactions(wanted.map(({ signature }) => signature));
  const placed = found.flatMap((transaction, i): Placed[] => {
    const { signature } = wanted[i] as Listed;
    const place = places.get(signature) as { block: Block; index: number };
    if (transaction?.slot !== place.block.number) throw new MovedError(`transaction ${signature}`);
    return transaction.deeds === null ? [] : [{ signature, ...place, deeds: transaction.deeds }];
  });
  if (!isFinal && (await source.block(to, false))?.hash !== last.hash) throw new MovedError(`the block of slot ${to}`);
  const decoder = new Decoder(programs, poolTypes, signers);
  const inOrder = placed.toSorted((a, b) => a.block.number - b.block.number || a.index - b.index);
  return {
    to: last,
    blocks: [...blocks.filter(({ number }) => number !== to), last],
    events: inOrder.flatMap((one) => decoder.eventsOf(one)),
    read: wanted,
  };
};

/** Null of a slot that has no block any more. */
const blockIfAny = async (source: ClusterSource, slot: number): Promise<Block | null> => {
  const block = await source.block(slot, true);
  if (block === null && (await source.slots(slot, slot)).includes(slot)) throw new MovedError(`slot ${slot}`);
  return block;
};

const blockAt = async (source: ClusterSource, slot: number, whole: boolean): Promise<Block> => {
  const block = await source.block(slot, whole);
  if (block === null) throw new MovedError(`slot ${slot} has no block`);
  return block;
};
