import { parseArgs } from 'node:util';
import { type OperationName, operations } from '@mintage/protocol/operations';
import { configFromEnv, handlers, type RunningApi, startApi } from '@mintage/server/api';
import { openDatabase } from '@mintage/server/db';
import { clientsOf } from '@mintage/server/families';
import pg from 'pg';
import { databaseCpuMs } from './databaseCpu.ts';
import { servedChain } from './reads.ts';
import { type FilledDatabase, filledDatabase, fillReadsData, readsChains } from './readsData.ts';

const size = { events: 300_000, tokens: 1_000_000, wallets: 100_000 };

/** What one call may cost, milliseconds of the database's CPU. */
const limitMs = 20;
/** Calls with an input, of which the least counts: what it costs when nothing else empties the caches meanwhile. */
const calls = 4;

interface Case {
  name: string;
  operation: OperationName;
  inputs: readonly object[];
}

/**
 * CPU of the database for what a stranger may ask, at a million tokens: every search with the dearest texts in all orders and filters, and
 * every other public read with its dearest input. `--keep` leaves the database for a next run, `--only TEXT` measures those whose name has it.
 */
export const benchAnonymous = async (): Promise<void> => {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { keep: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
  });
  const database = await millionTokens(values.keep);
  const plain = new pg.Client({ connectionString: database.url });
  await plain.connect();
  const db = openDatabase(database.url, { maxConnections: 4 });
  let api: RunningApi | undefined;
  try {
    const config = configFromEnv({ PORT: '0', LOG_LEVEL: 'error' });
    const chains = readsChains.map(servedChain);
    api = await startApi({ config, db, chains, createClient: await clientsOf(chains) });
    const { context } = api;
    const cases = [peer, ...(await casesOf(plain)).filter(({ name }) => name.includes(values.only))];
    const dearest: Measured[] = [];
    console.log(
      `| ${'read'.padEnd(44)} | dearest, ms | mean, ms | most by the peer | dearest input |\n|---|---|---|---|---|`,
    );
    let ofPeer = Number.NaN;
    for (const one of cases) {
      const measured = await measure(plain, context, one);
      if (one === peer) ofPeer = measured.mean;
      dearest.push(measured);
      const { most, mean, input } = measured;
      const figures = [most.toFixed(1), mean.toFixed(1), (most / ofPeer).toFixed(1)].map((text) => text.padStart(8));
      console.log(`| ${one.name.padEnd(44)} | ${figures.join(' | ')} | ${JSON.stringify(input).slice(0, 110)} |`);
    }
    const over = dearest.filter(({ most }) => most > limitMs);
    console.log(`over ${limitMs} ms: ${over.length} of ${dearest.length}`);
    console.log(`ratio ${(Math.max(...dearest.map(({ most }) => most)) / ofPeer).toFixed(1)}`);
  } finally {
    await api?.stop();
    await db.destroy();
    await plain.end();
    await database.stop();
  }
};

/** A page of a list by its order, which nothing is sought in. */
const peer: Case = {
  name: 'list by volume, 100',
  operation: 'getTokensV2',
  inputs: [{ order_by: 'volume_24h', limit: 100 }],
};

interface Measured {
  most: number;
  mean: number;
  input: object;
}

const measure = async (plain: pg.Client, context: RunningApi['context'], { operation, inputs }: Case) => {
  const { input: schema } = operations.find(({ name }) => name === operation) as (typeof operations)[number];
  const handler: { handle(context: object, input: unknown, call: object): Promise<unknown> } = handlers[operation];
  const once = (input: object) =>
    handler.handle(context, schema.parse(input), { caller: null, requestId: 'bench' }).catch((error: Error) => {
      if ('code' in error && ['USER_NOT_FOUND', 'INVALID_PARAMETERS'].includes(String(error.code))) return;
      throw error;
    });
  const costs: Measured[] = [];
  for (const input of inputs) {
    await once(input);
    const taken: number[] = [];
    for (let i = 0; i < calls; i += 1) {
      const before = await databaseCpuMs(plain);
      await once(input);
      taken.push((await databaseCpuMs(plain)) - before);
    }
    const cost = Math.min(...taken);
    costs.push({ most: cost, mean: cost, input });
  }
  const most = costs.reduce((one, other) => (other.most > one.most ? other : one));
  return { ...most, mean: costs.reduce((sum, { mean }) => sum + mean, 0) / costs.length };
};

const millionTokens = (keep: boolean): Promise<FilledDatabase> =>
  filledDatabase(keep ? 'million' : null, async (url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query(`select pg_get_indexdef('token_search_by_terms'::regclass) as made`);
      await client.query(`${triggers('disable')} drop index token_search_by_terms`);
      await fillReadsData(url, size);
      // All at once, where rows that come one by one would take a quarter of an hour.
      await client.query('insert into token_search select found.* from token, search_row(token.token_id) found');
      await client.query(
        `${rows[0].made}; alter index token_search_by_terms alter column 1 set statistics 0; ${triggers('enable')}`,
      );
      for (const text of hostile) await client.query(text);
      await client.query('vacuum analyze');
    } finally {
      await client.end();
    }
  });

const triggers = (what: string): string =>
  ['token', 'token_draft'].map((table) => `alter table ${table} ${what} trigger user;`).join('');

/** Words and a builder that are on few tokens, all of them at the end of every order. */
const hostile = [
  `update token_draft set description = description || ' zebra'
   where token_id in (select token_id from token order by holders, token_id limit 30000)`,
  `update token_draft set description = description || ' quokka'
   where token_id in (select token_id from token order by holders, token_id desc limit 6000)`,
  `update token_draft set builder = '0x' || repeat('b1', 20)
   where token_id in (select token_id from token where eid = 40245 order by holders limit 20000)`,
];

const texts: Record<string, string> = {
  'one letter': 'a',
  'a rare letter': 'z',
  'a letter that no text has': 'ж',
  'two letters': 'to',
  'two rare letters': 'zq',
  'a word of every text': 'the',
  'a common word': 'fox',
  'a word at the end of every order': 'zebra',
  'a rarer one': 'quokka',
  'a name': 'paper boat 123456',
  'the end of many names': '777',
  'common parts, no text': 'the fox and the otter',
  'parts of different texts': 'foxowl',
  'all parts common, no text': 'theandthe one',
  none: 'nothing has this',
  wildcards: '%_%',
  'a wildcard': '_',
  backslashes: '\\\\\\',
  Unicode: '猫の手も借りたい',
  'one character': '🦊',
  long: 'the one and only paper boat. a token for those who like a boat and nothing else, a token for those who like a boat and no fox',
  'long and of one letter': 'a'.repeat(128),
  'an address': `0x${'ab'.repeat(20)}`,
  'a platform id': `0x${'ab'.repeat(32)}`,
  'a space between': 'a b',
};

const orders = ['created_at', 'holders', 'volume_24h', 'price_change_24h', 'market_cap', 'trx'] as const;
const filters: object[] = [
  {},
  { limit: 100 },
  { order_direction: 'ASC' },
  { offset: 10_000 },
  { stage: 'graduated' },
  { stage: 'graduating', order_direction: 'ASC' },
  { chains: ['base-sepolia'] },
  { builder_code: `0x${'b1'.repeat(20)}` },
  { hashtags: ['meme'] },
  { hashtags: ['ai', 'fox'] },
  { verified_only: true },
];
/** Every filter once, each in another order, and every order. */
const searches = (keyword?: string): object[] => [
  ...orders.map((order_by) => ({ keyword, order_by })),
  ...filters.flatMap((filter, at) => [
    { keyword, order_by: orders[at % orders.length], ...filter },
    { keyword, order_by: orders[(at + 2) % orders.length], ...filter },
  ]),
];

const read = (name: string, operation: OperationName, ...inputs: object[]): Case => ({ name, operation, inputs });

const casesOf = async (db: pg.Client): Promise<Case[]> => {
  const one = async (text: string): Promise<string> => Object.values((await db.query(text)).rows[0])[0] as string;
  const token_id = await one('select token_id from token order by trades desc limit 1');
  const wallet = await one('select wallet from trader order by trades desc limit 1');
  const user = await one('select user_id from user_wallet limit 1');
  const tokens = (await db.query('select token_id from token order by trades desc limit 100')).rows.map(
    (row) => row.token_id,
  );
  const page = { limit: 100, offset: 10_000 };
  const all = Object.values(texts);
  return [
    ...Object.entries(texts).map(([what, keyword]) => read(`tokens by ${what}`, 'getTokensV2', ...searches(keyword))),
    read('tokens by filters alone', 'getTokensV2', ...searches()),
    ...(['activity', 'members', 'posts', 'created_at'] as const).map((order_by) =>
      read(`hubs by ${order_by}, any text`, 'getHubs', ...all.map((keyword) => ({ keyword, order_by }))),
    ),
    read('search of a token, any text', 'searchToken', ...all.map((input) => ({ input }))),
    read(
      'tokens of the older list',
      'getTokens',
      ...['trending', 'new', 'popular', 'top_posts'].flatMap((filter) =>
        [{}, { hashtag_name: 'meme' }, { hashtag_name: 'ai' }, { hashtag_name: 'none' }, { offset: 10_000 }].map(
          (more) => ({ filter, ...more }),
        ),
      ),
    ),
    read('leaderboard', 'getLeaderboard', {}, { limit: 1000, offset: 10_000 }, { period: '7d' }),
    read('market summary', 'getMarketSummary', {}, { chains: ['base'] }),
    read('sparklines', 'getSparklines', { token_ids: tokens }),
    read('about a token', 'getTokenAbout', { token_id }),
    read('stats', 'getTokenStats', { token_id }),
    read('facts', 'getTokenFacts', { token_id }),
    ...(['1m', '5m', '1h', '1d'] as const).map((candle_interval) =>
      read(
        `candles of ${candle_interval}`,
        'getTokenCandles',
        { token_id, candle_interval, limit: 1000 },
        { token_id, candle_interval, limit: 1000, offset: 10_000 },
      ),
    ),
    read('trades of a token', 'getTokenTrades', { token_id }, { token_id, ...page }),
    read('transfers of a token', 'getTokenTransfers', { token_id }, { token_id, ...page }),
    read('activity of a token', 'getTokenActivity', { token_id }, { token_id, ...page }),
    read('holders of a token', 'getTokenHolders', { token_id }, { token_id, ...page }),
    read('trades of a wallet', 'getWalletTrades', { wallet }, { wallet, ...page }),
    read('a user', 'getUser', { user_id: user }),
    read('tokens of a user', 'getUserTokens', { user_id: user, kind: 'created' }),
    read('followers', 'getFollowers', { user_id: user }),
    read('a name', 'checkUsername', { username: 'alice' }),
    read('a hub', 'getHub', { token_id }),
    read('members of a hub', 'getHubMembers', { token_id }),
    read('posts', 'getPosts', {}, { feed: 'top', window: 'all' }, { hashtag: 'meme' }),
    read('votes', 'getVotes', { target_type: 'token', target_id: token_id }),
  ];
};
