import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { type Address, type Base58, requireBase58 } from '@mintage/protocol';
import { sql } from 'kysely';
import type { PreparedStep } from '../../../src/chain/chainClient.ts';
import { type SignerDatabase, type StepStatus, signerChannel } from '../../../src/db/signerTables.ts';
import { memoryKek } from '../../../src/keys/keys.ts';
import type { Db } from '../../../src/sign/context.ts';
import { type Signer, startSigner } from '../../../src/sign/signer.ts';
import { solanaSigning } from '../../../src/sign/solana/solanaSigning.ts';
import { type World as ChainWorld, startWorld as startChain } from '../../chain/solana/world.ts';
import { type Proofs, startProofs } from '../proofs.ts';

/** Someone whose wallet the signer made. */
export interface User {
  user: string;
  wallet: Base58;
}

export interface StepRow {
  status: StepStatus;
  hash: string | null;
  error_code: string | null;
  error: string | null;
}

/** A chain that moves only when told to, a real database, and a signer between them. */
export interface World {
  on: ChainWorld;
  db: Db;
  databaseUrl: string;
  kek: Uint8Array;
  proofs: Proofs;
  startSigner(rpcUrls?: readonly string[]): Promise<void>;
  stopSigner(): Promise<void>;
  /** A user with an embedded wallet with 10 SOL. Needs a signer. */
  newUser(): Promise<User>;
  /** Does what the API does. @returns The intent's id. */
  wish(
    user: User,
    steps: readonly PreparedStep[],
    options?: { expiresIn?: number; credential?: string },
  ): Promise<string>;
  /** Dollars for the wallet itself, base units: what is done twice shows. */
  wishUsd(user: User, amount: bigint, options?: { expiresIn?: number }): Promise<string>;
  intent(id: string): Promise<{ status: string; error_code: string | null; error: string | null }>;
  steps(id: string): Promise<StepRow[]>;
  /** All signed bytes of an intent, oldest first. */
  attempts(id: string): Promise<{ hash: string; valid_until_block: number | null; sent_at: Date | null }[]>;
  dollars(of: User): Promise<bigint>;
  /** Mines again and again until it holds; the test's own limit is the only one. */
  mineUntil(condition: () => Promise<boolean>): Promise<void>;
  ends(id: string): Promise<void>;
  stop(): Promise<void>;
}

export const startWorld = async (): Promise<World> => {
  const [on, database] = await Promise.all([startChain(), testDatabase()]);
  const db: Db = database.db.withTables<SignerDatabase>();
  const kek = randomBytes(32);
  const keys = memoryKek(kek);
  const proofs = await startProofs();
  const { intents, signingLog } = proofs;
  const log = { info() {}, warn: say, error: say };
  const { eid, slug } = on.served.chain;
  const { usd, usdDecimals, launchpad } = on.served.deployment;
  // Orders are judged by the index, which here is ahead of everything and has no tokens.
  await sql`insert into chain (eid, slug, usd, usd_decimals, launchpad, pool_manager, indexed)
    values (${eid}, ${slug}, ${usd}, ${usdDecimals}, ${launchpad}, null, ${2 ** 40})`.execute(db);
  let signer: Signer | undefined;

  const world: World = {
    on,
    db,
    databaseUrl: database.url,
    kek,
    proofs,
    async startSigner(rpcUrls = on.served.rpcUrls) {
      const chains = [{ ...on.served, rpcUrls }];
      const families = new Map([['solana', solanaSigning]] as const);
      signer = await startSigner({ db: database.db, chains, families, keys, intents, signingLog, log, pollMs: 20 });
    },
    async stopSigner() {
      await signer?.stop();
      signer = undefined;
    },
    async newUser() {
      const user = randomUUID();
      await db
        .insertInto('embedded_wallet')
        .values({ user_id: user, chain_type: 'solana', address: null, made_at: null, paused_at: null })
        .execute();
      await sql`select pg_notify(${signerChannel}, '')`.execute(db);
      let address: Address | null = null;
      while (address === null) {
        const row = db.selectFrom('embedded_wallet').select('address').where('user_id', '=', user);
        ({ address } = await row.executeTakeFirstOrThrow());
        await sleep(10);
      }
      const wallet = requireBase58(address);
      await on.wire.request({ method: 'requestAirdrop', params: [wallet, 10_000_000_000] }, 5_000);
      on.mine();
      return { user, wallet };
    },
    async wish({ user, wallet }, steps, { expiresIn = 3_600, credential } = {}) {
      const intent_id = randomUUID();
      const none = { error_code: null, error: null };
      const proof = await proofs.signing.prove(
        {
          eid,
          intentId: intent_id,
          userId: user,
          wallet,
          credential: credential ?? null,
          budget: null,
          session: null,
          ownWallets: [wallet],
          acknowledged: null,
          premise: null,
          seenBlock: null,
          steps: steps.map(({ call: { to, data, value = 0n }, gasBound }) => ({
            to,
            data,
            value,
            gasLimit: Number(gasBound),
          })),
        },
        Date.now() / 1000 + expiresIn,
      );
      await db.transaction().execute(async (tx) => {
        const intent = { eid, intent_id, user_id: user, wallet, credential: credential ?? null, ...none };
        const times = {
          signed_at: null,
          ended_at: null,
          expires_at: sql<Date>`now() + ${expiresIn} * interval '1 second'`,
        };
        await tx
          .insertInto('intent')
          .values({ ...intent, ...times, budget_day: null, premise: null, proof })
          .execute();
        for (const [step, { call, gasBound }] of steps.entries()) {
          const { to: to_address, data, value = 0n } = call;
          const unsigned = { nonce: null, hash: null, block_number: null, block_hash: null, gas_paid: null, ...none };
          const row = { eid, intent_id, step, wallet, to_address, value, data, gas_limit: Number(gasBound) };
          await tx
            .insertInto('intent_step')
            .values({ ...row, ...unsigned, description: 'a test' })
            .execute();
        }
        await sql`select pg_notify(${signerChannel}, '')`.execute(tx);
      });
      return intent_id;
    },
    async wishUsd(user, amount, options) {
      return world.wish(user, [await on.client.mintUsd(user.wallet, user.wallet, amount)], options);
    },
    intent: (id) =>
      db
        .selectFrom('intent')
        .select(['status', 'error_code', 'error'])
        .where('intent_id', '=', id)
        .executeTakeFirstOrThrow(),
    steps: (id) =>
      db
        .selectFrom('intent_step')
        .select(['status', 'hash', 'error_code', 'error'])
        .where('intent_id', '=', id)
        .orderBy('step')
        .execute(),
    attempts: (id) =>
      db
        .selectFrom('attempt')
        .select(['hash', 'valid_until_block', 'sent_at'])
        .where('intent_id', '=', id)
        .orderBy('signed_at')
        .execute(),
    dollars: ({ wallet }) => on.client.usdBalance(wallet),
    async mineUntil(condition) {
      while (!(await condition())) {
        on.mine(1);
        await sleep(5);
      }
    },
    ends: (id) => world.mineUntil(async () => !['queued', 'signed'].includes((await world.intent(id)).status)),
    async stop() {
      await world.stopSigner();
      await database.stop();
      await on.stop();
      await proofs.stop();
    },
  };
  return world;
};

const say = (fields: object, message: string): void => {
  if (process.env.SIGNER_LOG === 'yes') console.error(message, fields);
};
