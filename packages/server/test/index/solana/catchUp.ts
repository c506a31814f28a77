import { Provider } from '../../../src/chain/provider.ts';
import type { ServedChain } from '../../../src/chain/servedChain.ts';
import { answerBytes, Wire } from '../../../src/chain/wire.ts';
import type { RunningDatabase } from '../../../src/db/startDatabase.ts';
import { chainContext } from '../../../src/index/chainContext.ts';
import { registerChain } from '../../../src/index/registerChain.ts';
import { agreedSource } from '../../../src/index/solana/agreedSource.ts';
import { followerOf } from '../../../src/index/solana/solanaFollower.ts';
import { type ClusterSource, isAnswer, rpcSource } from '../../../src/index/solana/source.ts';
import { takeLease } from '../../../src/index/store/lease.ts';
import { Store } from '../../../src/index/store/store.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** The sources of these providers, as one. @param around - What lies between each and the index. */
export const sourceOf = (
  { rpcUrls }: ServedChain,
  around: (source: ClusterSource, place: number) => ClusterSource = (source) => source,
): ClusterSource =>
  agreedSource(
    rpcUrls.map((url, place) => {
      const line = { ...around(rpcSource(new Wire(url, answerBytes.logs)), place), identity: async () => 'test' };
      return new Provider({ name: `provider ${place}`, line, identity: 'test', log: quiet, isAnswer });
    }),
  );

export const newStore = async ({ db }: RunningDatabase, served: ServedChain): Promise<Store> => {
  const chain = chainContext(served);
  await registerChain(db, chain, served.deployment);
  await takeLease(db, chain.eid, 'test');
  return new Store(db, chain, 'test');
};

/** What following did. */
export interface Went {
  pages: number;
  reorgs: number;
  unsettled: number;
}

/** Applies changes until the tables are at the head, at most `most` of them. */
export const catchUp = async (
  store: Store,
  served: ServedChain,
  source: ClusterSource = sourceOf(served),
  most = Number.POSITIVE_INFINITY,
): Promise<Went> => {
  const position = await store.position();
  const went = { pages: 0, reorgs: 0, unsettled: 0 };
  for await (const change of followerOf(served, source).follow(position)) {
    if (change.type === 'idle') break;
    if (change.type === 'unsettled') went.unsettled += 1;
    if (change.type === 'block') {
      await store.apply(position, change);
      went.pages += 1;
    }
    if (change.type === 'finalize') await store.finalize(position, change);
    if (change.type === 'reorg') {
      Object.assign(position, await store.undo(position, change));
      went.reorgs += 1;
    }
    most -= 1;
    if (most <= 0) break;
  }
  await store.write(position);
  return went;
};
