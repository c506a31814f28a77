import { type DevChain, type System, startSystem } from '@mintage/devnet';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { until } from '@mintage/devnet/until';
import { encodeMint } from '@mintage/protocol';
import { encodeFunctionData, erc20Abi, type LocalAccount } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Post, postsTo, signInOver } from '../../world/call.ts';
import { type ChainTruth, readChainTruth } from './chainTruth.ts';

/** A dollar of 6 decimals and one of 18. */
export const worldSlugs = ['base-sepolia', 'bnb-testnet'] as const;

// oxlint-disable-next-line typescript/no-explicit-any -- answers are parsed by the schemas that are tested with them
export type Body = any;

/** The whole service over real, seeded chains that stand still, asked over HTTP. */
export interface ReadsWorld {
  post: Post;
  chain(slug: string): DevChain;
  /** Alice created, traded and earned; the stranger has just signed in. */
  bearers: { alice: string; stranger: string };
  /** Of a post on which there is a comment. */
  postId: string;
  /** What the logs of each chain say. */
  truths: ReadonlyMap<string, ChainTruth>;
  stop(): Promise<void>;
}

export const startReadsWorld = async (): Promise<ReadsWorld> => {
  const database = await testDatabase();
  let system: System;
  try {
    // Without a signer nobody has an embedded wallet, whose test money would mine blocks behind our back.
    const env = { CHAINS: worldSlugs.join(','), DATABASE_URL: database.url, LOG_LEVEL: 'silent', ROLES: 'api,indexer' };
    system = await startSystem({ env: { ...env, PLATFORM_NAME: 'Acme Pad' }, heartbeat: false });
  } catch (error) {
    await database.stop();
    throw error;
  }
  const stop = async (): Promise<void> => {
    await system.stop();
    await database.stop();
  };

  const post = postsTo(system.url as string);
  const signIn = async (account: LocalAccount): Promise<string> => (await signInOver(post, account)).accessToken;
  const chain = (slug: string): DevChain => system.chains.find((one) => one.chain.slug === slug) as DevChain;

  try {
    const bearers = {
      alice: await signIn(chain('base-sepolia').accounts.alice),
      stranger: await signIn(privateKeyToAccount(generatePrivateKey())),
    };
    await Promise.all(system.chains.map((one) => liveOn(one, post, bearers.alice)));
    await system.caughtUp();
    const truths = new Map(
      await Promise.all(system.chains.map(async (one) => [one.chain.slug, await readChainTruth(one)] as const)),
    );
    const postId = await posted(post, bearers.alice, await signIn(privateKeyToAccount(generatePrivateKey())));
    return { post, chain, bearers, postId, truths, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** A post with a comment of somebody else, of which the author was told. */
const posted = async (post: Post, bearer: string, other: string): Promise<string> => {
  const first = await post('/create-post', { text: 'Look at this.', taggedCoinId: 'lighthouse' }, bearer);
  const { id } = first.body.post;
  await post('/create-post', { text: 'I see.', parent_id: id }, other);
  await until(async () => (await post('/me', {}, bearer)).body.data.unreadNotifications > 0);
  return id;
};

/** Beyond the seeds: a gift between wallets, and buys through the API at different times. */
const liveOn = async (chain: DevChain, post: Post, bearer: string): Promise<void> => {
  const { accounts, wallet, deployment } = chain;
  const { slug } = chain.chain;
  const dollars = 1_000n * 10n ** BigInt(deployment.usdDecimals);
  await wallet.send(accounts.alice, { to: deployment.usd, data: encodeMint(accounts.alice.address, dollars) });
  const listed = await post('/get-tokens-v2', { keyword: 'paper boat', chains: [slug] });
  const [token] = listed.body.tokens;
  const gift = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [accounts.promoter.address, 7n] });
  await wallet.send(accounts.alice, { to: token.token_addresses[0].address, data: gift });
  // The first seeds are older than an hour then, however young the chain is; of these, one is older than five minutes and one is not.
  await chain.advance(20 * 60);
  for (const [buyAmountUSD, minutesAfter] of [
    [12.5, 6],
    [30, 1],
  ] as const) {
    const order = { tokenId: token.id, chainSlug: slug, direction: 'buy', buyAmountUSD };
    const answer = await post('/trade-token', { ...order, userAddress: accounts.alice.address }, bearer);
    if (answer.status !== 200) throw new Error(`no trade: ${JSON.stringify(answer.body)}`);
    for (const { to, data, gasLimit } of answer.body.transactions)
      await wallet.send(accounts.alice, { to, data, gas: BigInt(gasLimit) });
    await chain.advance(minutesAfter * 60);
  }
};
