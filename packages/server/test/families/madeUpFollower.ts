import type { Hash } from '@mintage/protocol';
import type { CreateFollower } from '../../src/index/follower.ts';
import type { Position } from '../../src/index/position.ts';
import type { Change, Header } from '../../src/index/sync/changes.ts';
import { FinalityError } from '../../src/index/sync/FinalityError.ts';
import type { Block, MadeUpChain } from './madeUpChain.ts';

/** Most blocks in one change. */
const page = 20;
/** Undo information of so many final blocks is kept before it is dropped together. */
const keptFinal = 4;

/** The made-up chain as the indexer follows it. What is final the chain says; blocks are not counted. */
export const followerOf =
  (chain: MadeUpChain): CreateFollower =>
  (_served, _log, heard) => {
    const stopListening = chain.onBlock(({ height }) => heard(height));
    return {
      check: async () => {},
      follow: (position) => follow(chain, position),
      stop: async () => stopListening(),
    };
  };

async function* follow(chain: MadeUpChain, position: Position): AsyncGenerator<Change, never, void> {
  for (;;) {
    if (position.hash !== null && chain.block(position.number)?.hash !== position.hash) {
      yield { type: 'reorg', ancestor: ancestorOf(chain, position) };
      continue;
    }
    const next = nextBlocks(chain, position);
    const to = next.at(-1);
    if (to === undefined) {
      yield { type: 'idle', head: position.number };
      continue;
    }
    const finalized = Math.max(position.finalized, Math.min(chain.finalized, to.height));
    yield {
      type: 'block',
      from: position.number + 1,
      to: headerOf(to),
      headers: next.filter((block) => block.height > finalized || block === to).map(headerOf),
      events: next.flatMap(({ events }) => events),
      head: chain.head.height,
      finalized,
      pace: null,
    };
    if (finalized - Math.min(...position.hashes.keys()) >= keptFinal) yield { type: 'finalize', number: finalized };
  }
}

const nextBlocks = (chain: MadeUpChain, { number }: Position): Block[] => {
  const blocks: Block[] = [];
  for (let height = number + 1; blocks.length < page; height += 1) {
    const block = chain.block(height);
    if (block === undefined) break;
    blocks.push(block);
  }
  return blocks;
};

/** The newest of our blocks that the chain still has. */
const ancestorOf = (chain: MadeUpChain, { hashes, finalized }: Position): { number: number; hash: Hash } => {
  const same = [...hashes].filter(([number, hash]) => number >= finalized && chain.block(number)?.hash === hash);
  const newest = same.toSorted(([a], [b]) => b - a)[0];
  if (newest === undefined) throw new FinalityError(finalized);
  return { number: newest[0], hash: newest[1] };
};

const headerOf = ({ height, hash, parent, time }: Block): Header => ({
  number: height,
  hash,
  parentHash: parent,
  timestamp: time,
});
