import { chainBySlug, type Operation } from '@mintage/protocol';
import { type OperationName, operations } from '@mintage/protocol/operations';
import { pagePaths } from '@mintage/web/paths';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/chainTables.ts';
import { makeMonths } from '../../../src/db/months.ts';
import { addDraft, graduationOf, hex, type tokenRow, tradeRow, transferRow, windowRow } from '../reads/readsFixture.ts';
import { signInOperator } from '../testing/operator.ts';
import type { SignedIn } from '../testing/testApi.ts';
import { type Body, type Posting, startPosting } from './postsFixture.ts';

/** What there is of the token that is taken down: its own slug, words and tags, so that whoever lists it gives itself away. */
const face = { name: 'Quagga Coin', symbol: 'QUAG' };
const word = 'quagga';
const builder = hex(0xbb);

interface World {
  token: ReturnType<typeof tokenRow>;
  creator: SignedIn;
  reader: SignedIn;
  post: Body;
}

const orders = 'volume_1m volume_5m volume_1h volume_24h price_change_24h market_cap trx holders created_at'.split(' ');
const windows = ['1h', '24h', '7d', 'all'];

/** Calls of each read that lists tokens, or what is said of them: all of them show the token while it is up, none after it is taken down. */
const lists: Partial<Record<OperationName, (world: World) => object[]>> = {
  getTokensV2: ({ token }) => [
    {},
    ...orders.flatMap((order_by) => ['ASC', 'DESC'].map((order_direction) => ({ order_by, order_direction }))),
    ...orders.map((order_by) => ({ order_by, keyword: word })),
    { stage: token.stage },
    { hashtags: [word] },
    { keyword: face.symbol },
    { keyword: 'striped' },
    { chains: ['base-sepolia'] },
    { builder_code: builder },
    { verified_only: true },
  ],
  getTokens: () => [
    ...['trending', 'new', 'popular', 'top_posts'].map((filter) => ({ filter })),
    { filter: 'new', hashtag_name: word },
    { filter: 'top_posts', hashtag_name: word },
    { filter: 'new', verified_only: true },
  ],
  searchToken: () => [word, face.symbol, face.name, 'quag', 'agga'].map((input) => ({ input })),
  getUserTokens: ({ creator }) => [
    { kind: 'created', user_id: creator.userId },
    { kind: 'created', address: creator.address },
  ],
  getHubs: () => [
    ...['members', 'posts', 'activity', 'created_at'].flatMap((order_by) => [
      { order_by },
      { order_by, keyword: word },
    ]),
    { mine: true },
  ],
  getPosts: ({ token, creator, post }) => {
    const filters = [
      {},
      { taggedCoinId: token.token_id },
      { author_id: creator.userId },
      { hashtag: 'stripes' },
      { with_media: true },
      { since: post.created_at },
    ];
    return filters.flatMap((filter) => [
      filter,
      { ...filter, feed: 'following' },
      ...windows.map((window) => ({ ...filter, feed: 'top', window })),
    ]);
  },
};

/** Calls of reads that are asked for this token by its id, or by whoever holds or traded it: they answer the same before and after. */
const itsOwn: Partial<Record<OperationName, (world: World) => object[]>> = {
  getTokensV2: ({ token }) => [
    { token_ids: [token.token_id] },
    { keyword: token.address },
    { keyword: token.platform_id },
    { token_ids: [token.token_id], order_by: 'volume_1h' },
  ],
  searchToken: ({ token }) => [token.token_id, token.address, token.platform_id].map((input) => ({ input })),
  getUserTokens: ({ creator }) => [{ kind: 'held', address: creator.address }],
  getPosts: ({ post }) => [{ parent_id: post.id }],
  getPost: ({ post }) => [{ post_id: post.id, comments: 5 }],
  getVotes: ({ token, post }) => [
    { target_type: 'token', target_id: token.token_id },
    { target_type: 'post', target_id: post.id },
  ],
  ...Object.fromEntries(
    (
      [
        'getTokenAbout',
        'getTokenStats',
        'getTokenFacts',
        'getTokenTrades',
        'getTokenTransfers',
        'getTokenActivity',
        'getTokenHolders',
        'getHub',
        'getHubMembers',
      ] as const
    ).map((name) => [name, ({ token }: World) => [{ token_id: token.token_id }]]),
  ),
  getTokenCandles: ({ token }) => [{ token_id: token.token_id, interval: '1m' }],
  getSparklines: ({ token }) => [{ token_ids: [token.token_id] }],
  checkTokenOwnership: ({ token, creator }) => [{ token_id: token.token_id, user_address: creator.address }],
  getUserPortfolio: () => [{}],
  getUserPnl: () => [{}],
  getUserBalance: ({ token }) => [{ token_id: token.token_id }],
  getUserFees: () => [{}],
  getUserFeeHistory: () => [{}],
  getUserClaims: () => [{}],
  getWalletTrades: ({ creator }) => [{ wallet: creator.address }],
};

const account = 'shows the caller’s own account, and no tokens';
const chain = 'asks the chain for one token, and knows no lists';
const file = 'shows no tokens';
/** All other reads, each with the reason why it shows no token of others. One that is missing here and above fails a test. */
const neither: Partial<Record<OperationName, string>> = {
  authRefresh: account,
  authLogout: account,
  listSessions: account,
  listPasskeys: account,
  listApiKeys: account,
  listGrants: account,
  listWebhooks: account,
  listWebhookDeliveries: 'events of what the user follows, as they were sent',
  me: account,
  getNotifications: 'tells the caller what concerns them, as of a token that they hold',
  getBlocked: account,
  getUser: account,
  getFollowers: account,
  getFollowing: account,
  checkUsername: account,
  getReferralCode: account,
  transactionStatus: 'shows the caller’s own transactions',
  getTransaction: 'reads one transaction by its hash',
  tradeToken: chain,
  transferToken: chain,
  registerToken: chain,
  quoteToken: chain,
  getPoolData: chain,
  claimRewards: chain,
  mintUsd: chain,
  solvency: chain,
  getLeaderboard: 'shows who earned, and not with what',
  getMarketSummary: 'shows sums over all tokens: what is traded goes on',
  info: 'each of its types is a read of its own',
  ws: 'events of the chains as they come: what is traded goes on',
  stream: 'events of the chains as they come: what is traded goes on',
  ipfs: 'serves a file by its content; takeDownToken.test.ts',
  og: 'serves the picture of one token; takeDownToken.test.ts',
  avatar: file,
  chains: file,
  health: file,
  ready: file,
  metrics: file,
  jwks: file,
  openapi: file,
  docs: file,
  llms: file,
};

const reads = (operations as readonly Operation[]).filter(
  ({ scope, limit }) => (scope === 'read' || scope === 'prepare') && limit !== 'write' && limit !== 'signIn',
);

describe('a token that is taken down', () => {
  let on: Posting;
  let world: World;
  let operator: SignedIn;
  beforeAll(async () => {
    on = await startPosting();
    const { db, api } = on;
    operator = await signInOperator(api);
    await makeMonths(db.withTables<Database>(), [new Date('2026-01-01T00:00:00Z')]);
    const { eid, slug } = chainBySlug('base-sepolia');
    await db
      .insertInto('chain')
      .values({ eid, slug, usd: hex(1), usd_decimals: 6, launchpad: hex(2), indexed: 20, rolled_block: 20 })
      .execute();
    const [creator, reader, other] = [await api.signIn(), await api.signIn(), await api.signIn()];
    const now = new Date();
    const token = await on.token(creator.address, {
      ...face,
      stage: 'graduated',
      graduated_at: now,
      graduation: graduationOf(12, 0),
      created_at: now,
      trades: 7,
      holders: 2,
    });
    await db.updateTable('token_slug').set({ slug: word }).where('token_id', '=', token.token_id).execute();
    await addDraft(db, token, word, { tags: [word], description: 'A striped horse.', builder });
    const rest = await on.token(other.address, { name: 'Zebra', symbol: 'ZEB', created_at: now });
    await db
      .insertInto('token_window')
      .values([windowRow(token, {}), windowRow(rest, {})])
      .execute();
    for (const one of [token, rest])
      await db
        .insertInto('trade')
        .values(tradeRow(one, 11, 1, { trader: creator.address }))
        .execute();
    await db
      .insertInto('transfer')
      .values(transferRow(token, 11, 2))
      .execute();
    await on.hold(token, creator.address, 10n ** 18n);
    await on.follow(reader, creator);
    await api.call('joinHub', { token_id: word }, { bearer: reader.accessToken });
    const said = { taggedCoinId: word, media: [picture] };
    const post = await on.post(creator, 'Look at it #stripes', said);
    await on.post(reader, 'I do', { parent_id: post.id });
    await on.post(other, 'Not striped enough.', { taggedCoinId: rest.token_id });
    const vote = { vote: 'upvote' };
    await api.call('vote', { target_type: 'token', target_id: word, ...vote }, { bearer: reader.accessToken });
    await api.call('vote', { target_type: 'post', target_id: post.id, ...vote }, { bearer: reader.accessToken });
    world = { token, creator, reader, post };
  });
  afterAll(() => on?.api.stop());

  const takeDown = async (taken_down: boolean) => {
    const input = { token_id: world.token.token_id, taken_down, reason: 'A copy.' };
    expect((await on.api.call('takeDownToken', input, { bearer: operator.accessToken })).status).toBe(200);
  };
  const calls = (table: typeof lists) =>
    Object.entries(table).flatMap(([name, inputs]) =>
      inputs(world).map((input) => ({ name: name as OperationName, input })),
    );
  const answer = async (name: OperationName, input: object) => {
    const own = name.startsWith('getUser') && name !== 'getUserTokens';
    const bearer = (own ? world.creator : world.reader).accessToken;
    const { status, body } = await on.api.call(name, input, { bearer });
    expect([name, input, status]).toEqual([name, input, 200]);
    return body;
  };
  /** Any of its names: what was asked is not repeated in answers, but for errors. */
  const shows = (body: Body): boolean => {
    const text = JSON.stringify({ ...body, error: undefined }).toLowerCase();
    const { token_id, address, platform_id } = world.token;
    return [token_id, address, platform_id, word, world.post.id].some((name) => text.includes(name.toLowerCase()));
  };
  const page = async (url: string) =>
    (await on.api.inject({ method: 'GET', url, headers: { host: 'localhost', accept: 'text/html' } })).body;
  const pagesOfLists = Object.values(pagePaths).filter((path) => !path.includes(':'));

  it('default: every read is known to list tokens, to be asked for one, or to show none', () => {
    const known = [...Object.keys(lists), ...Object.keys(itsOwn), ...Object.keys(neither)];
    expect(reads.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
    expect(known.filter((name) => !reads.some((read) => read.name === name))).toEqual([]);
  });

  it('default: no list, search, feed or page of lists shows it, all did before, and do again once it is restored', async () => {
    const seen = async () => {
      const found = [];
      for (const { name, input } of calls(lists)) found.push([name, input, shows(await answer(name, input))]);
      for (const path of pagesOfLists) found.push(['page', path, (await page(path)).toLowerCase().includes(word)]);
      return found;
    };
    const before = await seen();
    const feedsWithoutIt = before.filter(([, , shown]) => !shown);
    expect(feedsWithoutIt.filter(([name]) => name !== 'page')).toEqual([]);
    expect(before.filter(([name, , shown]) => name === 'page' && shown).length).toBeGreaterThan(0);
    await takeDown(true);
    // Pages are made once a second.
    on.api.clock.ms += 1_001;
    expect((await seen()).filter(([, , shown]) => shown)).toEqual([]);
    const { body } = await on.api.call('getTokens', { filter: 'new' });
    expect([body.pagination.total, body.tokens.map(({ symbol }: Body) => symbol)]).toEqual([1, ['ZEB']]);
    await takeDown(false);
    on.api.clock.ms += 1_001;
    expect(await seen()).toEqual(before);
  });

  it('default: by its id, and to who holds or traded it, it answers as before, and says why it is in no list', async () => {
    const own = async () => {
      const answers: Body[] = [];
      for (const { name, input } of calls(itsOwn)) {
        const body = await answer(name, input);
        answers.push([name, JSON.stringify(body, (key, value) => (key === 'unlisted' ? undefined : value))]);
      }
      return answers;
    };
    const before = await own();
    await takeDown(true);
    expect(await own()).toEqual(before);
    const unlisted = { reason: 'A copy.' };
    const { token_id } = world.token;
    expect((await answer('getTokenAbout', { token_id })).token.unlisted).toEqual(unlisted);
    expect((await answer('searchToken', { input: token_id })).token.unlisted).toEqual(unlisted);
    expect((await answer('getTokensV2', { token_ids: [token_id] })).tokens[0].unlisted).toEqual(unlisted);
    const html = await page(`/token/${word}`);
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect(html).not.toContain('og:image');
    expect(html).toContain('Taken out of lists');
    await takeDown(false);
    expect((await answer('getTokenAbout', { token_id })).token).not.toHaveProperty('unlisted');
  });
});

const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
