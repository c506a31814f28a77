import { parseArgs } from 'node:util';
import type { Address, Hash } from '@mintage/protocol';
import { type OperationName, operations } from '@mintage/protocol/operations';
import { configFromEnv, handlers, type RunningApi, startApi } from '@mintage/server/api';
import { openDatabase } from '@mintage/server/db';
import { clientsOf } from '@mintage/server/families';
import pg from 'pg';
import { tell } from '../packages/server/src/api/notifications/tell.ts';
import { castVote } from '../packages/server/src/api/people/castVote.ts';
import type { ServiceDatabase } from '../packages/server/src/db/serviceTables.ts';
import { chainContext } from '../packages/server/src/index/chainContext.ts';
import { takeLease } from '../packages/server/src/index/store/lease.ts';
import { Store } from '../packages/server/src/index/store/store.ts';
import { databaseMs } from './databaseTime.ts';
import { type Measured, measure, probe, probeCommit, seeded, timed, written } from './measured.ts';
import { servedChain } from './reads.ts';
import { endsAt, fillBy, filledDatabase } from './readsData.ts';

const full = { users: 100_000, tokens: 1_000, posts: 1_000_000, votes: 10_000_000 };
const most = { calls: 400, ms: 4_000 };

interface Call {
  name: string;
  operation: OperationName;
  input: () => object;
  userId?: () => string;
  /** 99 of 100 within so many milliseconds, in SQL. */
  goalMs: number;
}

/**
 * Feeds, votes and what votes cost the index, at 1 M posts, 10 M votes, 100 k users: time with the database in the handler as it is, and of a
 * live page that holds one transfer: by somebody with 1,000 standing votes, by somebody with none, and while 50 users vote. `--keep` leaves the database for
 * a next run.
 */
export const benchSocial = async (): Promise<void> => {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { keep: { type: 'boolean', default: false }, share: { type: 'string', default: '1' } },
  });
  const share = Number(values.share);
  const size = Object.fromEntries(Object.entries(full).map(([name, count]) => [name, Math.ceil(count * share)]));
  const { posts } = size as typeof full;
  const database = await filledDatabase(values.keep ? `social_${posts}` : null, (url) =>
    fill(url, size as typeof full),
  );
  try {
    await run(database.url);
  } finally {
    await database.stop();
  }
};

const chain = servedChain('base-sepolia');

const fill = async (url: string, size: typeof full): Promise<void> => {
  const started = performance.now();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { eid, slug, dollarToken } = chain.chain;
    await client.query(`create temp table size as select ${size.users}::bigint as users, ${size.tokens}::bigint as tokens,
      ${size.posts}::bigint as posts, ${size.votes}::bigint as votes, '${endsAt}'::timestamptz as ends_at, ${eid}::bigint as eid`);
    await client.query('select make_month($1::timestamptz)', [endsAt]);
    await client.query(
      `insert into chain (eid, slug, usd, usd_decimals, launchpad, indexed, indexed_hash, head, indexed_time, rolled_block, rolled_time,
         status, finalized)
       values ($1, $2, $3, $4, $5, 300000, '0x0', 300000, $6, 300000, $6, 'live', 299000)`,
      [eid, slug, dollarToken.address.toLowerCase(), dollarToken.decimals, chain.deployment.launchpad, endsAt],
    );
    await fillBy(client, 'socialData.sql');
  } finally {
    await client.end();
  }
  console.log(`Generated in ${((performance.now() - started) / 1000).toFixed(0)} s.`);
};

const run = async (url: string): Promise<void> => {
  const plain = new pg.Client({ connectionString: url });
  await plain.connect();
  const db = openDatabase(url, { maxConnections: 4 });
  let api: RunningApi | undefined;
  try {
    const allowed = JSON.stringify({ anonymous: 1e9, authenticated: 1e9, posts: 1e9, votes: 1e9 });
    const config = configFromEnv({ PORT: '0', LOG_LEVEL: 'error', RATE_LIMITS: allowed });
    api = await startApi({ config, db, chains: [chain], createClient: await clientsOf([chain]) });
    api.context.now = () => Date.parse(endsAt);
    console.log(`probe ${(await probe(plain)).toFixed(1)} ms`);
    console.log(`${'least / p50 / p99 ms'.padEnd(42)}${'in SQL'.padStart(26)}`);
    let missed = 0;
    for (const call of await callsOf(plain)) {
      const inSql = await measure(most, () => inDatabase(api as RunningApi, call));
      if (inSql.p99 > call.goalMs) missed += 1;
      print(call.name, inSql, call.goalMs);
    }
    print('limit: one row written and on disk', await probeCommit(plain), null);
    const { none, thousand, amid, limit, told } = await benchTransfers(plain, url, () => api?.stop());
    api = undefined;
    print('page of a transfer, no standing vote', none, null);
    print(`page of a transfer, ${voters} users vote`, amid, null);
    print('page of a transfer, 1,000 standing votes', thousand, null);
    print('limit: 1,000 votes and tallies written', limit, null);
    print('what they changed told, and ranked', told, null);
    const added = thousand.p50 - none.p50;
    console.log(
      `1,000 standing votes add ${added.toFixed(1)} ms to the page (goal 25), ${(added / limit.p50).toFixed(1)} times the writing alone`,
    );
    if (added > 25) missed += 1;
    console.log(`probe ${(await probe(plain)).toFixed(1)} ms`);
    console.log(`goals missed ${missed}`);
  } finally {
    await api?.stop();
    await db.destroy();
    await plain.end();
  }
};

/** Live pages of one transfer each while 50 users vote as fast as they can, for so long at most. */
const voters = 50;
const longestMs = 30_000;

const benchVoters = async (plain: pg.Client, url: string, page: () => Promise<number>): Promise<Measured> => {
  const db = openDatabase(url, { maxConnections: voters }).withTables<ServiceDatabase>();
  const { rows: users } = await plain.query(
    `select user_id, token_id, (select array_agg(target_id) from (select target_id from vote other
       where other.token_id = one.token_id limit 20) few) as targets
     from (select distinct on (user_id) user_id, token_id from vote where token_id is not null order by user_id limit $1) one`,
    [voters],
  );
  let cast = 0;
  const over = new AbortController();
  const until = performance.now() + longestMs;
  const voting = users.map(async ({ user_id: userId, token_id: tokenId, targets }) => {
    while (!over.signal.aborted && performance.now() < until) {
      const target = { type: 'post' as const, id: targets[cast % targets.length] };
      const vote = { userId, target, tokenId, isUp: cast % 3 > 0, at: new Date() };
      await db.transaction().execute((tx) => castVote(tx, vote));
      cast += 1;
    }
  });
  try {
    const measured = await measure({ calls: 200, ms: longestMs }, page);
    console.log(`${cast} votes of ${voters} users meanwhile`);
    return measured;
  } finally {
    over.abort();
    await Promise.all(voting);
    await db.destroy();
  }
};

const print = (name: string, one: Measured, goalMs: number | null): void =>
  console.log(
    name.padEnd(42) +
      written(one).padStart(26) +
      (goalMs !== null && one.p99 > goalMs ? `  goal p99 ${goalMs} missed` : ''),
  );

const inDatabase = async ({ context }: RunningApi, { operation, input, userId }: Call): Promise<number> => {
  const { input: schema } = operations.find(({ name }) => name === operation) as (typeof operations)[number];
  const scopes = ['read', 'social'];
  const caller = userId && { userId: userId(), wallets: [], method: 'apiKey', premium: false, scopes };
  const before = databaseMs();
  const handler: { handle(context: unknown, input: unknown, call: object): Promise<unknown> } = handlers[operation];
  await handler.handle(context, schema.parse(input()), { caller: caller ?? null, requestId: 'bench' });
  return databaseMs() - before;
};

const feed = (name: string, input: () => object, userId?: () => string): Call => ({
  name: `feed ${name}`,
  operation: 'getPosts',
  input: () => ({ limit: 20, ...input() }),
  ...(userId && { userId }),
  goalMs: 15,
});

const callsOf = async (db: pg.Client): Promise<Call[]> => {
  const random = seeded(7);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const sample = async (text: string): Promise<string[]> =>
    (await db.query(text)).rows.map((row) => String(Object.values(row)[0]));
  const users = await sample('select user_id from app_user order by md5(user_id::text) limit 2000');
  const posts = await sample(
    'select post_id from post where token_id is not null order by md5(post_id::text) limit 5000',
  );
  const newest = await sample('select post_id from post order by created_at desc limit 500');
  const talked = await sample(
    'select post_id from post where comments_count > 0 order by comments_count desc limit 500',
  );
  const tokens = await sample('select token_id from hub order by posts_count desc limit 300');
  const one = () => pick(users);
  const voting = (name: string, of: readonly string[]): Call => ({
    name,
    operation: 'vote',
    input: () => ({ target_type: 'post', target_id: pick(of), vote: random() < 0.8 ? 'upvote' : 'downvote' }),
    userId: one,
    goalMs: 5,
  });
  return [
    feed('latest', () => ({})),
    feed('latest, signed in', () => ({}), one),
    feed('latest of a token', () => ({ taggedCoinId: pick(tokens) })),
    feed('latest of an author', () => ({ author_id: pick(users) })),
    feed('latest with a tag', () => ({ hashtag: `tag${Math.floor(random() * 25) * 20}` })),
    feed('latest with pictures', () => ({ with_media: true })),
    feed('following', () => ({ feed: 'following' }), one),
    feed('top of a day', () => ({ feed: 'top' })),
    feed('top of 7 days', () => ({ feed: 'top', window: '7d' })),
    feed('top of all time', () => ({ feed: 'top', window: 'all' })),
    feed('top of a token, 7 days', () => ({ feed: 'top', window: '7d', taggedCoinId: pick(tokens) })),
    feed('top of a token, all time', () => ({ feed: 'top', window: 'all', taggedCoinId: pick(tokens) })),
    feed('comments of a post', () => ({ parent_id: pick(talked) })),
    voting('vote on any post', posts),
    voting('vote on one of the newest', newest),
    {
      name: 'voters of a post',
      operation: 'getVotes',
      input: () => ({ target_type: 'post', target_id: pick(posts) }),
      goalMs: 15,
    },
  ];
};

/** What writing alone costs: the votes of a holder and their tallies, changed by their keys. */
const writeThousand = (plain: pg.Client, wallet: Address): Promise<number> =>
  timed(async () => {
    const own = `select vote_id, target_id from vote join voter_wallet using (voter_id) where wallet = $1`;
    await plain.query('begin; set local synchronous_commit = off');
    await plain.query(`update vote set weight = weight - 1 from (${own}) own where vote.vote_id = own.vote_id`, [
      wallet,
    ]);
    await plain.query(
      `update tally set up_weight = up_weight - 1 from (${own}) own
       where target_type = 'post' and tally.target_id = own.target_id`,
      [wallet],
    );
    await plain.query('commit');
  });

interface Transfers {
  none: Measured;
  thousand: Measured;
  amid: Measured;
  /** The rows that a page of the second kind changes, changed by their keys and nothing else. */
  limit: Measured;
  /** What such a page changed, told by whoever serves the API. */
  told: Measured;
}

/** Live pages of one transfer each: by a holder without votes, by one with a thousand, and by the first while others vote. */
const benchTransfers = async (plain: pg.Client, url: string, stopApi: () => unknown): Promise<Transfers> => {
  const db = openDatabase(url, { maxConnections: 4 });
  const busiest =
    await plain.query(`select token.address as token, wallet, count(*) as votes from vote join voter_wallet using (voter_id)
    join token using (token_id) where token.name = 'Token 0' group by 1, 2 order by 3 desc limit 1`);
  const token = busiest.rows[0].token as Address;
  const quiet: Address = `0x${'d'.repeat(40)}`;
  const loud = busiest.rows[0].wallet as Address;
  console.log(`${busiest.rows[0].votes} standing votes of one holder`);
  await plain.query(
    `insert into balance (eid, token, wallet, amount, first_acquired, updated_at)
     select $1, $2, wallet, 1e24, now(), now() from unnest($3::text[]) wallet
     on conflict do nothing`,
    [chain.chain.eid, token, [quiet, loud]],
  );
  const owner = 'bench';
  await takeLease(db, chain.chain.eid, owner);
  const store = new Store(db, chainContext(chain), owner);
  const position = await store.position();
  const time = Date.parse(endsAt) / 1_000;
  const page = async (from: Address): Promise<number> => {
    const number = position.number + 1;
    const hash: Hash = `0x${number}`;
    const header = { number, hash, parentHash: position.hash as Hash, timestamp: time + number - 300_000 };
    const at = { block: number, blockHash: hash, txHash: hash, logIndex: 0, time: new Date(header.timestamp * 1_000) };
    const amount = 10n ** 18n;
    const to: Address = `0x${'e'.repeat(40)}`;
    const events = [{ name: 'Transfer' as const, at, token, from, to, amount }];
    const started = performance.now();
    await store.apply(position, {
      type: 'block',
      from: number,
      to: header,
      headers: [header],
      events,
      head: number,
      finalized: number - 64,
      pace: null,
    });
    return performance.now() - started;
  };
  try {
    const none = await measure({ calls: 200, ms: 20_000 }, () => page(quiet));
    const thousand = await measure({ calls: 200, ms: 20_000 }, () => page(loud));
    const amid = await benchVoters(plain, url, () => page(quiet));
    // Whoever tells would tell it first.
    await stopApi();
    let seconds = 0;
    const tellAll = async (): Promise<void> => {
      seconds += 2;
      const now = () => Date.now() + seconds * 1_000;
      const service = db.withTables<ServiceDatabase>();
      for (let isMore = true; isMore; ) {
        const { isMore: more, errors } = await tell({ db: service, now });
        if (errors.length > 0) throw errors[0];
        isMore = more;
      }
    };
    const told = await measure({ calls: 20, ms: 10_000 }, async () => {
      await page(loud);
      return timed(tellAll);
    });
    const limit = await measure({ calls: 50, ms: 10_000 }, () => writeThousand(plain, loud));
    return { none, thousand, amid, limit, told };
  } finally {
    await db.destroy();
  }
};
