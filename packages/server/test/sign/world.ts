import { randomBytes, randomUUID } from 'node:crypto';
import { type DevChain, startChains } from '@mintage/devnet';
import { type TestAccounts, testAccounts } from '@mintage/devnet/testAccounts';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { until } from '@mintage/devnet/until';
import type { Slug } from '@mintage/protocol';
import { sql } from 'kysely';
import { type Hex, numberToHex } from 'viem';
import {
  type AcknowledgedFigures,
  type Premise,
  type SignerDatabase,
  type StepStatus,
  signerChannel,
} from '../../src/db/signerTables.ts';
import { signingOf } from '../../src/families.ts';
import { type KeyEncryption, memoryKek } from '../../src/keys/keys.ts';
import type { Db } from '../../src/sign/context.ts';
import { type ServedChain, type Signer, type SignerConfig, startSigner } from '../../src/sign/signer.ts';
import { type Proofs, startProofs } from './proofs.ts';

export interface WishedStep {
  to: Hex;
  value?: bigint;
  data?: Hex;
  gas?: number;
}

export interface Wish {
  chain: DevChain;
  user: string;
  wallet: Hex;
  steps: readonly WishedStep[];
  credential?: string;
  /** Seconds from now; an hour when absent. */
  expiresIn?: number;
  acknowledged?: AcknowledgedFigures;
  /** The state that the steps were made from. */
  premise?: Premise;
}

/** A line that a signer logged. */
export interface Logged {
  level: 'info' | 'warn' | 'error';
  message: string;
  fields: Record<string, unknown>;
}

/** Real local chains that move only when told to, a real database, and signers on them. */
export interface World {
  chains: DevChain[];
  db: Db;
  /** The signers use that of their role. */
  accounts: TestAccounts;
  databaseUrl: string;
  kek: Uint8Array;
  keys: KeyEncryption;
  proofs: Proofs;
  logged: Logged[];
  /** A signer that `stop` ends too. */
  signer(served?: readonly ServedChain[], options?: Partial<SignerConfig>): Promise<Signer>;
  served(chain: DevChain, rpcUrls?: readonly string[]): ServedChain;
  /** A user with an embedded wallet and native coin on every chain. Needs a signer. */
  newWallet(): Promise<{ user: string; wallet: Hex }>;
  /** Says of the index that it is ahead of everything on this chain: orders are judged by it, and it has no tokens. */
  emptyIndex(chain: DevChain): Promise<void>;
  /** Does what the api does. @returns The intent's id. */
  wish(wish: Wish): Promise<string>;
  intent(id: string): Promise<{ status: string; error_code: string | null; error: string | null }>;
  steps(id: string): Promise<{ status: StepStatus; nonce: number | null; hash: Hex | null; error: string | null }[]>;
  /** Mines a block on every chain again and again, until the condition holds. */
  mineUntil(condition: () => Promise<boolean>): Promise<void>;
  stop(): Promise<void>;
}

export const finalityBlocks = 3;
const pollMs = 25;

export const startWorld = async (slugs: readonly Slug[] = ['base-sepolia']): Promise<World> => {
  const [{ chains, stop: stopChains }, database] = await Promise.all([
    startChains(slugs, { heartbeat: false, keptStates: 1000 }),
    testDatabase(),
  ]);
  for (const chain of chains) {
    await chain.rpc('evm_setAutomine', [false]);
    await chain.rpc('anvil_mine', [numberToHex(5)]); // nothing below can be undone: it came from a file
  }
  const accounts = await testAccounts(database);
  const db: Db = database.db.withTables<SignerDatabase>();
  const kek = randomBytes(32);
  const keys = memoryKek(kek);
  const proofs = await startProofs();
  const { intents, signingLog } = proofs;
  const logged: Logged[] = [];
  const signers: Signer[] = [];
  const line =
    (level: Logged['level']) =>
    (fields: object, message: string): void => {
      logged.push({ level, message, fields: { ...fields } });
      if (process.env.SIGNER_LOG === 'yes') console.error(level, message, fields);
    };
  const log = { info: line('info'), warn: line('warn'), error: line('error') };

  const world: World = {
    chains,
    db,
    accounts,
    databaseUrl: database.url,
    kek,
    keys,
    proofs,
    logged,
    served: ({ chain, deployment, rpcUrl }, rpcUrls = [rpcUrl]) => ({
      chain,
      deployment,
      rpcUrls,
      finalityBlocks: { index: finalityBlocks, sign: finalityBlocks },
    }),
    async signer(served = chains.map((chain) => world.served(chain)), options = {}) {
      const families = await signingOf(served);
      const context = { db: accounts.signer.db, keys, intents, signingLog, log, pollMs };
      const signer = await startSigner({ ...context, chains: served, families, ...options });
      signers.push(signer);
      return signer;
    },
    async newWallet() {
      const user = randomUUID();
      await db
        .insertInto('embedded_wallet')
        .values({ user_id: user, chain_type: 'evm', address: null, made_at: null, paused_at: null })
        .execute();
      await sql`select pg_notify(${signerChannel}, '')`.execute(db);
      let wallet: Hex | null = null;
      await until(async () => {
        const row = await db
          .selectFrom('embedded_wallet')
          .select('address')
          .where('user_id', '=', user)
          .executeTakeFirstOrThrow();
        wallet = row.address as Hex | null;
        return wallet !== null;
      });
      for (const chain of chains) await chain.rpc('anvil_setBalance', [wallet, numberToHex(10n ** 20n)]);
      return { user, wallet: wallet as unknown as Hex };
    },
    async emptyIndex({ chain: { slug, eid }, deployment: { usd, usdDecimals, launchpad, poolManager } }) {
      await sql`insert into chain (eid, slug, usd, usd_decimals, launchpad, pool_manager, indexed)
        values (${eid}, ${slug}, ${usd}, ${usdDecimals}, ${launchpad}, ${poolManager}, ${2 ** 40})`.execute(db);
    },
    async wish({ chain, user, wallet, steps, credential, expiresIn = 3600, acknowledged, premise }) {
      const id = randomUUID();
      const { eid } = chain.chain;
      const proof = await proofs.signing.prove(
        {
          eid,
          intentId: id,
          userId: user,
          wallet,
          credential: credential ?? null,
          budget: null,
          session: null,
          ownWallets: [wallet],
          acknowledged: acknowledged ?? null,
          premise: premise ?? null,
          seenBlock: null,
          steps: steps.map(({ to, value = 0n, data = '0x', gas = 100_000 }) => ({ to, value, data, gasLimit: gas })),
        },
        Date.now() / 1000 + expiresIn,
      );
      await db.transaction().execute(async (tx) => {
        await tx
          .insertInto('intent')
          .values({
            eid,
            intent_id: id,
            user_id: user,
            wallet,
            credential: credential ?? null,
            error_code: null,
            error: null,
            budget_day: null,
            premise: premise === undefined ? null : JSON.stringify(premise),
            proof,
            signed_at: null,
            ended_at: null,
            acknowledged: acknowledged === undefined ? null : JSON.stringify(acknowledged),
            expires_at: sql<Date>`now() + ${expiresIn} * interval '1 second'`,
          })
          .execute();
        await tx
          .insertInto('intent_step')
          .values(
            steps.map(({ to, value = 0n, data = '0x', gas = 100_000 }, step) => ({
              eid,
              intent_id: id,
              step,
              wallet,
              to_address: to,
              value,
              data,
              gas_limit: gas,
              description: 'a test',
              nonce: null,
              hash: null,
              block_number: null,
              block_hash: null,
              gas_paid: null,
              error_code: null,
              error: null,
            })),
          )
          .execute();
        await sql`select pg_notify(${signerChannel}, '')`.execute(tx);
      });
      return id;
    },
    intent: (id) =>
      db
        .selectFrom('intent')
        .select(['status', 'error_code', 'error'])
        .where('intent_id', '=', id)
        .executeTakeFirstOrThrow(),
    steps: async (id) =>
      (await db
        .selectFrom('intent_step')
        .select(['status', 'nonce', 'hash', 'error'])
        .where('intent_id', '=', id)
        .orderBy('step')
        .execute()) as Awaited<ReturnType<World['steps']>>,
    async mineUntil(condition) {
      await until(async () => {
        for (const chain of chains) await chain.rpc('evm_mine');
        return condition();
      });
    },
    async stop() {
      await Promise.all(signers.map((signer) => signer.stop()));
      await accounts.stop();
      await database.stop();
      await stopChains();
      await proofs.stop();
    },
  };
  return world;
};

/** An address that nobody has used. */
export const newAddress = (): Hex => `0x${randomBytes(20).toString('hex')}`;

export const balanceOf = async (chain: DevChain, address: Hex): Promise<bigint> =>
  BigInt((await chain.rpc('eth_getBalance', [address, 'latest'])) as string);
