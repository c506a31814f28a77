import { parseArgs } from 'node:util';
import { chainBySlug, type EvmDeployment } from '@mintage/protocol';
import { type OperationName, operations, tokenOrders } from '@mintage/protocol/operations';
import { addApiKey, configFromEnv, handlers, type RunningApi, startApi, userOfWallet } from '@mintage/server/api';
import { openDatabase } from '@mintage/server/db';
import { clientsOf } from '@mintage/server/families';
import pg from 'pg';
import { databaseMs } from './databaseTime.ts';
import { type Measured, measure, probe, seeded, timed, written } from './measured.ts';
import { endsAt, fullSize, readsChains, readsDatabase, treasury } from './readsData.ts';

/** One read: what is asked, who asks, what it should cost, and the same by adding trades up. */
interface Read {
  name: string;
  operation: OperationName;
  input: () => object;
  /** Wallets of whoever asks; absent: nobody. */
  asker?: () => Asker;
  /** In SQL. */
  goalMs?: { p50?: number; p99: number };
  naive?: { text: string; values: () => unknown[] };
}

interface Asker {
  wallet: `0x${string}`;
  key: string;
}

/** At most so many calls of one read, and so long. */
const most = { calls: 400, ms: 3_000 };
const mostNaive = { calls: 40, ms: 3_000 };
const ratioOf = 'list by volume_24h';

/**
 * The reads at the size of a busy launchpad: 1 M trades, 10 k tokens, 100 k wallets. For each: time with the database in
 * the handler as it is, time of the whole call over HTTP, and the time of SQL that adds trades up instead. `--keep` leaves
 * the database for a next run, `--only TEXT` measures those whose name has it.
 */
export const benchReads = async (): Promise<void> => {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { keep: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
  });
  const database = await readsDatabase(fullSize, values.keep);
  try {
    await run(database.url, values.only);
  } finally {
    await database.stop();
  }
};

const run = async (url: string, only: string): Promise<void> => {
  const plain = new pg.Client({ connectionString: url });
  await plain.connect();
  const db = openDatabase(url, { maxConnections: 4 });
  let api: RunningApi | undefined;
  try {
    const allowed = JSON.stringify({ anonymous: 1e9, authenticated: 1e9 });
    const config = configFromEnv({ PORT: '0', LOG_LEVEL: 'error', RATE_LIMITS: allowed });
    const chains = readsChains.map(servedChain);
    api = await startApi({ config, db, chains, createClient: await clientsOf(chains) });
    const reads = (await readsOf(plain, api)).filter(({ name }) => name.includes(only));
    console.log(
      `probe ${(await probe(plain)).toFixed(1)} ms (the same query before and after: how busy the machine is)`,
    );
    console.log(
      `${'least / p50 / p99 ms'.padEnd(38)}${['in SQL', 'over HTTP', 'added up'].map((one) => one.padStart(26)).join('')}`,
    );
    let ratio = Number.NaN;
    let missed = 0;
    for (const read of reads) {
      const inSql = await measure(most, () => inDatabase(api as RunningApi, read));
      const overHttp = await measure(most, () => overNetwork(api as RunningApi, read));
      const { naive } = read;
      const addedUp = naive && (await measure(mostNaive, () => timed(() => plain.query(naive.text, naive.values()))));
      const misses = missesOf(read, inSql);
      if (misses !== '') missed += 1;
      const times = addedUp === undefined ? '' : `${(addedUp.p50 / inSql.p50).toFixed(0)}x`;
      console.log(
        read.name.padEnd(38) +
          [inSql, overHttp, addedUp].map((one) => written(one).padStart(26)).join('') +
          times.padStart(8) +
          misses,
      );
      if (read.name === ratioOf && addedUp !== undefined) ratio = addedUp.p50 / inSql.p50;
    }
    console.log(`probe ${(await probe(plain)).toFixed(1)} ms`);
    console.log(`goals missed ${missed}`);
    console.log(`ratio ${ratio.toFixed(1)}`);
  } finally {
    await api?.stop();
    await db.destroy();
    await plain.end();
  }
};

export const servedChain = (slug: (typeof readsChains)[number]) => {
  const chain = chainBySlug(slug);
  const { address, symbol, decimals } = chain.dollarToken;
  const deployment = {
    chainId: chain.chainId,
    usd: address,
    usdSymbol: symbol,
    usdDecimals: decimals,
    launchpad: treasury,
    poolManager: treasury,
    venue: 'uniswap_v4',
    exchange: null,
    tokenBridge: null,
  } as unknown as EvmDeployment;
  // Nothing of what is measured asks a chain.
  return { chain, deployment, rpcUrls: ['http://127.0.0.1:1'] };
};

const readsOf = async (db: pg.Client, api: RunningApi): Promise<Read[]> => {
  const random = seeded(7);
  const sample = async (text: string): Promise<`0x${string}`[]> =>
    (await db.query(text)).rows.map((row) => Object.values(row)[0] as `0x${string}`);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const often = <T>(list: readonly T[]) => list[Math.floor(Math.exp(random() * Math.log(list.length))) - 1] as T;

  const tokens = await sample('select address from token order by trades desc, address');
  const traders = await sample(
    `select wallet from trader where not ${isPerson('wallet')} group by wallet order by sum(trades) desc, wallet`,
  );
  const heaviest = await signUp(api, traders.slice(0, 1));
  const busy = await signUp(
    api,
    Array.from({ length: 200 }, () => often(traders.slice(1))),
  );
  const recipients = await sample(`select recipient from fee_sum where recipient <> '${treasury}'
    and not ${isPerson('recipient')} group by recipient order by sum(credits) desc, recipient`);
  const paid = await signUp(
    api,
    Array.from({ length: 100 }, () => often(recipients)),
  );
  const bestPaid = await signUp(api, recipients.slice(0, 1));
  const [bestPaidOne, heaviestOne] = [bestPaid[0], heaviest[0]] as [Asker, Asker];

  const dayAgo = new Date(Date.parse(endsAt) - 86_400_000);
  const weekAgo = new Date(Date.parse(endsAt) - 7 * 86_400_000);
  const monthAgo = new Date(Date.parse(endsAt) - 30 * 86_400_000);
  const dollars = `gross_usd * 10::numeric ^ (18 - usd_decimals)`;
  const listed = 'select t.address, t.name, t.symbol, v.measure from token t join (';
  const naiveOrders: Record<string, string> = {
    volume_24h: `${listed} select eid, token, sum(${dollars}) measure from trade join chain using (eid)
      where time > $1 group by 1, 2) v on v.eid = t.eid and v.token = t.address order by v.measure desc limit 50`,
    trx: `${listed} select eid, token, count(*) measure from trade where time <= $1 or time > $1 group by 1, 2) v
      on v.eid = t.eid and v.token = t.address order by v.measure desc limit 50`,
    holders: `${listed} select eid, token, count(*) measure from (select eid, token, trader from trade
        where time <= $1 or time > $1 group by 1, 2, 3
        having sum(case side when 'buy' then tokens else -tokens end) > 0) held group by 1, 2) v
      on v.eid = t.eid and v.token = t.address order by v.measure desc limit 50`,
  };
  const naivePortfolio = (asker: () => Asker) => ({
    text: `select t.name, sum(case side when 'buy' then tokens else -tokens end) as held, t.price_usd18
      from trade join token t on t.eid = trade.eid and t.address = trade.token
      where trade.eid = any('{40245,30184,30102}') and trader = $1 group by t.eid, t.address order by 2 desc limit 500`,
    values: () => [asker().wallet],
  });
  const naiveLeaders = (since: string) => ({
    text: `select recipient, sum(amount * 10::numeric ^ (18 - usd_decimals)) earned from fee_credit join chain using (eid)
      where recipient is distinct from treasury ${since} group by 1 order by 2 desc limit 100`,
    values: () => (since === '' ? [] : [weekAgo]),
  });
  const naiveCandles = (seconds: number, limit: number) => ({
    text: `select floor(extract(epoch from time) / ${seconds}) as bucket, (array_agg(price_usd18 order by block_number, log_index))[1],
        max(price_usd18), min(price_usd18), (array_agg(price_usd18 order by block_number desc, log_index desc))[1], sum(gross_usd)
      from trade where token = $1 and eid = any('{40245,30184,30102}') group by 1 order by 1 desc limit ${limit}`,
    values: () => [often(tokens)],
  });
  const naiveHistory = (asker: () => Asker, kind = '') => ({
    text: `select *, (select count(*) from fee_credit where recipient = $1 and eid = any('{40245,30184,30102}') ${kind})
      from fee_credit where recipient = $1 and eid = any('{40245,30184,30102}') ${kind} order by time desc limit 50`,
    values: () => [asker().wallet],
  });
  const askBusy = () => pick(busy);
  const askHeaviest = () => heaviestOne;
  const askPaid = () => pick(paid);
  const askBestPaid = () => bestPaidOne;

  return [
    ...tokenOrders.map((order_by): Read => {
      const text = naiveOrders[order_by];
      return {
        name: `list by ${order_by}`,
        operation: 'getTokensV2',
        input: () => ({ order_by, limit: 50 }),
        goalMs: { p50: 1, p99: 5 },
        ...(text && { naive: { text, values: () => [dayAgo] } }),
      };
    }),
    ...(['new', 'graduating', 'graduated'] as const).map(
      (stage): Read => ({
        name: `list of stage ${stage}`,
        operation: 'getTokensV2',
        input: () => ({ stage, limit: 50 }),
        goalMs: { p50: 1, p99: 5 },
      }),
    ),
    {
      name: 'list by volume_24h, 1,000 deep',
      operation: 'getTokensV2',
      input: () => ({ order_by: 'volume_24h', limit: 50, offset: 1_000 }),
      goalMs: { p99: 10 },
    },
    {
      name: 'list of a hashtag',
      operation: 'getTokensV2',
      input: () => ({ hashtags: ['ai'], order_by: 'volume_24h', limit: 50 }),
    },
    { name: 'list with a keyword', operation: 'getTokensV2', input: () => ({ keyword: 'kettle', limit: 50 }) },
    {
      name: 'search by part of a name',
      operation: 'searchToken',
      input: () => ({ input: `comet ${Math.floor(random() * 1e4)}` }),
    },
    { name: 'search by address', operation: 'searchToken', input: () => ({ input: often(tokens) }) },
    {
      name: 'portfolio, random wallet',
      operation: 'getUserPortfolio',
      input: () => ({}),
      asker: askBusy,
      goalMs: { p99: 30 },
      naive: naivePortfolio(askBusy),
    },
    {
      name: 'portfolio, heaviest wallet',
      operation: 'getUserPortfolio',
      input: () => ({}),
      asker: askHeaviest,
      goalMs: { p99: 15 },
      naive: naivePortfolio(askHeaviest),
    },
    {
      name: 'profit and loss, random wallet',
      operation: 'getUserPnl',
      input: () => ({}),
      asker: askBusy,
      goalMs: { p99: 30 },
    },
    {
      name: 'profit and loss, heaviest wallet',
      operation: 'getUserPnl',
      input: () => ({}),
      asker: askHeaviest,
      goalMs: { p99: 15 },
    },
    {
      name: 'leaderboard, 100',
      operation: 'getLeaderboard',
      input: () => ({}),
      goalMs: { p99: 10 },
      naive: naiveLeaders(''),
    },
    {
      name: 'leaderboard, 100 at 10,000',
      operation: 'getLeaderboard',
      input: () => ({ offset: 10_000 }),
      goalMs: { p99: 10 },
    },
    {
      name: 'leaderboard of 7 days, 100',
      operation: 'getLeaderboard',
      input: () => ({ period: '7d' }),
      goalMs: { p99: 10 },
      naive: naiveLeaders('and time > $1'),
    },
    {
      name: 'candles 1m, last 500',
      operation: 'getTokenCandles',
      input: () => ({ token_id: often(tokens), candle_interval: '1m', ascending: false }),
      goalMs: { p99: 15 },
      naive: naiveCandles(60, 500),
    },
    {
      name: 'candles 1h, 30 days',
      operation: 'getTokenCandles',
      input: () => ({ token_id: often(tokens), from_timestamp: monthAgo.toISOString(), limit: 720 }),
      goalMs: { p99: 10 },
      naive: naiveCandles(3600, 720),
    },
    {
      name: 'fee history, random',
      operation: 'getUserFeeHistory',
      input: () => ({}),
      asker: askPaid,
      goalMs: { p99: 10 },
      naive: naiveHistory(askPaid),
    },
    {
      name: 'fee history, longest',
      operation: 'getUserFeeHistory',
      input: () => ({}),
      asker: askBestPaid,
      goalMs: { p99: 10 },
      naive: naiveHistory(askBestPaid),
    },
    {
      name: 'fee history, longest, one kind',
      operation: 'getUserFeeHistory',
      input: () => ({ fee_type: 'protocol_referral_cashback' }),
      asker: askBestPaid,
      goalMs: { p99: 10 },
      naive: naiveHistory(askBestPaid, 'and distribution_type = 4'),
    },
    { name: 'fees, random', operation: 'getUserFees', input: () => ({}), asker: askPaid },
    { name: 'stats', operation: 'getTokenStats', input: () => ({ token_id: often(tokens) }) },
    { name: 'activity', operation: 'getTokenActivity', input: () => ({ token_id: often(tokens) }) },
    { name: 'trades of a token', operation: 'getTokenTrades', input: () => ({ token_id: often(tokens) }) },
    { name: 'trades of a wallet', operation: 'getWalletTrades', input: () => ({ wallet: often(traders) }) },
    { name: 'market summary', operation: 'getMarketSummary', input: () => ({}), goalMs: { p99: 10 } },
    {
      name: 'sparklines of 100 busy tokens',
      operation: 'getSparklines',
      input: () => ({ token_ids: tokens.slice(0, 100) }),
      goalMs: { p99: 60 },
    },
    {
      name: 'sparklines of 50 tokens',
      operation: 'getSparklines',
      input: () => ({ token_ids: Array.from({ length: 50 }, () => often(tokens)) }),
      goalMs: { p99: 30 },
    },
    { name: 'facts', operation: 'getTokenFacts', input: () => ({ token_id: often(tokens) }), goalMs: { p99: 30 } },
    { name: 'holders', operation: 'getTokenHolders', input: () => ({ token_id: often(tokens) }) },
  ];
};

/** What to print beside a read that misses a goal; empty: none missed. */
const missesOf = ({ goalMs: goal }: Read, inSql: Measured): string =>
  (['p50', 'p99'] as const)
    .flatMap((at) => (goal?.[at] !== undefined && inSql[at] > goal[at] ? [`  goal ${at} ${goal[at]} missed`] : []))
    .join('');

/** Condition: a generated user has this wallet. The askers of an earlier run have theirs alone, so they may ask again. */
const isPerson = (wallet: string): string => `exists (select from user_wallet where address = ${wallet}
  and user_id not in (select user_id from api_key where name = 'bench'))`;

/** Makes each wallet a user with an API key. */
const signUp = async ({ context }: RunningApi, wallets: readonly `0x${string}`[]): Promise<Asker[]> => {
  const askers: Asker[] = [];
  for (const wallet of new Set(wallets)) {
    const { userId } = await userOfWallet(context, wallet);
    const asker = {
      userId,
      name: 'bench',
      scopes: ['read'] as const,
      createdAt: new Date(),
      expiresAt: null,
      actsFrom: null,
    };
    askers.push({ wallet, key: (await addApiKey(context, context.auth.apiKeyBrand, asker)).key });
  }
  return askers;
};

interface AnyHandler {
  handle(context: RunningApi['context'], input: unknown, call: object): Promise<unknown>;
}

/** The handler's time with the database. */
const inDatabase = async ({ context }: RunningApi, read: Read): Promise<number> => {
  const { input } = operations.find(({ name }) => name === read.operation) as (typeof operations)[number];
  const asker = read.asker?.();
  const caller = asker && { userId: '', wallets: [asker.wallet], method: 'apiKey', premium: false, scopes: ['read'] };
  const before = databaseMs();
  const handler: AnyHandler = handlers[read.operation];
  await handler.handle(context, input.parse(read.input()), { caller: caller ?? null, requestId: 'bench' });
  return databaseMs() - before;
};

const overNetwork = async (api: RunningApi, read: Read): Promise<number> => {
  const { path } = operations.find(({ name }) => name === read.operation) as (typeof operations)[number];
  const asker = read.asker?.();
  const body = JSON.stringify(read.input());
  return timed(async () => {
    const answer = await fetch(`${api.url}/functions/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(asker && { authorization: `Bearer ${asker.key}` }) },
      body,
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${read.name}: ${answer.status} ${text.slice(0, 300)}`);
  });
};
