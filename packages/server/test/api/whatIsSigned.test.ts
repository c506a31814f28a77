import {
  encodeApprove,
  encodeMulticall,
  encodeOrder,
  launchpadAbi,
  type Order,
  type TradeKind,
} from '@mintage/protocol';
import type { OperationName } from '@mintage/protocol/operations';
import { type Address, encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executionSlug as chainSlug, type ExecutionWorld, startExecutionWorld, type User } from './executionWorld.ts';
import { onePixel } from './trade/tradeWorld.ts';

const builder: Address = `0x${'b1'.repeat(20)}`;
const stranger: Address = `0x${'e1'.repeat(20)}`;
const million = 10n ** 12n;
const largest = 2n ** 128n - 1n;

describe('what a real signer signs, asked through every way in', () => {
  let world: ExecutionWorld;
  let user: User;
  let tokenId: string;
  let token: Address;
  let usd: Address;
  let launchpad: Address;
  /** By what it may: a sign-in of the user, a key without a budget, one with. */
  const bearers = { signIn: '', key: '', budget: '' };

  const ask = (name: OperationName, input: object, bearer: string) => world.call(name, input, { bearer });
  const refused = async (name: OperationName, input: object, bearer: string, code: string): Promise<string> => {
    const { status, body } = await ask(name, input, bearer);
    expect([status >= 400, body.code], JSON.stringify(body)).toEqual([true, code]);
    return body.error as string;
  };
  /** Signed, and mined without an error. */
  const signed = async (name: OperationName, input: object, bearer: string) => {
    const body = await world.done(name, input, { bearer });
    const { intentId } = body;
    expect(await world.becomes({ intentId }, bearer, 'mined', 'final', 'failed')).toMatchObject({ error: null });
    await world.indexed();
    return body;
  };
  const call = (data: Hex, to = launchpad) => ({ to, data, chainSlug });
  const order = (kind: TradeKind, fields: Partial<Order>): Hex =>
    encodeOrder(kind, {
      token,
      amount: 1_000_000n,
      limit: 0n,
      recipient: user.embedded,
      builder: zeroAddress,
      builderBps: 0n,
      referral: zeroAddress,
      deadline: 2n ** 40n,
      ...fields,
    });
  const approve = (amount: bigint, spender = launchpad) => call(encodeApprove(spender, amount), usd);
  const quoteOf = async (fields: object) => {
    const input = { tokenId, chainSlug, userAddress: user.signIn, ...fields };
    return (await world.done('tradeToken', input, { bearer: bearers.signIn })).quote;
  };
  const quote = async (fields: object): Promise<bigint> => BigInt((await quoteOf(fields)).outputAmountRaw);
  /** What orders by bytes take; a trade that brings its own approval takes its place. */
  const allow = () => signed('sendTransaction', approve(1_000_000_000n), bearers.signIn);

  beforeAll(async () => {
    world = await startExecutionWorld();
    ({ usd, launchpad } = world.chain.deployment as { usd: Address; launchpad: Address });
    user = await world.newUser();
    bearers.signIn = user.accessToken;
    bearers.key = await world.apiKey(user);
    bearers.budget = await world.apiKey(user, { budget: { perTradeUsd: 50, maxBuilderBps: 10_000 } });
    const creation = { name: 'Careful Coin', symbol: 'CARE', description: 'x', image: onePixel, chainSlug };
    const created = await world.done(
      'createTokenTransaction',
      { ...creation, execute: true, amountIn: 100 },
      { bearer: bearers.signIn },
    );
    await world.becomes({ intentId: created.intentId }, bearers.signIn, 'mined', 'final');
    tokenId = created.metadata.tokenId;
    token = created.metadata.addresses.evm;
    await world.chain.advance(10);
    await world.indexed();
  });
  afterAll(() => world?.stop());

  describe('H6 builder fees', () => {
    const buy = (fee: number, more: object = {}) => ({
      tokenId,
      chainSlug,
      direction: 'buy',
      buyAmountUSD: 10,
      builder: { code: builder, fee },
      execute: true,
      ...more,
    });

    it('H6 error: 9 of 10 dollars for a builder are signed for nobody who did not repeat the figure', async () => {
      for (const bearer of [bearers.signIn, bearers.key, bearers.budget]) {
        const said = await refused('tradeToken', buy(9_000), bearer, 'ACKNOWLEDGEMENT_MISSING');
        expect(said).toMatch(/acknowledge\.builderFeeBps 9000/);
        const nearly = { acknowledge: { builderFeeBps: 8_999 } };
        await refused('tradeToken', buy(9_000, nearly), bearer, 'ACKNOWLEDGEMENT_MISSING');
        await refused('tradeToken', buy(101), bearer, 'ACKNOWLEDGEMENT_MISSING');
      }
      await refused(
        'tradeToken',
        buy(9_000, { acknowledge: { builderFee: 9_000 } }),
        bearers.key,
        'INVALID_PARAMETERS',
      );
      await signed('tradeToken', buy(100), bearers.key);
      for (const bearer of [bearers.signIn, bearers.key, bearers.budget])
        await signed('tradeToken', buy(9_000, { acknowledge: { builderFeeBps: 9_000 } }), bearer);
    });

    it('H6 error: nor by bytes, alone or within multicalls, nor in bytes that hide something, nor by another way', async () => {
      await allow();
      const fee = { builder, builderBps: 9_000n, limit: 1n };
      const acknowledged = { acknowledge: { builderFeeBps: 9_000, limitRaw: '1' } };
      const bytes = order('buyExactIn', fee);
      const ways = [bytes, encodeMulticall([bytes]), encodeMulticall([encodeMulticall([bytes])])];
      for (const data of ways) {
        await refused('sendTransaction', call(data), bearers.key, 'ACKNOWLEDGEMENT_MISSING');
        await refused('sendTransaction', call(data), bearers.signIn, 'ACKNOWLEDGEMENT_MISSING');
      }
      // Read by the contract as the same order, but not as a plain encoder writes it.
      for (const hiding of [`${bytes}00`, `${bytes}${'00'.repeat(32)}`] as Hex[])
        await refused('sendTransaction', { ...call(hiding), ...acknowledged }, bearers.signIn, 'INVALID_PARAMETERS');
      const action = { type: 'tradeToken', ...buy(9_000) };
      const envelope = { source: 'Testnet', expiresAfter: 60_000, action };
      await refused('platformAction', envelope, bearers.key, 'ACKNOWLEDGEMENT_MISSING');
      const creation = { name: 'Fee Coin', symbol: 'FEE', description: 'x', image: onePixel, chainSlug, amountIn: 10 };
      const builderFee = { builder: { code: builder, fee: 1_900 }, execute: true };
      await refused('createTokenTransaction', { ...creation, ...builderFee }, bearers.key, 'ACKNOWLEDGEMENT_MISSING');
      await signed('sendTransaction', { ...call(ways[2] as Hex), ...acknowledged }, bearers.signIn);
    });

    it('H6 default: a trade for an own wallet is prepared with any fee and a warning', async () => {
      const prepared = await world.done('tradeToken', buy(9_000, { execute: false }), { bearer: bearers.key });
      expect(prepared.warnings.map(({ code }: { code: string }) => code)).toContain('BUILDER_FEE');
    });
  });

  describe('H12 limits', () => {
    const worse = (amount: bigint, bps: bigint): bigint => (amount * (10_000n - bps)) / 10_000n;

    it('H12 error: a limit of zero is not signed for a budget, acknowledged or not, and an order at 3 % is', async () => {
      await allow();
      const sold = 10n ** 20n;
      const bought = await quote({ direction: 'buy', buyAmountUSD: 1 });
      const earned = await quote({ direction: 'sell', sellAmountToken: 100 });
      for (const [kind, amount, fair] of [
        ['buyExactIn', 1_000_000n, bought],
        ['sellExactIn', sold, earned],
      ] as const) {
        for (const limit of [0n, worse(fair, 310n)]) {
          const input = { ...call(order(kind, { amount, limit })), acknowledge: { limitRaw: limit.toString() } };
          await refused('sendTransaction', input, bearers.budget, 'SLIPPAGE_TOO_HIGH');
          const nested = call(encodeMulticall([order(kind, { amount, limit })]));
          await refused('sendTransaction', nested, bearers.budget, 'SLIPPAGE_TOO_HIGH');
        }
        const limit = worse(fair, 250n);
        await signed('sendTransaction', call(order(kind, { amount, limit })), bearers.budget);
      }
    });

    it('H12 error: most paid, the other way round', async () => {
      const tokens = 10n ** 20n;
      const cost = BigInt((await quoteOf({ direction: 'buy', buyAmountToken: 100 })).inputAmountRaw);
      const buy = (limit: bigint) => call(order('buyExactOut', { amount: tokens, limit }));
      await refused('sendTransaction', buy((cost * 104n) / 100n), bearers.budget, 'SLIPPAGE_TOO_HIGH');
      await refused('sendTransaction', buy(cost * 2n), bearers.key, 'ACKNOWLEDGEMENT_MISSING');
      await signed('sendTransaction', buy((cost * 102n) / 100n), bearers.budget);
      await signed('sendTransaction', buy((cost * 140n) / 100n), bearers.key);
    });

    it('H12 error: further than 5000 basis points only with the figure, by the user and unbudgeted keys', async () => {
      const fair = await quote({ direction: 'buy', buyAmountUSD: 1 });
      for (const bearer of [bearers.signIn, bearers.key]) {
        const said = await refused('sendTransaction', call(order('buyExactIn', {})), bearer, 'ACKNOWLEDGEMENT_MISSING');
        expect(said).toMatch(/acknowledge\.limitRaw "0"/);
        const wrong = { acknowledge: { limitRaw: '1' } };
        await refused(
          'sendTransaction',
          { ...call(order('buyExactIn', {})), ...wrong },
          bearer,
          'ACKNOWLEDGEMENT_MISSING',
        );
        await signed('sendTransaction', { ...call(order('buyExactIn', {})), acknowledge: { limitRaw: '0' } }, bearer);
        await signed('sendTransaction', call(order('buyExactIn', { limit: worse(fair, 4_000n) })), bearer);
      }
    });

    it('H12 behavior: an initial buy is judged by the first price of its token', async () => {
      const fresh = (limit: bigint) => {
        const salt = `0x${'5a'.repeat(31)}${limit === 0n ? '01' : '02'}` as Hex;
        const params = { name: 'New', symbol: 'NEW', uri: 'ipfs://x', salt, poolType: 7, deadline: 2n ** 40n };
        const create = encodeFunctionData({ abi: launchpadAbi, functionName: 'create', args: [params] });
        return { create, salt };
      };
      const tokenOf = async (salt: Hex): Promise<Address> => {
        const abi = parseAbi(['function tokenAddress(address creator, bytes32 salt) view returns (address)']);
        const data = encodeFunctionData({ abi, functionName: 'tokenAddress', args: [user.embedded, salt] });
        const answer = (await world.chain.rpc('eth_call', [{ to: launchpad, data }, 'latest'])) as Hex;
        return `0x${answer.slice(-40)}`;
      };
      const bytes = async (limit: bigint): Promise<Hex> => {
        const { create, salt } = fresh(limit);
        const first = order('buyExactIn', { token: await tokenOf(salt), limit });
        return encodeMulticall([create, first]);
      };
      await refused('sendTransaction', call(await bytes(0n)), bearers.budget, 'SLIPPAGE_TOO_HIGH');
      await refused('sendTransaction', call(await bytes(0n)), bearers.key, 'ACKNOWLEDGEMENT_MISSING');
      // A fifth of the dollar reaches the curve: 17,999 tokens, less 3 % at most.
      await signed('sendTransaction', call(await bytes(17_500n * 10n ** 18n)), bearers.budget);
      const creation = { name: 'Bought', symbol: 'BGT', description: 'x', image: onePixel, chainSlug, execute: true };
      await signed('createTokenTransaction', { ...creation, tokensOut: 1_000, maxAmountIn: 40 }, bearers.budget);
    });
  });

  describe('H13 approvals', () => {
    const increase = (spender: Address, amount: bigint): Hex =>
      encodeFunctionData({
        abi: parseAbi(['function increaseAllowance(address spender, uint256 added)']),
        functionName: 'increaseAllowance',
        args: [spender, amount],
      });

    it('H13 error: nothing but what is spent, or a little for the Launchpad, is approved by a key', async () => {
      for (const bearer of [bearers.key, bearers.budget]) {
        for (const amount of [largest, 10n * million])
          await refused('sendTransaction', approve(amount), bearer, 'BUDGET_EXCEEDED');
        const figure = { acknowledge: { approvalRaw: largest.toString() } };
        await refused('sendTransaction', { ...approve(largest), ...figure }, bearer, 'BUDGET_EXCEEDED');
        for (const one of [approve(1n, stranger), { ...approve(1n, stranger), acknowledge: { approvalRaw: '1' } }])
          await refused('sendTransaction', one, bearer, 'RECIPIENT_NOT_ALLOWED');
        await signed('sendTransaction', approve(50_000_000n), bearer);
        await signed('sendTransaction', approve(0n, stranger), bearers.key);
      }
      await refused('sendTransaction', approve(50_000_001n), bearers.budget, 'BUDGET_EXCEEDED');
      await signed('sendTransaction', approve(10_000_000_000n), bearers.key);
      await refused('sendTransaction', approve(10_000_000_001n), bearers.key, 'BUDGET_EXCEEDED');
    });

    it('H13 error: the user, signed in, repeats the figure, below 2^128', async () => {
      const said = await refused('sendTransaction', approve(largest), bearers.signIn, 'ACKNOWLEDGEMENT_MISSING');
      expect(said).toMatch(`acknowledge.approvalRaw "${largest}"`);
      const off = { acknowledge: { approvalRaw: (largest - 1n).toString() } };
      await refused('sendTransaction', { ...approve(largest), ...off }, bearers.signIn, 'ACKNOWLEDGEMENT_MISSING');
      await refused('sendTransaction', approve(1n, stranger), bearers.signIn, 'ACKNOWLEDGEMENT_MISSING');
      const endless = { acknowledge: { approvalRaw: (largest + 1n).toString() } };
      await refused('sendTransaction', { ...approve(largest + 1n), ...endless }, bearers.signIn, 'INVALID_PARAMETERS');
      const meant = { acknowledge: { approvalRaw: largest.toString() } };
      await signed('sendTransaction', { ...approve(largest), ...meant }, bearers.signIn);
      await signed('sendTransaction', approve(0n), bearers.signIn);
      await signed('sendTransaction', { ...approve(7n, stranger), acknowledge: { approvalRaw: '7' } }, bearers.signIn);
      await signed('sendTransaction', approve(0n, stranger), bearers.signIn);
    });

    it('H13 default: the approval that a trade brings is exact, whatever its size', async () => {
      await signed('mintUsd', { chainSlug, amount: 30_000, execute: true }, bearers.signIn);
      const buy = { tokenId, chainSlug, direction: 'buy', buyAmountUSD: 12_000, execute: true };
      await signed('tradeToken', buy, bearers.key);
    });

    it('H13 error: other forms of approvals, of any contract', async () => {
      // A contract that takes every call: the trial has no objection, so the signer has to have one.
      const taker: Address = `0x${'7a'.repeat(20)}`;
      await world.chain.rpc('anvil_setCode', [taker, '0x00']);
      const budgeted = await world.apiKey(user, { budget: { contracts: [taker], perTradeUsd: 50 } });
      const permit2 = encodeFunctionData({
        abi: parseAbi(['function approve(address token, address spender, uint160 amount, uint48 expiration)']),
        functionName: 'approve',
        args: [usd, stranger, 5n, 1],
      });
      const nested = encodeFunctionData({
        abi: parseAbi(['function multicall(uint256 deadline, bytes[] calls)']),
        functionName: 'multicall',
        args: [5n, [permit2]],
      });
      for (const data of [increase(stranger, 5n), permit2, nested]) {
        for (const bearer of [bearers.key, budgeted])
          await refused('sendTransaction', call(data, taker), bearer, 'RECIPIENT_NOT_ALLOWED');
        await refused('sendTransaction', call(data, taker), bearers.signIn, 'ACKNOWLEDGEMENT_MISSING');
        await signed('sendTransaction', { ...call(data, taker), acknowledge: { approvalRaw: '5' } }, bearers.signIn);
      }
      const all = encodeFunctionData({
        abi: parseAbi(['function setApprovalForAll(address operator, bool approved)']),
        functionName: 'setApprovalForAll',
        args: [stranger, true],
      });
      for (const bearer of [bearers.signIn, bearers.key, budgeted])
        await refused('sendTransaction', call(all, taker), bearer, 'INVALID_PARAMETERS');
    });
  });
});
