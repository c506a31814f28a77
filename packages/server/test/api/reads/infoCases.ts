import type { InfoTypeName } from '@mintage/protocol/operations';
import type { Body, ReadsWorld } from './readsWorld.ts';

/** Wire contract 6.1, and the social one. */
export const wireTypes = [
  'getTokensV2',
  'quoteToken',
  'me',
  'getPoolData',
  'getUserBalance',
  'searchToken',
  'checkTokenOwnership',
  'getUserFees',
  'getUserFeeHistory',
  'getLeaderboard',
  'getUserPortfolio',
  'getTokenTrades',
  'getTokenTransfers',
  'getTokenActivity',
  'getTokenCandles',
  'getTokenStats',
  'getTokenAbout',
  'getUser',
  'checkUsername',
  'getVotes',
  'getNotifications',
  'getHub',
  'getHubs',
  'getHubMembers',
  'getUserTokens',
  'getPosts',
  'getPost',
] as const satisfies InfoTypeName[];

/** What is sent, where it names something of the world made of it. */
type Input = object | ((world: ReadsWorld) => object);

export const inputIn = (world: ReadsWorld, input: Input): object =>
  typeof input === 'function' ? input(world) : input;

interface Case {
  /** Has something to show. */
  full: Input;
  /** The part of the answer that is then not empty. */
  shows: (body: Body) => unknown;
  /** Is valid and has nothing to show: what of the answer is 0, or the code of the refusal. */
  nothing: { input: Input; is: ((body: Body) => unknown) | string };
  /** Whose credential is sent; of an account with nothing a stranger's. */
  who?: 'alice';
}

const token_id = 'lighthouse';
const nobody = 'nobody-knows-this';
const activities = (body: Body) => body.activities.length;

/** One for each type: without it types fail, and so does a test. */
export const cases: Record<InfoTypeName, Case> = {
  getTokensV2: {
    full: { order_by: 'volume_24h', chains: ['base-sepolia'] },
    shows: (body) => body.tokens.length,
    nothing: { input: { keyword: nobody }, is: (body) => body.tokens.length },
  },
  quoteToken: {
    full: { chainSlug: 'base-sepolia', tokenId: token_id, direction: 'buy', inputToken: 'usdc', amount: 10 },
    shows: (body) => body.data.outputAmount,
    nothing: { input: { chainSlug: 'base-sepolia', tokenId: nobody }, is: 'TOKEN_NOT_FOUND' },
  },
  me: {
    who: 'alice',
    full: { include_testnets: true },
    shows: (body) => body.data.balances.length,
    nothing: { input: { include_testnets: false }, is: (body) => body.data.balances.length },
  },
  getPoolData: {
    full: { tokenId: token_id },
    shows: (body) => body.data.pools.length,
    nothing: { input: { tokenId: nobody }, is: 'TOKEN_NOT_FOUND' },
  },
  getUserBalance: {
    who: 'alice',
    full: {},
    shows: (body) => body.data.balances.length,
    nothing: { input: { chain_id: 1 }, is: (body) => body.data.balances.length },
  },
  searchToken: {
    full: { input: 'paper boat' },
    shows: (body) => body.token.slug,
    nothing: { input: { input: nobody }, is: (body) => body.token ?? 0 },
  },
  checkTokenOwnership: {
    full: { token_id, user_address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' },
    shows: (body) => body.success,
    nothing: {
      input: { token_id: nobody, user_address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' },
      is: 'TOKEN_NOT_FOUND',
    },
  },
  getUserFees: {
    who: 'alice',
    full: { chains: ['base-sepolia', 'bnb-testnet'] },
    shows: (body) => (body.data ?? body).balances.length,
    nothing: { input: {}, is: (body) => (body.data ?? body).balances.length },
  },
  getUserFeeHistory: {
    who: 'alice',
    full: { fee_type: 'ip_holder', limit: 5 },
    shows: (body) => (body.data ?? body).distributions.length,
    nothing: { input: {}, is: (body) => (body.data ?? body).distributions.length },
  },
  getLeaderboard: {
    full: { limit: 3 },
    shows: (body) => (body.data ?? body).leaderboard.length,
    nothing: { input: { network_mode: 'mainnet' }, is: (body) => (body.data ?? body).leaderboard.length },
  },
  getUserPortfolio: {
    who: 'alice',
    full: { chains: ['bnb-testnet'] },
    shows: (body) => body.data.tokens.length,
    nothing: { input: { chains: ['nowhere'] }, is: (body) => body.data.tokens.length },
  },
  getTokenTrades: {
    full: { token_id },
    shows: activities,
    nothing: { input: { token_id: 'first-light' }, is: activities },
  },
  getTokenTransfers: {
    full: { token_id: 'paper-boat' },
    shows: activities,
    nothing: { input: { token_id: 'first-light' }, is: activities },
  },
  getTokenActivity: {
    full: { token_id, include_activity_types: ['trade', 'lp', 'lifecycle'] },
    shows: activities,
    nothing: { input: { token_id: 'first-light' }, is: activities },
  },
  getTokenCandles: {
    full: { token_id, candle_interval: '5m', ascending: false },
    shows: (body) => body.candles.length,
    nothing: { input: { token_id, from_timestamp: '2099-01-01T00:00:00Z' }, is: (body) => body.candles.length },
  },
  getTokenStats: {
    full: { token_id },
    shows: (body) => body.stats.length,
    nothing: { input: { token_id: nobody }, is: 'TOKEN_NOT_FOUND' },
  },
  getUser: {
    who: 'alice',
    full: {},
    shows: (body) => body.user.address,
    nothing: { input: {}, is: (body) => body.user.tokens_created_count },
  },
  checkUsername: {
    full: { username: 'paper_boat' },
    shows: (body) => Number(body.available),
    nothing: { input: { username: nobody }, is: (body) => Number(body.available) },
  },
  getVotes: {
    full: { target_type: 'token', target_id: token_id },
    shows: (body) => body.votes,
    nothing: { input: { target_type: 'token', target_id: nobody }, is: 'VOTE_TARGET_NOT_FOUND' },
  },
  getNotifications: {
    who: 'alice',
    full: { unread_only: false },
    shows: (body) => body.notifications.length,
    nothing: { input: { types: ['moderation'] }, is: (body) => body.notifications.length },
  },
  getHub: {
    full: { token_id },
    shows: (body) => body.hub.holders_count,
    nothing: { input: { token_id: nobody }, is: 'TOKEN_NOT_FOUND' },
  },
  getHubs: {
    full: { order_by: 'created_at' },
    shows: (body) => body.hubs.length,
    nothing: { input: { keyword: nobody }, is: (body) => body.hubs.length },
  },
  getHubMembers: {
    full: { token_id },
    shows: (body) => body.members.length,
    nothing: { input: { token_id, role: 'moderator' }, is: (body) => body.members.length },
  },
  getUserTokens: {
    who: 'alice',
    full: { kind: 'held' },
    shows: (body) => body.tokens.length,
    nothing: { input: { kind: 'held' }, is: (body) => body.tokens.length },
  },
  getPosts: {
    full: { taggedCoinId: token_id },
    shows: (body) => body.posts.length,
    nothing: { input: { hashtag: nobody }, is: (body) => body.posts.length },
  },
  getPost: {
    full: ({ postId }) => ({ post_id: postId, comments: 5 }),
    shows: (body) => body.comments.length,
    nothing: { input: ({ postId }) => ({ post_id: postId }), is: (body) => body.comments.length },
  },
  getTokenAbout: {
    full: { token_id },
    shows: (body) => body.token.dex_pools.length,
    nothing: { input: { token_id: nobody }, is: 'TOKEN_NOT_FOUND' },
  },
};
