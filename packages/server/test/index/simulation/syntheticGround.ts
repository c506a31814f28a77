import { chainBySlug } from '@mintage/protocol';
import type { Kysely } from 'kysely';
import type { Database } from '../../../src/db/chainTables.ts';
import { chainContext } from '../../../src/index/chainContext.ts';
import { followerOf } from '../../../src/index/evm/evmFollower.ts';
import type { ChainSource } from '../../../src/index/evm/source.ts';
import { registerChain } from '../../../src/index/registerChain.ts';
import { ProvidersDownError } from '../../../src/index/sync/poll.ts';
import { Worker } from '../../../src/index/worker.ts';
import { Random } from '../random.ts';
import { SyntheticChain, syntheticDeployment } from '../syntheticChain.ts';
import { finalityBlocks, type Ground, type Subject } from './ground.ts';

const served = { chain: chainBySlug('base-sepolia'), deployment: syntheticDeployment };
const chain = chainContext(served);
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** The chain in memory: no process and no socket, so many reorgs a second. Its trouble is a provider that is down. */
export const syntheticGround = (seed: number): Ground => {
  const random = new Random(seed ^ 0x5eed);
  const source = new SyntheticChain(seed);
  let isDown = false;
  const shaky = failing(source, () => isDown && random.chance(0.5));
  return {
    height: async () => source.height,
    mine: async (count) => source.mine(count),
    reorg: async (depth, grow) => source.reorg(depth, grow),
    trouble: () => {
      isDown = true;
    },
    suffer: async () => {},
    honest: () => {
      isDown = false;
    },
    start: async ({ db }): Promise<Subject> => work(db, shaky, finalityBlocks, 'subject'),
    rebuild: async (db, finality) => {
      const worker = await work(db, source, finality, 'rebuild');
      await worker.caughtUp();
      await worker.stop();
    },
    stop: async () => {},
  };
};

const work = async (db: Kysely<Database>, from: ChainSource, finality: number, owner: string): Promise<Worker> => {
  await registerChain(db, chain, syntheticDeployment);
  const follower = followerOf({ ...served, finalityBlocks: { index: finality, sign: finality } }, from);
  return new Worker({ db, chain, follower, pollMs: 1, log: quiet, owner });
};

/** The same source, whose every method may find no provider. */
const failing = (source: ChainSource, isDown: () => boolean): ChainSource =>
  new Proxy(source, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (isDown()) return Promise.reject(new ProvidersDownError(new Error('trouble')));
        return value.apply(target, args);
      };
    },
  });
