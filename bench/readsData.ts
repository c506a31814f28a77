import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { chainBySlug } from '@mintage/protocol';
import { migrate, openDatabase } from '@mintage/server/db';
import pg from 'pg';

/** How much is generated. */
export interface ReadsSize {
  /** Buys, sells and some gifts. */
  events: number;
  tokens: number;
  wallets: number;
}

export const fullSize: ReadsSize = { events: 1_020_000, tokens: 10_000, wallets: 100_000 };

/** The newest block of every chain in the generated data. */
export const endsAt = '2026-06-01T00:00:00Z';
/** Both dollars: six and eighteen decimals. */
export const readsChains = ['base-sepolia', 'base', 'bnb'] as const;
export const treasury = `0x${'7e'.repeat(20)}`;

export interface FilledDatabase {
  url: string;
  /** Drops it, unless it is kept. */
  stop(): Promise<void>;
}

/** A database with 30 days of generated trades and everything that follows from them; see `filledDatabase`. */
export const readsDatabase = (size: ReadsSize, keep: boolean): Promise<FilledDatabase> =>
  filledDatabase(keep ? `reads_${size.events}` : null, (url) => fillReadsData(url, size));

/**
 * A generated database: on the server of `TEST_DATABASE_URL`, else on one at loopback port 5432 that lets the current user in, else
 * on an embedded one.
 *
 * @param kept - Leave it on the server under this name, and take the one that an earlier call left. Null: it goes.
 * @param fill - Generates the data in an empty database with all tables.
 */
export const filledDatabase = async (
  kept: string | null,
  fill: (url: string) => Promise<void>,
): Promise<FilledDatabase> => {
  const server = await findServer();
  if (server === null) {
    const database = await testDatabase();
    await fill(database.url);
    return database;
  }
  const name = `mintage_bench_${kept ?? randomUUID().replaceAll('-', '')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  const drop = () => statement(server, `drop database if exists ${name} with (force)`);
  const { rowCount } = await statement(server, `select from pg_database where datname = '${name}'`);
  if (rowCount === 0) {
    try {
      await statement(server, `create database ${name}`);
      const db = openDatabase(url.href);
      await migrate(db);
      await db.destroy();
      await fill(url.href);
    } catch (error) {
      await drop();
      throw error;
    }
  }
  return {
    url: url.href,
    stop: async () => {
      if (kept === null) await drop();
    },
  };
};

const findServer = async (): Promise<string | null> => {
  const user = userInfo().username;
  const given = process.env.TEST_DATABASE_URL;
  const candidates = given ? [given] : [user, 'postgres'].map((name) => `postgres://${user}@127.0.0.1:5432/${name}`);
  for (const url of candidates) {
    const allowed = await statement(url, 'select').then(
      () => true,
      () => false,
    );
    if (allowed) return url;
  }
  return null;
};

const statement = async (url: string, text: string): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
};

/** Generates the data in an empty database with all tables. */
export const fillReadsData = async (url: string, { events, tokens, wallets }: ReadsSize): Promise<void> => {
  const started = performance.now();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `create temp table size as select ${events}::bigint as events, ${tokens}::bigint as tokens,
         ${wallets}::bigint as wallets, '${endsAt}'::timestamptz as ends_at;
       create temp table network (eid bigint, name text)`,
    );
    for (const [index, slug] of readsChains.entries()) {
      const { eid, testnet, dollarToken } = chainBySlug(slug);
      await client.query(
        `insert into chain (eid, slug, usd, usd_decimals, launchpad, treasury, indexed, head, indexed_time,
           rolled_block, rolled_time, status)
         values ($1, $2, $3, $4, $5, $6, 300000, 300000, $7, 300000, $7, 'live')`,
        [eid, slug, dollarToken.address.toLowerCase(), dollarToken.decimals, launchpad(index), treasury, endsAt],
      );
      await client.query('insert into network values ($1, $2)', [eid, testnet ? 'testnet' : 'mainnet']);
    }
    await fillBy(client, 'readsData.sql');
  } finally {
    await client.end();
  }
  console.log(`Generated in ${((performance.now() - started) / 1000).toFixed(0)} s.`);
};

const launchpad = (index: number): string => `0x${String(index + 1).padStart(40, '0')}`;

/** Runs a file of SQL that lies beside this one, after `draws.sql`; each paragraph is a transaction. */
export const fillBy = async (client: pg.Client, name: string): Promise<void> => {
  for (const file of ['draws.sql', name]) {
    const text = await readFile(new URL(file, import.meta.url), 'utf8');
    for (const part of text.split('\n\n')) {
      const began = performance.now();
      await client.query(part);
      if (process.env.VERBOSE) console.log(`${Math.round(performance.now() - began)} ms ${part.slice(0, 80)}`);
    }
  }
  await client.query('vacuum analyze');
};
