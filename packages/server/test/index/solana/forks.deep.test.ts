import { campaign } from '@mintage/devnet/random';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningDatabase } from '../../../src/db/startDatabase.ts';
import { keptOf, recomputedOf } from '../recomputed.ts';
import { contentOf, empty } from '../tables.ts';
import { catchUp, newStore } from './catchUp.ts';
import { type Deployed, deployedChain, dollars, Ground } from './ground.ts';
import { RandomLife } from './randomLife.ts';
import { expectTruth } from './truth.ts';

let database: RunningDatabase;
let deployed: Deployed;
beforeAll(async () => {
  database = await testDatabase();
  deployed = await deployedChain();
});
afterAll(async () => {
  await database?.stop();
  deployed?.remove();
});

/** Blocks on top of a final one. */
const finalAfter = 9;

describe('forks of a Solana cluster', () => {
  test('I1 I6 S109 blocks vanish, slots are skipped, the process starts anew: the tables equal the accounts and a rebuild from nothing', async () => {
    const { random, cases, seed } = campaign('forks of Solana', 30);
    await empty(database.db);
    const ground = await Ground.start(deployed, { finalAfter });
    try {
      const life = new RandomLife(ground, random);
      await life.open();
      ground.node.mine(2 * finalAfter); // without the accounts that it opens no trader could go on
      const served = ground.served();
      let store = await newStore(database, served);
      const heightOf = async (commitment: string) => Number(await ground.ask('getBlockHeight', { commitment }));
      let final = 0;
      let reorgs = 0;
      for (let round = 0; round < cases; round += 1) {
        const about = `SEED=${seed} round ${round}`;
        for (let blocks = 1 + random.int(4); blocks > 0; blocks -= 1) {
          await life.act();
          if (random.chance(4)) ground.node.skipSlots(1 + random.int(3));
          if (random.chance(6)) ground.node.addSeconds(random.int(9));
          ground.node.mine();
        }
        // Sometimes the fork comes while the indexer is behind, sometimes the process starts anew.
        reorgs += (await catchUp(store, served, undefined, random.chance(3) ? 1 : undefined)).reorgs;
        if (random.chance(3)) store = await newStore(database, served);
        // Now and then no fork takes what happened.
        if (random.chance(4)) ground.node.mine(2 * finalAfter);
        // Never below a block that was final when its branch was the longest.
        final = Math.max(final, await heightOf('finalized'));
        const most = Math.min(finalAfter - 1, (await heightOf('processed')) - final);
        if (most < 1) continue;
        const depth = 1 + random.int(most);
        const gone = ground.node.reorg(depth, { sameSlots: random.chance(2) });
        // Some of what vanished lands again, in other blocks.
        if (random.chance(2) && gone.length > 0) await life.act(2);
        ground.node.mine(random.int(depth + 2));
        reorgs += (await catchUp(store, served)).reorgs;
        if (!random.chance(3)) continue;
        // A fork that is lower than what we have looks like a provider that lags.
        const { number } = await store.position();
        while (Number(await ground.ask('getSlot', { commitment: 'confirmed' })) <= number) ground.node.mine();
        reorgs += (await catchUp(store, served)).reorgs;
        await expectTruth(ground, database.db);
        expect(await keptOf(database.db), about).toEqual(await recomputedOf(database.db));
      }
      const { alice } = ground.people;
      const last = await ground.create(alice, 1);
      await ground.must(alice, ...ground.trade(last, alice, 'buyExactIn', dollars(10)));
      ground.node.mine(2 * finalAfter);
      await catchUp(store, served);
      await expectTruth(ground, database.db);
      const followed = await contentOf(database.db);
      expect((followed.trade as string[]).length).toBeGreaterThan(0);
      expect(reorgs).toBeGreaterThan(0);

      await empty(database.db);
      await catchUp(await newStore(database, served), served);
      expect(followed, `SEED=${seed}`).toEqual(await contentOf(database.db));
    } finally {
      await ground.node.stop();
    }
  });
});
