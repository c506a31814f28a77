import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@mintage/devnet/until';
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSession } from '../../src/api/accounts/sessions.ts';
import { basePath } from '../../src/api/wire/limits.ts';
import { executionSlug as chainSlug, type ExecutionWorld, startExecutionWorld, type User } from './executionWorld.ts';
import { onePixel } from './trade/tradeWorld.ts';

/** What the public guides tell an agent to do, with nothing but an API key, over real HTTP (wire contract 8). */
describe('the flow of an agent', () => {
  let world: ExecutionWorld;
  let owner: User;
  let apiKey: string;
  let embedded: Address;

  beforeAll(async () => {
    world = await startExecutionWorld();
    owner = await world.newUser();
    const code = {
      network: 'testnet',
      code_key: 'alice2025',
      code: 'ALICE2025',
      user_id: owner.userId,
      created_at: new Date(),
    } as const;
    await world.api.context.db.insertInto('referral_code').values(code).execute();
    // Someone who has an API key and nothing else; the first call makes the embedded wallet.
    const { context } = world.api;
    const userId = crypto.randomUUID();
    await context.db.insertInto('app_user').values({ user_id: userId }).execute();
    const accessToken = await context.auth.issueAccessToken({
      ...(await startSession(context, { userId }, Date.now())),
      confirmedAtMs: Date.now(),
    });
    const key = await world.done('createApiKey', { name: 'agent' }, { bearer: accessToken });
    apiKey = key.key;
  });
  afterAll(() => world?.stop());

  const request = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const response = await fetch(`${world.api.url}${basePath}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer = await response.json();
    expect(response.status, `${path}: ${JSON.stringify(answer)}`).toBe(200);
    // oxlint-disable-next-line typescript/no-explicit-any -- the shape differs from call to call and is what the test asserts
    return answer as any;
  };
  const post = (path: string, body: object = {}) => request('POST', path, body);

  interface Item {
    to: string;
    data: string;
    value?: string;
    chainSlug: string;
    transactionDelay?: number;
  }

  /** Each item by `/send-transaction`, waiting as long as it says; then until all are mined. */
  const sendAll = async (transactions: readonly Item[]): Promise<void> => {
    const hashes: string[] = [];
    for (const { to, data, value, chainSlug: on, transactionDelay = 0 } of transactions) {
      const sent = await post('/send-transaction', { to, data, amount: value ?? '0', chainSlug: on });
      expect(sent).toMatchObject({ success: true, hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
      hashes.push(sent.hash);
      await sleep(transactionDelay * 1_000);
    }
    for (const hash of hashes) {
      expect(await world.becomes({ hash }, apiKey, 'mined', 'final', 'failed')).toMatchObject({ error: null });
    }
  };
  const read = async (to: Address, data: Hex): Promise<Hex> =>
    (await world.chain.rpc('eth_call', [{ to, data }, 'latest'])) as Hex;
  const held = async (of: Address): Promise<bigint> =>
    BigInt(await read(of, encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [embedded] })));

  it('me, referral code, creation, trade, each item by send-transaction, then fees and claim', async () => {
    embedded = await until(async () => {
      const { data } = await request('GET', '/me?include_testnets=true');
      expect(data.authMethod).toBe('apiKey');
      expect(data.wallets.length).toBeLessThanOrEqual(1);
      return data.wallets[0]?.embedded ? (data.wallets[0].address as Address) : null;
    });
    await until(async () => {
      const { data } = await request('GET', '/me?include_testnets=true');
      return data.balances[0].native.balanceRaw > 0 && data.balances[0].usd.balanceRaw > 0;
    });

    const entered = await post('/enter-referral-code', { referral_code: 'alice2025', network_mode: 'testnet' });
    expect(entered).toMatchObject({ success: true, referrer_code: 'ALICE2025' });

    const created = await post('/create-token-transaction', {
      name: 'Agent Coin',
      symbol: 'AGENT',
      description: 'Made by an agent.',
      image: onePixel,
      chainSlug,
      amountIn: 20,
    });
    expect(created).toMatchObject({ success: true, executed: false, transactionHash: '' });
    expect(created.transactions).toHaveLength(2);
    await sendAll(created.transactions);
    const { tokenId, addresses } = created.metadata;
    expect(await held(addresses.evm)).toBe(BigInt(created.quote.outputAmountRaw));

    await world.chain.advance(10);
    const bought = await post('/trade-token', { tokenId, chainSlug, direction: 'buy', buyAmountUSD: 25 });
    expect(bought).toMatchObject({ success: true, executed: false });
    const before = await held(addresses.evm);
    await sendAll(bought.transactions);
    expect((await held(addresses.evm)) - before).toBe(BigInt(bought.quote.outputAmountRaw));

    await world.indexed();
    const { tokens } = await post('/get-tokens-v2', { keyword: 'Agent Coin', chains: [chainSlug] });
    expect(tokens.map((token: { symbol: string }) => token.symbol)).toEqual(['AGENT']);
    const { data: portfolio } = await post('/get-user-portfolio');
    expect(portfolio.tokens[0].chainBalances[0]).toMatchObject({ walletAddress: embedded });

    // The voucher in the first transaction told the chain who referred the agent.
    const referrerOf = parseAbi(['function referrerOf(address) view returns (address)']);
    const referrer = await read(
      world.chain.deployment.launchpad,
      encodeFunctionData({ abi: referrerOf, functionName: 'referrerOf', args: [embedded] }),
    );
    expect(`0x${referrer.slice(-40)}`).toBe(owner.signIn);

    const fees = await post('/get-user-fees');
    const claimable = BigInt(fees.balances[0].claimable_amount);
    expect(claimable).toBeGreaterThan(0n);
    expect(fees.wallets).toMatchObject([{ address: embedded, claimable: fees.summary.total_claimable_usd }]);
    expect(fees.wallets[0].chains).toMatchObject([{ chain: 'base-sepolia', claimable_amount: `${claimable}` }]);
    const claim = await post('/claim-rewards');
    expect(claim.transactions).toHaveLength(1);
    const dollars = await held(world.chain.deployment.usd as Address);
    await sendAll(claim.transactions);
    expect((await held(world.chain.deployment.usd as Address)) - dollars).toBe(claimable);
    await world.indexed();
    expect((await post('/get-user-fees')).balances[0].claimable_amount).toBe('0');

    const { leaderboard } = await post('/get-leaderboard', { network_mode: 'testnet' });
    const { data: account } = await request('GET', '/me');
    const line = leaderboard.find((one: { recipient_address: string }) => one.recipient_address === embedded);
    expect(line?.user_id).toBe(account.userId);
  });
});
