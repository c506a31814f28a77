import { testDatabase } from '@mintage/devnet/testDatabase';
import { instructions, joinBytes, keyBytes, programEvents } from '@mintage/protocol/solana';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RunningDatabase } from '../../../src/db/startDatabase.ts';
import type { ClusterSource } from '../../../src/index/solana/source.ts';
import type { Holding, Step as Ran } from '../../../src/index/solana/transaction.ts';
import { empty } from '../tables.ts';
import { catchUp, newStore, sourceOf } from './catchUp.ts';
import { type Deployed, deployedChain, dollars, Ground, type Step } from './ground.ts';
import { expectBalances, expectTruth } from './truth.ts';

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
  ground = await Ground.start(deployed);
});
afterEach(() => ground?.node.stop());

const memo = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as never;

/** The bytes of an event that would pay somebody. */
const forged = (name: 'Withdrawn' | 'TreasuryCollected', seq: bigint, ...keys: readonly string[]): Uint8Array => {
  const numbers = new Uint8Array(8);
  new DataView(numbers.buffer).setBigUint64(0, seq, true);
  const amount = new Uint8Array(8).fill(1);
  const head = Uint8Array.of(instructions.event.tag, programEvents[name].tag);
  return joinBytes(head, numbers, ...keys.map((key) => keyBytes(key as never)), amount);
};

describe('what strangers can make', () => {
  test('S108 S109 events from outside and failed transactions leave no row', async () => {
    const { alice, bob, dave } = ground.people;
    const { program } = ground.deployment;
    const token = await ground.create(alice, 1);
    await ground.must(bob, ...ground.trade(token, bob, 'buyExactIn', dollars(5)));
    const data = forged('Withdrawn', 0n, dave.address, dave.address);
    const at = (address: string, role: number, signer?: object) => ({ address, role, ...(signer && { signer }) });
    const event = (authority: object): Step =>
      ({ programAddress: program, accounts: [authority], data }) as unknown as Step;
    // Each fails, and stays in its block.
    await ground.post(dave, event(at(ground.userOf(dave), 0)));
    await ground.post(dave, event(at(dave.address, 2, dave)));
    await ground.post(dave, ...ground.trade(token, dave, 'sellExactIn', dollars(1)));
    // The text of one in a program that only keeps texts.
    await ground.post(dave, { programAddress: memo, accounts: [], data } as unknown as Step);
    ground.node.mine(3);
    const served = ground.served();
    await catchUp(await newStore(database, served), served);
    expect((await database.db.selectFrom('trade').selectAll().execute()).length).toBe(1);
    expect(await database.db.selectFrom('withdrawal').selectAll().execute()).toEqual([]);
    await expectTruth(ground, database.db);
  });

  test('S108 a step that looks like an event counts only as a call of the program, signed by the account that it is about', async () => {
    const { alice, bob, dave } = ground.people;
    const program = ground.deployment.program as never;
    const token = await ground.create(alice, 1);
    await ground.must(bob, ...ground.trade(token, bob, 'buyExactIn', dollars(5)));
    ground.node.mine(3);
    const served = ground.served();
    const data = forged('TreasuryCollected', 2n, token.mint, dave.address);
    const launch = token.places.launch as never;
    const strange: Ran[] = [
      { program, accounts: [launch], data, isInner: false },
      { program: memo, accounts: [launch], data, isInner: true },
      { program, accounts: [ground.userOf(dave) as never], data, isInner: true },
      { program, accounts: [dave.address as never], data, isInner: true },
      { program, accounts: [], data, isInner: true },
    ];
    // As if the runtime had let somebody run them.
    const source = sourceOf(served, (one) => withSteps(one, strange));
    await catchUp(await newStore(database, served), served, source);
    await expectTruth(ground, database.db);
    expect(await database.db.selectFrom('fee_credit').selectAll().where('activity_id', '=', 255).execute()).toEqual([]);
  });

  test('tokens that move without a word to us: the next transaction that names the accounts puts both wallets right', async () => {
    const { alice, bob, carol, dave } = ground.people;
    const token = await ground.create(alice, 1);
    const served = ground.served();
    const store = await newStore(database, served);
    const now = async () => {
      ground.node.mine(2);
      await catchUp(store, served);
    };
    await ground.must(bob, ...ground.trade(token, bob, 'buyExactIn', dollars(5)));
    await now();
    await expectTruth(ground, database.db);
    // Neither of them names the program.
    await ground.must(bob, ground.openTokens(bob, token, carol), ground.transfer(token, bob, carol, 7n * 10n ** 12n));
    await ground.must(
      carol,
      ground.openTokens(carol, token, dave),
      ground.transfer(token, carol, dave, 10n ** 12n, false),
    );
    await now();
    await expectTruth(ground, database.db, { unseen: true });
    await ground.must(carol, ...ground.trade(token, carol, 'sellExactIn', 2n * 10n ** 12n));
    await now();
    await ground.must(bob, ...ground.trade(token, bob, 'sellExactIn', 10n ** 12n));
    await ground.must(dave, ...ground.trade(token, dave, 'buyExactIn', dollars(1)));
    await now();
    await expectTruth(ground, database.db);
    // What came from nowhere has no known cost, and nobody made a profit by it.
    const rows = await database.db.selectFrom('balance').selectAll().execute();
    const daves = rows.find(({ wallet }) => wallet === dave.address);
    expect(daves?.unpriced_tokens).toBe(10n ** 12n);
    for (const row of rows) expect(row.unpriced_tokens <= row.amount).toBe(true);
  });

  test('tokens that are burnt are gone, and an account that changes hands takes its tokens along', async () => {
    const { alice, bob, carol } = ground.people;
    const token = await ground.create(alice, 1);
    const buy = ground.trade(token, bob, 'buyExactIn', dollars(5));
    await ground.must(bob, ...buy, burning(token.mint, ground.tokensOf(token, bob), bob, 10n ** 12n));
    ground.node.mine(3);
    const served = ground.served();
    await catchUp(await newStore(database, served), served);
    await expectBalances(ground, database.db);
    const burnt = await database.db
      .selectFrom('transfer')
      .selectAll()
      .where('recipient', '=', '1'.repeat(32) as never)
      .execute();
    expect(burnt.map(({ amount, is_leg }) => [amount, is_leg])).toEqual([[10n ** 12n, true]]);

    await empty(database.db);
    const source = sourceOf(served, (one) => ({
      ...one,
      transactions: async (signatures) =>
        (await one.transactions(signatures)).map(
          (found) =>
            found?.deeds && { ...found, deeds: { ...found.deeds, holdings: found.deeds.holdings.map(toCarol) } },
        ) as never,
    }));
    const toCarol = (held: Holding): Holding =>
      held.owner === bob.address ? { ...held, ownerBefore: bob.address as never, owner: carol.address as never } : held;
    await catchUp(await newStore(database, served), served, source);
    const owners = await database.db
      .selectFrom('balance')
      .select(['wallet', 'amount'])
      .where('amount', '>', 0n)
      .execute();
    expect(owners.map(({ wallet }) => wallet)).toEqual([carol.address]);
  });
});

/** The same with steps that ran beside the others. */
const withSteps = (source: ClusterSource, strange: readonly Ran[]): ClusterSource => ({
  ...source,
  transactions: async (signatures) =>
    (await source.transactions(signatures)).map(
      (one) => one && { ...one, deeds: one.deeds && { ...one.deeds, steps: [...one.deeds.steps, ...strange] } },
    ),
});

const burning = (mint: string, account: string, owner: object & { address: string }, amount: bigint): Step => {
  const data = Buffer.alloc(9);
  data[0] = 8;
  data.writeBigUInt64LE(amount, 1);
  const accounts = [
    { address: account, role: 1 },
    { address: mint, role: 1 },
    { address: owner.address, role: 2, signer: owner },
  ];
  return { programAddress: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', accounts, data } as unknown as Step;
};
