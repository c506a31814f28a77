import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevChain, System } from '@mintage/devnet';
import { patientServer } from '@mintage/devnet/patientServer';
import { rpcRequest } from '@mintage/devnet/rpc';
import { until } from '@mintage/devnet/until';
import type { Hex, LocalAccount } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createPasskey, usePasskey } from '../../packages/server/test/world/authenticator.ts';
import { giveAccess } from './grant.ts';
import type { Recorder } from './recorder.ts';
import { recordEvents, recordSocket } from './streams.ts';

/** Chains that the calls are about. */
export const chain = 'base-sepolia';
export const other = 'unichain-testnet';
const image =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Somebody who calls. */
interface Person {
  wallet: string;
  session: string;
}

/** Signs in by a wallet; the first who does is recorded. */
const signIn = async ({ record }: Recorder, account: LocalAccount): Promise<Person> => {
  const { message } = await record('authChallenge', { address: account.address });
  const signature = await account.signMessage({ message });
  const first = await record('authLogin', { message, signature });
  const { accessToken, refreshToken } = await record('authRefresh', { refreshToken: first.refreshToken });
  await record('authLogout', { refreshToken });
  const again = await record('authChallenge', { address: account.address });
  const proof = { message: again.message, signature: await account.signMessage({ message: again.message }) };
  const { accessToken: session } = await record('authLogin', proof);
  if (session === accessToken) throw new Error('Both sign-ins gave the same token.');
  return { wallet: account.address.toLowerCase(), session };
};

/** Somebody without a wallet makes an account by passkey, has a second one for a while, and links a wallet. */
const recordPasskeys = async ({ record }: Recorder, origin: string, wallet: LocalAccount): Promise<void> => {
  const create = async (name: string, session?: string) => {
    const { options } = await record('passkeyRegisterOptions', {}, session);
    const { passkey, credential } = createPasskey(options, { origin });
    const { accessToken } = await record('passkeyRegister', { credential, name }, session);
    return { passkey, accessToken };
  };
  const { accessToken: session } = await create('Phone');
  const second = await create('Laptop', session);
  const { options } = await record('passkeyLoginOptions', {});
  await record('passkeyLogin', { credential: usePasskey(second.passkey, options, { origin }) });
  const { sessions } = await record('listSessions', {}, session);
  await record('endSession', { id: sessions.find(({ current }) => !current)?.id }, session);
  await record('endOtherSessions', {}, session);
  await record('listPasskeys', {}, session);
  await record('removePasskey', { id: second.passkey.id }, session);
  const { message } = await record('linkWalletChallenge', { address: wallet.address }, session);
  await record('linkWallet', { message, signature: await wallet.signMessage({ message }) }, session);
  await create('Phone');
};

/** Somebody without a wallet, whose embedded one the devnet fills. */
const embedded = async ({ record }: Recorder, issuerUrl: string): Promise<Person> => {
  const session = await (await fetch(`${issuerUrl}/token?name=reader`)).text();
  return until(async () => {
    const { data } = await record('me', { include_testnets: true }, session);
    const wallet = data.wallets.find((one) => one.embedded)?.address;
    const balance = data.balances.find(({ chainSlug }) => chainSlug === chain);
    return wallet !== undefined && BigInt(balance?.native.balanceRaw ?? 0) > 0n && { wallet, session };
  });
};

const recordReads = async ({ record }: Recorder, { wallet, session }: Person): Promise<void> => {
  const token = { token_id: 'paper-boat' };
  await record('quoteToken', {
    tokenId: 'paper-boat',
    chainSlug: chain,
    direction: 'buy',
    amount: 25,
    inputToken: 'usdc',
  });
  await record('getPoolData', { tokenId: 'lighthouse' });
  await record('getTokensV2', { order_by: 'market_cap', limit: 5 });
  await record('getTokens', { filter: 'new', limit: 5 });
  await record('getMarketSummary', {});
  await record('getSparklines', { token_ids: ['paper-boat', 'lighthouse'] });
  await record('searchToken', { input: 'boat' });
  await record('getTokenAbout', token);
  await record('getTokenStats', token);
  await record('getTokenFacts', token);
  await record('getTokenCandles', { ...token, candle_interval: '1m', limit: 10 });
  const { activities } = await record('getTokenTrades', { ...token, limit: 5 });
  await record('getTransaction', { chainSlug: chain, hash: activities[0]?.evt_tx_hash });
  await record('getTokenTransfers', { ...token, limit: 5 });
  await record('getTokenActivity', { ...token, limit: 5 });
  await record('getTokenHolders', { ...token, limit: 5 });
  await record('getWalletTrades', { wallet, limit: 5 });
  await record('checkTokenOwnership', { ...token, user_address: wallet });
  await record('info', { type: 'searchToken', input: 'boat' });
  await record('me', { include_testnets: true }, session);
  await record('getUserFees', { chains: [chain] }, session);
  await record('getUserFeeHistory', { limit: 5 }, session);
  await record('getUserPortfolio', {}, session);
  await record('getUserPnl', { limit: 5 }, session);
  await record('getUserBalance', { chain_id: 84532 }, session);
  await record('getLeaderboard', { limit: 5, network_mode: 'testnet' });
};

const recordPrepared = async ({ record }: Recorder, { wallet, session }: Person): Promise<string> => {
  const { metadata } = await record(
    'createTokenTransaction',
    {
      name: 'Demo Coin',
      symbol: 'DEMO',
      description: 'A coin to try things with.',
      image,
      chainSlug: chain,
      userAddress: wallet,
      amountIn: 10,
    },
    session,
  );
  const order = { tokenId: 'paper-boat', chainSlug: chain, direction: 'buy', buyAmountUSD: 10, userAddress: wallet };
  await record('tradeToken', order, session);
  const way = { from_chain_slug: chain, to_chain_slug: other };
  const sent = { token_id: 'paper-boat', recipient_address: wallet, amount: '100.5', wallet_address: wallet };
  await record('transferToken', { ...sent, ...way }, session);
  await record('registerToken', { token_id: 'first-light', chains: [other], wallet_address: wallet }, session);
  await record('claimRewards', { chains: [chain] }, session);
  await record('mintUsd', { chainSlug: chain, userAddress: wallet, amount: 2500 }, session);
  const action = { type: 'mintUsd', chainSlug: chain, userAddress: wallet, amount: 2500 };
  await record('platformAction', { source: 'Testnet', expiresAfter: 60_000, action }, session);
  return metadata.logo.split('/').at(-1) ?? '';
};

/** The owner sends the claim that is prepared, and it is in the history. */
const recordClaimed = async (system: System, { record }: Recorder, { session }: Person): Promise<void> => {
  const [home] = system.chains as [DevChain];
  const { transactions } = await record('claimRewards', { chains: [chain] }, session);
  for (const { to, data } of transactions)
    await home.wallet.send(home.accounts.alice, { to: to as Hex, data: data as Hex });
  await system.caughtUp();
  await record('getUserClaims', { limit: 5 }, session);
};

/** Somebody follows a friend, and then blocks them for a while. */
const recordBetween = async ({ record }: Recorder, { wallet, session }: Person, friend: Person): Promise<void> => {
  const { user } = await record('getUser', {}, friend.session);
  const named = { user_id: user.id };
  await record('followUser', named, session);
  await record('getFollowers', named);
  await record('getFollowing', {}, session);
  await record('unfollowUser', named, session);
  await record('blockUser', named, session);
  await record('getBlocked', {}, session);
  await record('unblockUser', named, session);
  await record('getUserTokens', { address: wallet, limit: 5 });
};

/** As a browser makes it; the keys are those of RFC 8291, appendix A. */
const browser = {
  endpoint: 'https://push.example.com/send/1',
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
};

const recordAccounts = async (recorder: Recorder, owner: Person, friend: Person): Promise<string> => {
  const { record } = recorder;
  const { session } = owner;
  const scopes = ['read', 'prepare', 'execute'];
  const made = await record(
    'createApiKey',
    { name: 'trading bot', scopes, budget: { perTradeUsd: 25, perDayUsd: 100 } },
    session,
  );
  await record('listApiKeys', {}, session);
  const { grants } = await record('listGrants', {}, session);
  await record('revokeGrant', { id: grants[0]?.id }, session);
  await record('checkUsername', { username: 'paper_boat' });
  await record('updateUser', { username: 'paper_boat', display_name: 'Alice', bio: 'Folds paper boats.' }, session);
  await record('getUser', { username: 'paper_boat' });
  await record('vote', { target_type: 'token', target_id: 'paper-boat', vote: 'upvote' }, session);
  await record('getVotes', { target_type: 'token', target_id: 'paper-boat' });
  await recordBetween(recorder, owner, friend);
  const { media } = await record('uploadMedia', { kind: 'image', data: image }, session);
  const said = { text: 'gm $BOAT, come on board #boats', media: [`ipfs://${media.cid}`], taggedCoinId: 'paper-boat' };
  const { post } = await record('createPost', said, session);
  await record('getPosts', { taggedCoinId: 'paper-boat', limit: 5 });
  await record('pinPost', { post_id: post.id, pinned: true }, session);
  const { post: comment } = await record(
    'createPost',
    { text: 'What does it carry?', parent_id: post.id },
    friend.session,
  );
  await record('getPost', { post_id: post.id, comments: 5 });
  await record('reportPost', { post_id: comment.id, reason: 'spam' }, session);
  // They come a moment after what they tell.
  await sleep(1_000);
  await record('getNotifications', { limit: 5 }, session);
  await record('markNotificationsRead', { all: true }, session);
  await record('notificationSettings', { types: { vote: true } }, session);
  await record('subscribePush', browser, session);
  await record('unsubscribePush', { endpoint: browser.endpoint }, session);
  await record('deletePost', { post_id: comment.id }, friend.session);
  await record('avatar', { whose: `${owner.wallet}.svg` });
  await record('createReferralCode', { code: 'ALICE2026', network_mode: 'testnet' }, session);
  await record('getReferralCode', { code: 'alice2026' });
  await record('enterReferralCode', { referral_code: 'alice2026', network_mode: 'testnet' }, friend.session);
  await record('pauseExecution', {}, session);
  await record('resumeExecution', {}, session);
  const second = await record(
    'createApiKey',
    { name: 'trading bot', scopes, budget: { perTradeUsd: 25, perDayUsd: 100 } },
    session,
  );
  await record('revokeApiKey', { id: made.id }, session);
  return second.key;
};

/** Who came first moderates, as if `OPERATORS` had named them at the start. */
const recordModeration = async (
  { api }: System,
  { record }: Recorder,
  owner: Person,
  operator: Person,
): Promise<void> => {
  const { user } = await record('getUser', {}, operator.session);
  if (api === null) throw new Error('There is no API to moderate.');
  (api.context.config.operators as Set<string>).add(user.id);
  api.context.auth.forgetUser(user.id);
  const { post } = await record('createPost', { text: 'Send me your keys.' }, owner.session);
  await record('reportPost', { post_id: post.id, reason: 'scam', note: 'Asks for keys.' }, operator.session);
  await record('getReports', {}, operator.session);
  const reason = 'Asks for keys.';
  await record('hidePost', { post_id: post.id, hidden: true, reason }, operator.session);
  await record('resolveReports', { post_id: post.id, reason: 'Hidden.' }, operator.session);
  for (const suspended of [true, false])
    await record('suspendUser', { user_id: post.author?.id, suspended, reason }, operator.session);
  for (const taken_down of [true, false])
    await record('takeDownToken', { token_id: 'paper-boat', taken_down, reason: 'A copy.' }, operator.session);
  await record('getModerationLog', { limit: 5 }, operator.session);
};

const recordExecuted = async (recorder: Recorder, person: Person, to: string): Promise<void> => {
  const { record, recordTool } = recorder;
  const payment = { to, amount: '1000000000000000', chainSlug: chain };
  const { intentId } = await record('sendTransaction', payment, person.session);
  await until(async () => {
    const { status } = await record('transactionStatus', { intentId }, person.session);
    return status === 'mined' || status === 'final';
  });
  const { key } = await record('createApiKey', { name: 'assistant' }, person.session);
  await recordTool('execute_transaction', payment, key);
};

const recordTools = async ({ recordTool }: Recorder, userAddress: string, key: string): Promise<void> => {
  await recordTool('get_tokens', { filter: 'new', limit: 5 }, key);
  await recordTool('search_token', { input: 'boat' }, key);
  const asked = { tokenId: 'paper-boat', chainSlug: chain, direction: 'buy' };
  await recordTool('quote_trade_token', { ...asked, amount: 25, inputToken: 'usdc' }, key);
  await recordTool('trade_token', { ...asked, buyAmountUSD: 10, userAddress }, key);
  const token = { name: 'Demo Coin', symbol: 'DEMO', description: 'A coin to try things with.', image };
  await recordTool('create_token', { ...token, chainSlug: chain, userAddress }, key);
};

/** The friend joins a hub of the owner's by an invite, leads it, leaves, is kept out of it and let in again. */
const recordHubs = async ({ record }: Recorder, { session }: Person, friend: Person): Promise<void> => {
  const hub = { token_id: 'lighthouse' };
  const terms = { rules: 'Speak of the sea.', invite_only: true, post_rule: 'holders', min_holding: '100' };
  await record('updateHub', { ...hub, ...terms }, session);
  const { invite } = await record('createHubInvite', { ...hub, uses: 10 }, session);
  await record('joinHub', { ...hub, invite }, friend.session);
  await record('getHub', hub, friend.session);
  await record('getHubs', { order_by: 'members', limit: 5 });
  const { members } = await record('getHubMembers', { ...hub, limit: 5 });
  const who = { ...hub, user_id: members.at(-1)?.user.id };
  await record('setHubRole', { ...who, role: 'moderator' }, session);
  await record('leaveHub', hub, friend.session);
  await record('banFromHub', { ...who, until: '2099-01-01T00:00:00Z' }, session);
  await record('unbanFromHub', who, session);
};

/** A receiver that takes everything stands for the reader's own. What is delivered are the buys of a trader. */
const recordWebhooks = async ({ record }: Recorder, { session }: Person, trader: Person): Promise<void> => {
  const receiver = createServer(patientServer, (request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = receiver.address() as AddressInfo;
    const subscription = { topic: 'tokenActivity', chains: [chain], cursor: 'earliest' };
    const { webhook } = await record(
      'createWebhook',
      { url: `http://127.0.0.1:${port}/mintage`, subscription },
      session,
    );
    const { id } = webhook;
    for (const buyAmountUSD of [5, 6, 7]) {
      const order = { tokenId: 'paper-boat', chainSlug: chain, direction: 'buy', buyAmountUSD, execute: true };
      await record('tradeToken', order, trader.session);
    }
    const attempt = await until(async () => {
      const { deliveries } = await record('listWebhookDeliveries', { id, limit: 5 }, session);
      return deliveries.length >= 3 && deliveries[0];
    });
    await record('listWebhooks', {}, session);
    await record('redeliverWebhook', { id, seq: attempt.seq }, session);
    await record('rotateWebhookSecret', { id }, session);
    await record('deleteWebhook', { id }, session);
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
};

const recordService = async ({ record }: Recorder, cid: string): Promise<void> => {
  for (const name of ['jwks', 'chains', 'health', 'ready', 'metrics', 'openapi', 'docs', 'llms'] as const)
    await record(name, {});
  await record('solvency', { chainSlug: chain, limit: 10 });
  await record('ipfs', { cid });
  await record('og', { token: 'paper-boat.png' });
};

/** Blocks after which a local chain's trades are final for the index, and more. */
const finalAfterBlocks = 200;

/** Makes every call of the list, as people, their programs and assistants make them. The system has both chains, seeded. */
export const makeEveryCall = async (system: System, recorder: Recorder): Promise<void> => {
  const [home] = system.chains as [DevChain];
  await rpcRequest(home.rpcUrl, 'anvil_mine', [`0x${finalAfterBlocks.toString(16)}`]);
  await system.caughtUp();
  const friend = await signIn(recorder, home.accounts.bob);
  const owner = await signIn(recorder, home.accounts.alice);
  const origin = `http://localhost:${new URL(system.url ?? '').port}`;
  await recordPasskeys(recorder, origin, privateKeyToAccount(generatePrivateKey()));
  await giveAccess(system.url ?? '', home.accounts.alice);
  const key = await recordAccounts(recorder, owner, friend);
  await recordHubs(recorder, owner, friend);
  await recordModeration(system, recorder, owner, friend);
  const person = await embedded(recorder, system.issuerUrl ?? '');
  await recordExecuted(recorder, person, owner.wallet);
  await recordWebhooks(recorder, owner, person);
  const cid = await recordPrepared(recorder, owner);
  await recordTools(recorder, owner.wallet, key);
  await recordReads(recorder, owner);
  await recordClaimed(system, recorder, owner);
  await recordService(recorder, cid);
  await recordSocket(recorder, system.url ?? '');
  await recordEvents(recorder, system.url ?? '');
};
