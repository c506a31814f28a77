import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { DevChain } from '@mintage/devnet';
import { until } from '@mintage/devnet/until';
import { sql } from 'kysely';
import { type Hex, numberToHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ProvenIntent, proveIntents } from '../../src/db/intentProof.ts';
import { askForKeeperWallet, keeperUser, keeperWallet } from '../../src/db/keeperWallet.ts';
import { signerChannel } from '../../src/db/signerTables.ts';
import type { Signer } from '../../src/sign/signer.ts';
import { balanceOf, newAddress, startWorld, type World } from './world.ts';

const tables = ['budget', 'embedded_wallet', 'lane', 'intent', 'intent_step', 'attempt', 'keeper_task'] as const;

/** An attacker who writes whatever they like into the database, and has no key of an API. */
describe('a hostile database', () => {
  let world: World;
  let chain: DevChain;
  let signer: Signer;
  let victim: { user: string; wallet: Hex };
  let attacker: { user: string; wallet: Hex };
  let loot: Hex;

  beforeAll(async () => {
    world = await startWorld();
    [chain] = world.chains as [DevChain];
    signer = await world.signer();
    [victim, attacker] = [await world.newWallet(), await world.newWallet()];
  });
  afterAll(() => world?.stop());
  beforeEach(() => {
    loot = newAddress();
  });

  interface Forgery {
    user?: string;
    wallet?: Hex;
    proof?: string | null;
    id?: string;
    to?: Hex;
    value?: bigint;
    credential?: string | null;
    /** By whose account; absent: the owner's. */
    by?: World['db'];
  }
  /** Two INSERTs, as the API makes them. */
  const insert = async (forgery: Forgery = {}): Promise<string> => {
    const {
      user = victim.user,
      wallet = victim.wallet,
      proof = null,
      id = randomUUID(),
      credential = null,
      by = world.db,
    } = forgery;
    const key = { eid: chain.chain.eid, intent_id: id };
    const expires_at = new Date(Date.now() + 3_600_000);
    await by
      .insertInto('intent')
      .values({ ...key, user_id: user, wallet, credential, proof, expires_at })
      .execute();
    const call = { to_address: forgery.to ?? loot, value: forgery.value ?? 10n ** 18n, data: '0x' as const };
    await by
      .insertInto('intent_step')
      .values({ ...key, ...call, step: 0, wallet, gas_limit: 100_000, description: '' })
      .execute();
    await wake();
    return id;
  };
  const wake = () => sql`select pg_notify(${signerChannel}, '')`.execute(world.db);
  const used = (wallet: Hex) => chain.rpc('eth_getTransactionCount', [wallet, 'pending']);
  const proofOf = async (id: string): Promise<string> => {
    const row = world.db.selectFrom('intent').select('proof').where('intent_id', '=', id);
    return (await row.executeTakeFirstOrThrow()).proof as string;
  };
  /** The signer has come by and refused it, and signed nothing. */
  const expectRefused = async (id: string, code = 'AUTHENTICATION_FAILED'): Promise<void> => {
    await until(async () => (await world.intent(id)).status !== 'queued');
    expect(await world.intent(id)).toMatchObject({ status: 'refused', error_code: code });
    await chain.rpc('evm_mine');
    expect(await balanceOf(chain, loot)).toBe(0n);
  };
  /** An honest payment that has ended. */
  const paid = async (to: Hex = newAddress()): Promise<string> => {
    const id = await world.wish({ chain, ...victim, steps: [{ to, value: 1n }] });
    await world.mineUntil(async () => (await world.intent(id)).status === 'done');
    return id;
  };

  it('K1 an intent without a proof is refused', async () => {
    await expectRefused(await insert());
  });

  it('K1 so is one with a proof by another key, or by the proof of another intent', async () => {
    const stranger = await proveIntents(generateKeyPairSync('ed25519').privateKey, Date.now);
    const id = randomUUID();
    const forged: ProvenIntent = {
      eid: chain.chain.eid,
      intentId: id,
      userId: victim.user,
      wallet: victim.wallet,
      credential: null,
      budget: null,
      ownWallets: [],
      acknowledged: null,
      premise: null,
      seenBlock: null,
      session: null,
      steps: [{ to: loot, value: 10n ** 18n, data: '0x', gasLimit: 100_000 }],
    };
    await expectRefused(await insert({ id, proof: await stranger.prove(forged, Date.now() / 1000 + 60) }));
    const honest = await proofOf(await paid());
    await expectRefused(await insert({ proof: honest }));
  });

  it('K1 a proof of a user signs nothing of another user’s wallet', async () => {
    const id = randomUUID();
    const own = { ...attacker, eid: chain.chain.eid, intentId: id };
    const proof = await world.proofs.signing.prove(
      {
        eid: own.eid,
        intentId: id,
        userId: attacker.user,
        wallet: attacker.wallet,
        credential: null,
        budget: null,
        ownWallets: [],
        acknowledged: null,
        premise: null,
        seenBlock: null,
        session: null,
        steps: [{ to: loot, value: 10n ** 18n, data: '0x', gasLimit: 100_000 }],
      },
      Date.now() / 1000 + 60,
    );
    await expectRefused(await insert({ id, proof }));
    // As if the attacker's account had the victim's wallet.
    const moved = randomUUID();
    const mine = await world.proofs.signing.prove(
      {
        eid: own.eid,
        intentId: moved,
        userId: attacker.user,
        wallet: victim.wallet,
        credential: null,
        budget: null,
        ownWallets: [],
        acknowledged: null,
        premise: null,
        seenBlock: null,
        session: null,
        steps: [{ to: loot, value: 10n ** 18n, data: '0x', gasLimit: 100_000 }],
      },
      Date.now() / 1000 + 60,
    );
    await sql`update embedded_wallet set user_id = ${attacker.user}, chain_type = 'solana' where user_id = ${victim.user}`.execute(
      world.db,
    );
    const stolen = await insert({ id: moved, proof: mine, user: attacker.user });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await world.steps(stolen))[0]?.hash ?? null).toBeNull();
    await sql`update embedded_wallet set user_id = ${victim.user}, chain_type = 'evm' where address = ${victim.wallet}`.execute(
      world.db,
    );
    await world.db.updateTable('intent').set({ status: 'refused' }).where('intent_id', '=', stolen).execute();
    await chain.rpc('evm_mine');
    expect(await balanceOf(chain, loot)).toBe(0n);
  });

  it('K1 a wallet that the database says is of two users signs for the one for whom its key is sealed', async () => {
    const rows = await sql`select * from embedded_wallet order by user_id = ${victim.user} desc`.execute(world.db);
    await sql`alter table embedded_wallet drop constraint embedded_wallet_address_key`.execute(world.db);
    await sql`truncate embedded_wallet`.execute(world.db);
    await sql`insert into embedded_wallet select * from
      jsonb_populate_recordset(null::embedded_wallet, ${JSON.stringify(rows.rows)}::jsonb)`.execute(world.db);
    await world.db
      .insertInto('embedded_wallet')
      .values({ user_id: attacker.user, chain_type: 'solana', address: victim.wallet, sealed_key: '{}' })
      .execute();
    // So an API vouches for it, which has addresses of wallets from the database.
    const id = await world.wish({
      chain,
      user: attacker.user,
      wallet: victim.wallet,
      steps: [{ to: loot, value: 10n ** 18n }],
    });
    await expectRefused(id, 'INVALID_PARAMETERS');
    await sql`delete from embedded_wallet where user_id = ${attacker.user} and chain_type = 'solana'`.execute(world.db);
    await sql`alter table embedded_wallet add unique (address)`.execute(world.db);
  });

  it('K1 steps that were changed after the proof are refused', async () => {
    await signer.stop();
    const id = await world.wish({ chain, ...victim, steps: [{ to: newAddress(), value: 1n }] });
    await world.db.updateTable('intent_step').set({ to_address: loot }).where('intent_id', '=', id).execute();
    signer = await world.signer();
    await expectRefused(id);
  });

  it('K1 an intent that was signed is not signed again, however its rows are set back', async () => {
    const to = newAddress();
    const id = await paid(to);
    const nonce = await used(victim.wallet);
    await world.db.deleteFrom('attempt').where('intent_id', '=', id).execute();
    const cleared = { status: 'queued', hash: null, block_number: null, block_hash: null, gas_paid: null } as const;
    await world.db
      .updateTable('intent_step')
      .set({ ...cleared, nonce: null })
      .where('intent_id', '=', id)
      .execute();
    await world.db
      .updateTable('intent')
      .set({ status: 'queued', ended_at: null })
      .where('intent_id', '=', id)
      .execute();
    await world.db.updateTable('lane').set({ next_nonce: 0 }).where('wallet', '=', victim.wallet).execute();
    await wake();
    await world.mineUntil(async () => (await world.intent(id)).status === 'done');
    expect(await used(victim.wallet)).toBe(nonce);
    expect(await balanceOf(chain, to)).toBe(1n);
    await paid(); // and the wallet goes on
  });

  it('K1 a dump of before, restored, signs nothing again', async () => {
    const rows = new Map<string, unknown[]>();
    await signer.stop();
    const to = newAddress();
    const id = await world.wish({ chain, ...victim, steps: [{ to, value: 1n }] });
    for (const table of tables) rows.set(table, await world.db.selectFrom(table).selectAll().execute());
    signer = await world.signer();
    await world.mineUntil(async () => (await world.intent(id)).status === 'done');
    await signer.stop();
    const nonce = await used(victim.wallet);
    await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))}`.execute(world.db);
    for (const table of tables) {
      const dumped = (rows.get(table) as Record<string, unknown>[]).map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            value !== null && typeof value === 'object' && !(value instanceof Date) && !Array.isArray(value)
              ? JSON.stringify(value)
              : value,
          ]),
        ),
      );
      if (dumped.length > 0)
        await world.db
          .insertInto(table)
          .values(dumped as never)
          .execute();
    }
    signer = await world.signer();
    await world.mineUntil(async () => (await world.intent(id)).status === 'done');
    expect(await used(victim.wallet)).toBe(nonce);
    expect(await balanceOf(chain, to)).toBe(1n);
  });

  it('K1 what replaces a transaction is what was signed, whatever its row says by then', async () => {
    const to = newAddress();
    const id = await world.wish({ chain, ...victim, steps: [{ to, value: 1n }] });
    await until(async () => (await world.steps(id)).every(({ status }) => status === 'sent'));
    const first = (await world.steps(id))[0]?.hash;
    await chain.rpc('anvil_dropTransaction', [first]);
    await world.db
      .updateTable('intent_step')
      .set({ to_address: loot, value: 5n })
      .where('intent_id', '=', id)
      .execute();
    await chain.rpc('anvil_setNextBlockBaseFeePerGas', [numberToHex(4_000_000_000n)]);
    await world.mineUntil(async () => ['done', 'failed'].includes((await world.intent(id)).status));
    expect([await balanceOf(chain, to), await balanceOf(chain, loot)]).toEqual([1n, 0n]);
  });

  it('K1 a credential that was revoked stays revoked', async () => {
    const credential = randomUUID();
    const ended = { credential, user_id: victim.user, ended_at: new Date() };
    await world.db.insertInto('budget').values(ended).execute();
    const row = () => world.db.selectFrom('budget').selectAll().where('credential', '=', credential).executeTakeFirst();
    await until(async () => (await row())?.revocation_noted === true);
    await world.db.deleteFrom('budget').where('credential', '=', credential).execute();
    const id = await world.wish({ chain, ...victim, credential, steps: [{ to: loot, value: 1n }] });
    await expectRefused(id);
  });

  it('K1 the keeper’s wallet, which needs no proof, sends no coins', async () => {
    await askForKeeperWallet(world.db, 'evm');
    await wake();
    const wallet = (await until(() => keeperWallet(world.db, 'evm'))) as Hex;
    await chain.rpc('anvil_setBalance', [wallet, numberToHex(10n ** 20n)]);
    await expectRefused(await insert({ user: keeperUser, wallet }), 'RECIPIENT_NOT_ALLOWED');
    await expectRefused(await insert({ user: keeperUser, wallet, to: loot, value: 0n }), 'RECIPIENT_NOT_ALLOWED');
  });

  describe('a taken-over API, which vouches for what it likes', () => {
    const cap = 10n ** 17n;
    const capped = { policy: { maxCoinsPerDay: new Map([['base-sepolia', '0.1']]) } };
    const takes = (value: bigint) => world.wish({ chain, ...victim, steps: [{ to: loot, value }] });
    const done = async (id: string): Promise<void> =>
      world.mineUntil(async () => (await world.intent(id)).status === 'done');
    beforeAll(async () => {
      await signer.stop();
      signer = await world.signer(undefined, capped);
      victim = await world.newWallet();
    });
    afterAll(async () => {
      await signer.stop();
      signer = await world.signer();
    });
    const refused = async (id: string) => {
      await until(async () => (await world.intent(id)).status === 'refused');
      return world.intent(id);
    };

    it('K1 takes no more coins out of a wallet than the day’s cap, over any number of intents and an emptied database', async () => {
      await done(await takes(cap / 2n));
      expect(await refused(await takes(cap / 2n + 1n))).toMatchObject({
        error_code: 'BUDGET_EXCEEDED',
        error: expect.stringMatching(/0\.05 of the 0\.1 of a day \(UTC\) are left.*MAX_COINS_PER_DAY/),
      });
      await sql`truncate intent, intent_step, attempt`.execute(world.db);
      await signer.stop();
      signer = await world.signer(undefined, capped);
      await refused(await takes(cap / 2n + 1n));
      await done(await takes(cap / 2n));
      await refused(await takes(1n));
      expect(await balanceOf(chain, loot)).toBe(cap);
    });
  });

  describe('with the account of a role', () => {
    const shared = ['intent', 'intent_step', 'attempt', 'budget', 'embedded_wallet', 'lane', 'keeper_task'];
    const attempts = (table: string) => [
      sql`insert into ${sql.table(table)} default values`,
      sql`update ${sql.table(table)} set ${sql.ref(['budget', 'embedded_wallet'].includes(table) ? 'user_id' : 'eid')} = null`,
      sql`delete from ${sql.table(table)}`,
      sql`truncate ${sql.table(table)}`,
      sql`alter table ${sql.table(table)} disable trigger all`,
    ];

    it('K1 the indexer’s writes nothing of what the signer reads, and signs nothing', async () => {
      const { db } = world.accounts.indexer;
      for (const table of shared)
        for (const attempt of attempts(table))
          await expect(attempt.execute(db)).rejects.toThrow(/denied|must be owner/);
      await expect(insert({ by: db.withTables() })).rejects.toThrow('permission denied for table intent');
      await expect(sql`update signing_pause set reason = ''`.execute(db)).rejects.toThrow('permission denied');
    });

    it('K1 the API’s, without the API’s key: nothing is signed', async () => {
      const by: World['db'] = world.accounts.api.db.withTables();
      await expectRefused(await insert({ by }));
      const honest = await proofOf(await paid());
      await expectRefused(await insert({ by, proof: honest }));
      await expectRefused(await insert({ by, user: attacker.user }));
    });

    it('K1 the API’s sets nothing back: no row of a signature, no revocation, no wallet of another user', async () => {
      const { db } = world.accounts.api;
      const id = await paid();
      const set = [
        sql`update intent_step set status = 'queued', hash = null, to_address = ${loot} where intent_id = ${id}`,
        sql`update intent set wallet = ${victim.wallet}, user_id = ${attacker.user} where intent_id = ${id}`,
        sql`update intent set proof = null where intent_id = ${id}`,
        sql`delete from attempt where intent_id = ${id}`,
        sql`update lane set next_nonce = 0`,
        sql`delete from budget`,
        sql`update budget set revocation_noted = true`,
        sql`update embedded_wallet set user_id = ${attacker.user}`,
        sql`select sealed_key from embedded_wallet`,
        sql`delete from signing_pause`,
      ];
      for (const statement of set) await expect(statement.execute(db)).rejects.toThrow('permission denied');
      // It may say of a status what it likes.
      const nonce = await used(victim.wallet);
      await sql`update intent set status = 'queued' where intent_id = ${id}`.execute(db);
      await wake();
      await world.mineUntil(async () => (await world.intent(id)).status !== 'queued');
      expect(await used(victim.wallet)).toBe(nonce);
    });
  });
});
