import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { DevChain } from '@mintage/devnet';
import { signerChannel } from '@mintage/server/db';
import { type Kysely, sql } from 'kysely';
import type { Hex } from 'viem';
import { type ProvenIntent, proveIntents } from '../../packages/server/src/db/intentProof.ts';
import { balanceOf, newAddress, startWorld, type World } from '../../packages/server/test/sign/world.ts';
import { untilSo } from './client.ts';
import type { Part } from './part.ts';

const shared = ['budget', 'embedded_wallet', 'lane', 'intent', 'intent_step', 'attempt', 'keeper_task'] as const;
const coin = 10n ** 18n;
/** How long a row is left to the signer, milliseconds: it looks forty times a second. */
const patienceMs = 2_000;

interface Wallet {
  user: string;
  wallet: Hex;
}

interface Forged extends Wallet {
  id?: string;
  proof?: string | null;
  value?: bigint;
  to?: Hex;
  credential?: string | null;
}

/**
 * An attacker who writes the database, with each account that there is, and no key of an API: forged, replayed, moved and changed rows, an
 * old dump. Then a taken-over API, whose key vouches for anything. Judged by the chain: what embedded wallets sent.
 */
export const attackRows: Part = async ({ find, tell }) => {
  const world = await startWorld();
  try {
    const [chain] = world.chains as [DevChain];
    let signer = await world.signer();
    const [victim, attacker] = [await world.newWallet(), await world.newWallet()];
    const loot = newAddress();
    const pay = (value: bigint, to: Hex = newAddress()) => world.wish({ chain, ...victim, steps: [{ to, value }] });
    const ended = async (id: string): Promise<string> => {
      await untilSo(async () => {
        await chain.rpc('evm_mine');
        return !['queued', 'signed'].includes((await world.intent(id)).status);
      }, patienceMs);
      return (await world.intent(id)).status;
    };
    const sentBy = async ({ wallet }: Wallet): Promise<number> =>
      Number(await chain.rpc('eth_getTransactionCount', [wallet, 'pending']));
    const sent = async () => (await sentBy(victim)) + (await sentBy(attacker));

    /** Tries each, and counts those that the database takes and those after which a wallet has sent something. */
    const attempt = async (what: string, forgeries: readonly (() => Promise<unknown>)[]): Promise<void> => {
      let [written, signed] = [0, 0];
      for (const forge of forgeries) {
        const before = await sent();
        try {
          await forge();
          written += 1;
        } catch (error) {
          if (!/permission denied|must be owner/.test((error as Error).message)) throw error;
        }
        if ((await sent()) !== before) signed += 1;
      }
      const taken = (await balanceOf(chain, loot)) > 0n;
      const figure = `${signed} of ${forgeries.length} signed, ${written} written`;
      find({ what, figure, bound: '0 signed', pass: signed === 0 && !taken });
    };

    const honest = await pay(1n);
    await ended(honest);
    const proofOf = async (id: string): Promise<string> =>
      (await world.db.selectFrom('intent').select('proof').where('intent_id', '=', id).executeTakeFirstOrThrow())
        .proof as string;
    const stranger = await proveIntents(generateKeyPairSync('ed25519').privateKey, Date.now);
    const proofOfStranger = (id: string, { user, wallet }: Wallet) =>
      stranger.prove(intentOf(chain, id, { user, wallet }, loot), Date.now() / 1000 + 60);

    const insert = async (db: World['db'], forged: Forged): Promise<void> => {
      const { user, wallet, id = randomUUID(), proof = null, value = coin, to = loot, credential = null } = forged;
      const key = { eid: chain.chain.eid, intent_id: id };
      const expires_at = new Date(Date.now() + 60_000);
      await db
        .insertInto('intent')
        .values({ ...key, user_id: user, wallet, credential, proof, expires_at })
        .execute();
      const call = { to_address: to, value, data: '0x' as const };
      await db
        .insertInto('intent_step')
        .values({ ...key, ...call, step: 0, wallet, gas_limit: 100_000, description: '' })
        .execute();
      await sql`select pg_notify(${signerChannel}, '')`.execute(db);
      await ended(id);
    };
    const setBack = (db: Kysely<object>) => async (): Promise<void> => {
      await sql`delete from attempt where intent_id = ${honest}`.execute(db);
      await sql`update intent_step set status = 'queued', hash = null, nonce = null, to_address = ${loot}
        where intent_id = ${honest}`.execute(db);
      await sql`update lane set next_nonce = 0`.execute(db);
      await sql`update intent set status = 'queued' where intent_id = ${honest}`.execute(db);
      await ended(honest);
    };
    const moved = (db: World['db']) => async (): Promise<void> => {
      await sql`update embedded_wallet set user_id = ${randomUUID()} where user_id = ${attacker.user}`.execute(db);
      await sql`update embedded_wallet set user_id = ${attacker.user} where user_id = ${victim.user}`.execute(db);
      const id = randomUUID();
      const own = { user: attacker.user, wallet: victim.wallet };
      await insert(db, { ...own, id, proof: await proofOf(honest) });
      await sql`update embedded_wallet set user_id = ${victim.user} where address = ${victim.wallet}`.execute(db);
      await sql`update embedded_wallet set user_id = ${attacker.user} where address = ${attacker.wallet}`.execute(db);
    };
    const owner = world.db;
    for (const [name, db] of [
      ['the indexer', world.accounts.indexer.db],
      ['the API', world.accounts.api.db],
      ['the owner of all tables', owner],
    ] as const) {
      const by: World['db'] = db.withTables();
      const replayed = async () => insert(by, { ...victim, proof: await proofOf(honest) });
      const foreign = async () => {
        const id = randomUUID();
        await insert(by, { ...victim, id, proof: await proofOfStranger(id, victim) });
      };
      await attempt(`the account of ${name}: rows`, [
        () => insert(by, victim),
        () => insert(by, { ...victim, credential: randomUUID() }),
        () => insert(by, { user: attacker.user, wallet: victim.wallet }),
        replayed,
        foreign,
        setBack(by as Kysely<object>),
        moved(by),
      ]);
    }

    await signer.stop();
    const asked = await pay(1n);
    const dump = new Map<string, unknown>();
    for (const table of shared) {
      const { rows } = await sql<{
        dump: unknown;
      }>`select coalesce(jsonb_agg(t), '[]') as dump from ${sql.table(table)} t`.execute(owner);
      dump.set(table, rows[0]?.dump);
    }
    signer = await world.signer();
    await ended(asked);
    await attempt('an old dump, restored', [
      async () => {
        await signer.stop();
        await sql`truncate ${sql.join(shared.map((table) => sql.table(table)))}`.execute(owner);
        for (const table of shared)
          await sql`insert into ${sql.table(table)}
            select * from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(dump.get(table))}::jsonb)`.execute(
            owner,
          );
        signer = await world.signer();
        await ended(asked);
      },
    ]);

    await signer.stop();
    const capped = { policy: { maxCoinsPerDay: new Map([[chain.chain.slug, '1']]) } };
    signer = await world.signer(undefined, capped);
    const fresh = await world.newWallet();
    for (let i = 0; i < 10; i += 1) {
      const id = await world.wish({ chain, ...fresh, steps: [{ to: loot, value: coin / 4n }] });
      tell(`a taken-over API asks for a quarter of a coin: ${await ended(id)}`);
      if (i % 3 === 2) await sql`truncate intent, intent_step, attempt`.execute(owner);
    }
    const gone = await balanceOf(chain, loot);
    const figure = `${Number(gone) / 1e18} of 2.5 coins`;
    find({
      what: 'a taken-over API with a cap of 1 coin a day: out of a wallet',
      figure,
      bound: '≤ 1',
      pass: gone <= coin,
    });
  } finally {
    await world.stop();
  }
};

const intentOf = (chain: DevChain, intentId: string, { user, wallet }: Wallet, to: Hex): ProvenIntent => ({
  eid: chain.chain.eid,
  intentId,
  userId: user,
  wallet,
  credential: null,
  budget: null,
  ownWallets: [to],
  acknowledged: null,
  premise: null,
  seenBlock: null,
  session: null,
  steps: [{ to, value: coin, data: '0x', gasLimit: 100_000 }],
});
