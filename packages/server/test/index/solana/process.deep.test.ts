import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { randomFrom } from '@mintage/devnet/random';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RunningDatabase } from '../../../src/db/startDatabase.ts';
import { startIndexer } from '../../../src/index/indexer.ts';
import { createSolanaFollower } from '../../../src/index/solana/solanaFollower.ts';
import type { IndexerOrder } from '../indexerProcess.ts';
import { contentOf, empty } from '../tables.ts';
import { catchUp, newStore } from './catchUp.ts';
import { type Deployed, deployedChain, Ground } from './ground.ts';
import { RandomLife } from './randomLife.ts';
import { expectTruth } from './truth.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

let database: RunningDatabase;
let deployed: Deployed;
let ground: Ground;
beforeAll(async () => {
  database = await testDatabase();
  deployed = await deployedChain();
});
afterAll(async () => {
  await database?.stop();
  deployed?.remove();
});
beforeEach(async () => {
  await empty(database.db);
  ground = await Ground.start(deployed, { finalAfter: 10 });
});
afterEach(() => ground?.node.stop());

const start = (): ChildProcess => {
  const order: IndexerOrder = { ...ground.served(), databaseUrl: database.url, pollMs: 5 };
  const env = { ...process.env, INDEXER: JSON.stringify(order) };
  return fork(new URL('../indexerProcess.ts', import.meta.url), { env });
};

describe('a process that follows a Solana cluster', () => {
  test('killed again and again while blocks come and vanish, the next one goes on where the tables are', async () => {
    const random = randomFrom(5);
    const life = new RandomLife(ground, random);
    await life.open();
    for (let round = 0; round < 4; round += 1) {
      // Nobody waits here until the lease of a dead process runs out.
      await database.db
        .updateTable('chain')
        .set({ lease_until: new Date(0) })
        .execute();
      const indexer = start();
      await once(indexer, 'message');
      indexer.send('caughtUp');
      await once(indexer, 'message');
      for (let block = 0; block < 12; block += 1) {
        await life.act(3);
        ground.node.mine();
        if (random.chance(5)) ground.node.reorg(1 + random.int(3));
      }
      indexer.kill('SIGKILL');
      await once(indexer, 'exit');
    }
    ground.node.mine(20);
    const served = ground.served();
    await database.db
      .updateTable('chain')
      .set({ lease_until: new Date(0) })
      .execute();
    const last = start();
    await once(last, 'message');
    last.send('caughtUp');
    await once(last, 'message');
    last.disconnect();
    await once(last, 'exit');
    await expectTruth(ground, database.db);
    const followed = await contentOf(database.db);
    await empty(database.db);
    await catchUp(await newStore(database, served), served);
    expect(followed).toEqual(await contentOf(database.db));
  });

  test('a block that is announced is in the tables at once, however long the pause between looks', async () => {
    const served = ground.served();
    const indexer = await startIndexer({
      db: database.db,
      chains: [served],
      createFollower: createSolanaFollower,
      log: quiet,
      pollMs: 60_000,
    });
    try {
      await indexer.caughtUp();
      const { alice } = ground.people;
      await ground.create(alice, 1);
      const isThere = async () => (await database.db.selectFrom('token').selectAll().execute()).length > 0;
      // The first announcement needs a connection.
      while (!(await isThere())) {
        ground.node.mine();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    } finally {
      await indexer.stop();
    }
  });

  test('error: a provider of another cluster is asked nothing', async () => {
    const lines: string[] = [];
    const log = { ...quiet, warn: (fields: object) => lines.push(JSON.stringify(fields)) };
    const { local: _, ...served } = ground.served();
    const follower = createSolanaFollower(served, log, () => {});
    try {
      await expect(follower.check()).rejects.toThrow('no provider answers');
      expect(lines.join()).toContain('EtWTRABZaYq6iMfeYKouRu166VU2xqa1');
    } finally {
      await follower.stop();
    }
  });
});
