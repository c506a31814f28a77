import { until } from '@mintage/devnet/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onePixel } from '../trade/tradeWorld.ts';
import { startToolWorld, type ToolClient, type ToolUser, type ToolWorld, toolSlug } from './toolWorld.ts';

const someone = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/);

let world: ToolWorld;
beforeAll(async () => {
  world = await startToolWorld();
});
afterAll(() => world?.stop());

/** The official clients of both eras of the protocol, each through all six tools, on a chain that is really there. */
describe.each(['new', 'earlier'] as const)('the six tools, by the %s client', (era) => {
  let user: ToolUser;
  let client: ToolClient;
  let tokenId: string;
  beforeAll(async () => {
    user = await world.newUser();
    client = await world.connect(await world.apiKey(user, { scopes: ['read', 'prepare', 'execute'] }), era);
  });
  afterAll(() => client?.close());

  const done = async (name: string, parameters: object) => {
    const { isError, body } = await client.call(name, parameters);
    expect(isError, JSON.stringify(body)).toBe(false);
    if (typeof body.intentId === 'string') await mined(body.intentId);
    return body;
  };
  /** An answer waits for the block too, but on a busy machine not long enough for a test. */
  const mined = (intentId: string) =>
    until(async () => /mined|final/.test((await client.call('transaction_status', { intentId })).body.status));

  it('speaks the version of its era, and lists the tools', async () => {
    expect(client.version).toBe(era === 'new' ? '2026-07-28' : '2025-11-25');
    expect((await client.names()).slice(0, 6)).toEqual([
      'create_token',
      'get_tokens',
      'search_token',
      'trade_token',
      'quote_trade_token',
      'execute_transaction',
    ]);
  });

  it('get_tokens', async () => {
    const { tokens, total } = await done('get_tokens', { filter: 'new', limit: 2 });
    expect(tokens).toHaveLength(2);
    expect(total).toBeGreaterThan(2);
    expect(tokens[0]).toMatchObject({ upvote_count: 0, downvote_count: 0, holders_count: expect.any(Number) });
  });

  it('search_token', async () => {
    const found = await done('search_token', { input: 'paper-boat' });
    expect(found).toMatchObject({
      name: '<untrusted>Paper Boat</untrusted>',
      price_usd: expect.any(Number),
      holders_count: expect.any(Number),
    });
    tokenId = found.id;
    const none = await client.call('search_token', { input: 'there is no such token' });
    expect([none.isError, none.body.code]).toEqual([true, 'TOKEN_NOT_FOUND']);
  });

  it('quote_trade_token: the quote is what the trade then says', async () => {
    const trade = await done('trade_token', { tokenId, chainSlug: toolSlug, direction: 'buy', buyAmountUSD: 10 });
    const asked = { tokenId, chainSlug: toolSlug, direction: 'buy', amount: 10, inputToken: 'usdc' };
    // A quote comes from the index, which may be a second behind the trades of the client before.
    await expect
      .poll(() => done('quote_trade_token', asked))
      .toMatchObject({
        inputAmount: 10,
        protocol: 'BondingCurve',
        isGraduated: false,
        inputAmountRaw: trade.inputAmountRaw,
        outputAmountRaw: trade.outputAmountRaw,
      });
    expect(trade).toMatchObject({ success: true, executed: false, transactionHash: '', intentId: null });
    expect(trade.transactions).toHaveLength(2);
    const { outputAmount } = await done('quote_trade_token', { tokenId, chainSlug: toolSlug });
    expect(outputAmount).toBeGreaterThan(0);
  });

  it('trade_token: with autoExecute the embedded wallet buys, and later sells', async () => {
    const before = await world.dollars(user.embedded);
    const bought = await done('trade_token', {
      tokenId,
      chainSlug: toolSlug,
      direction: 'buy',
      buyAmountUSD: 10,
      autoExecute: true,
    });
    expect(bought).toMatchObject({ success: true, executed: true, transactionHash: hash, protocol: 'BondingCurve' });
    expect(before - (await world.dollars(user.embedded))).toBe(10_000_000n);
    const receipt = (await world.chain.rpc('eth_getTransactionReceipt', [bought.transactionHash])) as object;
    expect(receipt).toMatchObject({ status: '0x1', from: user.embedded });

    const sold = await done('trade_token', {
      tokenId,
      chainSlug: toolSlug,
      direction: 'sell',
      sellAmountToken: bought.outputAmountRaw,
      autoExecute: true,
    });
    expect(sold).toMatchObject({ executed: true, transactionHash: hash });
    expect(await done('transaction_status', { intentId: sold.intentId })).toMatchObject({
      status: expect.stringMatching(/mined|final/),
      hash: sold.transactionHash,
    });
  });

  it('create_token: prepared, or with autoExecute created', async () => {
    const parameters = {
      name: `Made by ${era}`,
      symbol: 'MADE',
      description: 'By a tool.',
      image: onePixel,
      chainSlug: toolSlug,
    };
    const prepared = await done('create_token', { ...parameters, userAddress: someone });
    expect(prepared).toMatchObject({ success: true, executed: false, transactionHash: '' });
    const made = await done('create_token', { ...parameters, autoExecute: true });
    expect(made).toMatchObject({ success: true, executed: true, transactionHash: hash });
    const receipt = (await world.chain.rpc('eth_getTransactionReceipt', [made.transactionHash])) as object;
    expect(receipt).toMatchObject({ status: '0x1', from: user.embedded });
    await world.indexed();
    const found = await done('search_token', { input: made.contractAddress });
    expect([found.id, found.name]).toEqual([made.tokenId, `<untrusted>Made by ${era}</untrusted>`]);
  });

  it('execute_transaction', async () => {
    const to = `0x${'aa'.repeat(20)}`;
    const sent = await done('execute_transaction', { to, amount: '12345', chainSlug: toolSlug });
    expect(sent).toMatchObject({ success: true, transactionHash: hash });
    expect(BigInt((await world.chain.rpc('eth_getBalance', [to, 'latest'])) as string) > 0n).toBe(true);
  });

  it('error: each with its code and the catalogue’s own', async () => {
    const refused = async (name: string, parameters: object) => {
      const { isError, body } = await client.call(name, parameters);
      expect(isError, JSON.stringify(body)).toBe(true);
      expect(Object.keys(body)).toEqual(['error', 'code', 'details']);
      return [body.code, body.details.code];
    };
    const trade = { tokenId, chainSlug: toolSlug, direction: 'buy' };
    expect(await refused('trade_token', { ...trade, buyAmountUSD: 5, sellAmountUSD: 5 })).toEqual([
      'INVALID_PARAMETERS',
      'INVALID_PARAMETERS',
    ]);
    expect(await refused('trade_token', { ...trade, tokenId: 'nobody', buyAmountUSD: 5 })).toEqual([
      'TOKEN_NOT_FOUND',
      'TOKEN_NOT_FOUND',
    ]);
    expect(await refused('trade_token', { ...trade, chainSlug: 'polygon', buyAmountUSD: 5 })).toEqual([
      'INVALID_PARAMETERS',
      'INVALID_PARAMETERS',
    ]);
    expect(await refused('trade_token', { ...trade, buyAmountUSD: 1e12, autoExecute: true })).toEqual([
      'INSUFFICIENT_BALANCE',
      'INSUFFICIENT_BALANCE',
    ]);
    expect(
      await refused('trade_token', { ...trade, buyAmountUSD: 5, autoExecute: true, userAddress: someone }),
    ).toEqual(['INVALID_PARAMETERS', 'INVALID_PARAMETERS']);
    // An empty order to the Launchpad reverts, and is told so before anything is signed.
    const { launchpad } = world.chain.deployment;
    expect(
      await refused('execute_transaction', { to: launchpad, amount: '0', chainSlug: toolSlug, data: '0xdeadbeef' }),
    ).toEqual(['TRANSACTION_FAILED', 'TRANSACTION_FAILED']);
  });

  it('R5 a write with the same idempotencyKey is done once', async () => {
    const parameters = { tokenId, chainSlug: toolSlug, direction: 'buy', buyAmountUSD: 3, autoExecute: true };
    const before = await world.dollars(user.embedded);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => client.call('trade_token', parameters, { idempotencyKey: `once-${era}` })),
    );
    const hashes = new Set(answers.map(({ body }) => body.transactionHash));
    expect([...hashes], JSON.stringify(answers.map(({ body }) => body.error))).toHaveLength(1);
    await mined(answers[0]?.body.intentId);
    expect(before - (await world.dollars(user.embedded))).toBe(3_000_000n);
  });

  it('T6 without the scope nothing is executed', async () => {
    const weak = await world.connect(await world.apiKey(user, { scopes: ['read', 'prepare'] }), era);
    const before = await world.dollars(user.embedded);
    const { body } = await weak.call('trade_token', {
      tokenId,
      chainSlug: toolSlug,
      direction: 'buy',
      buyAmountUSD: 10,
      autoExecute: true,
    });
    expect([body.code, body.details.code]).toEqual(['AUTHENTICATION_FAILED', 'SCOPE_MISSING']);
    const sent = await weak.call('execute_transaction', { to: someone, amount: '1', chainSlug: toolSlug });
    expect([sent.body.code, sent.body.details.code]).toEqual(['AUTHENTICATION_FAILED', 'SCOPE_MISSING']);
    expect(await world.dollars(user.embedded)).toBe(before);
    await weak.close();
  });
});
