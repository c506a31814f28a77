import type { OperationName } from '@mintage/protocol/operations';
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executionSlug as chainSlug, type ExecutionWorld, startExecutionWorld, type User } from './executionWorld.ts';
import { onePixel } from './trade/tradeWorld.ts';

/** A contract of one byte, STOP, and one that could send on: DELEGATECALL. */
const [deaf, proxy]: Address[] = [`0x${'de'.repeat(20)}`, `0x${'9c'.repeat(20)}`];
const stranger: Address = `0x${'e1'.repeat(20)}`;

describe('recipients', () => {
  let world: ExecutionWorld;
  let user: User;
  let tokenId: string;
  let token: Address;
  let walls: Record<string, Address>;
  let budgeted: string;

  const ask = (name: OperationName, input: object, bearer = user.accessToken) => world.call(name, input, { bearer });
  const refused = async (name: OperationName, input: object, field: string, bearer = user.accessToken) => {
    const { status, body } = await ask(name, input, bearer);
    expect([status, body.code, body.details?.[0]?.path], JSON.stringify({ input, body })).toEqual([
      400,
      'UNSAFE_RECIPIENT',
      field,
    ]);
    expect(body.error).toMatch(/got out again/);
  };
  const warned = (body: { warnings: { code: string }[] }): string[] => body.warnings.map(({ code }) => code);

  const transfer = (to: string, more: object = {}) => ({
    token_id: tokenId,
    recipient_address: to,
    amount: '1',
    from_chain_slug: chainSlug,
    to_chain_slug: chainSlug,
    ...more,
  });
  const trade = (more: object) => ({ tokenId, chainSlug, direction: 'buy', buyAmountUSD: 10, ...more });
  const creation = { name: 'Wall Coin', symbol: 'WALL', description: 'x', image: onePixel, chainSlug };

  beforeAll(async () => {
    world = await startExecutionWorld();
    user = await world.newUser();
    const created = await world.done(
      'createTokenTransaction',
      { ...creation, execute: true, amountIn: 100 },
      { bearer: user.accessToken },
    );
    await world.becomes({ intentId: created.intentId }, user.accessToken, 'mined', 'final');
    tokenId = created.metadata.tokenId;
    token = created.metadata.addresses.evm;
    await world.chain.advance(10);
    await world.indexed();
    const { launchpad, usd, tokenFactory, lens, tokenImplementation, poolManager } = world.chain.deployment;
    walls = {
      ...({ token, launchpad, usd, tokenFactory, lens, tokenImplementation, poolManager } as Record<string, Address>),
      dead: '0x000000000000000000000000000000000000dEaD',
      precompiled: '0x0000000000000000000000000000000000000004',
    };
    budgeted = await world.apiKey(user, { budget: { perTradeUsd: 50 } });
    await world.chain.rpc('anvil_setCode', [deaf, '0x00']);
    await world.chain.rpc('anvil_setCode', [proxy, '0x5f5f5f5f5f5ff4']);
  });
  afterAll(() => world?.stop());

  it('error: no asset is sent to a contract of ours, a token, the dollar, the exchange or a burn address', async () => {
    for (const to of Object.values(walls)) {
      await refused('sendTransaction', { to, amount: '1', chainSlug }, 'to');
      await refused('sendTransaction', { to, usd: '1000000', chainSlug }, 'to');
      await refused('transferToken', transfer(to), 'recipient_address');
      await refused('transferToken', transfer(to, { execute: true }), 'recipient_address');
      const bytes = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 1n] });
      await refused('sendTransaction', { to: token, data: bytes, chainSlug }, 'data');
    }
    expect(Object.values(walls).every((one) => typeof one === 'string')).toBe(true);
  });

  it('error: nor does any of them receive test dollars, trade, earn as builder or referral, or stand in a budget', async () => {
    for (const to of Object.values(walls)) {
      await refused('mintUsd', { chainSlug, userAddress: to }, 'userAddress');
      await refused('tradeToken', trade({ userAddress: to }), 'userAddress');
      await refused('tradeToken', trade({ builder: { code: to, fee: 10 } }), 'builder.code');
      await refused('tradeToken', trade({ token_referral: to, simulate: false }), 'token_referral');
      await refused('createTokenTransaction', { ...creation, userAddress: to }, 'userAddress');
      await refused('createTokenTransaction', { ...creation, builder: { code: to, fee: 0 } }, 'builder.code');
      await refused('createTokenTransaction', { ...creation, token_referral: to }, 'token_referral');
      const key = { name: 'bot', budget: { recipients: [stranger, to] } };
      await refused('createApiKey', key, 'budget.recipients.1');
      await refused('createApiKey', { ...key, acknowledge: { recipient: stranger } }, 'budget.recipients.1');
    }
  });

  it('behavior: the very address in acknowledge.recipient is taken, and signed', async () => {
    const dead = walls.dead as Address;
    await refused('transferToken', transfer(dead, { acknowledge: { recipient: stranger } }), 'recipient_address');
    const acknowledge = { recipient: dead };
    const burnt = await world.done('transferToken', transfer(dead, { execute: true, acknowledge }), {
      bearer: user.accessToken,
    });
    expect(warned(burnt)).toEqual(['RECIPIENT_KEEPS_IT']);
    const { intentId } = burnt;
    expect(await world.becomes({ intentId }, user.accessToken, 'mined', 'final', 'failed')).toMatchObject({
      error: null,
    });
    for (const input of [{ usd: '1000000' }, { amount: '1' }])
      expect((await ask('sendTransaction', { to: dead, chainSlug, ...input, acknowledge })).status).toBe(200);
    expect(
      (await ask('tradeToken', trade({ builder: { code: token, fee: 10 }, acknowledge: { recipient: token } }))).status,
    ).toBe(200);
    const wrong = { ...acknowledge, recipent: dead };
    expect((await ask('transferToken', transfer(dead, { acknowledge: wrong }))).body.code).toBe('INVALID_PARAMETERS');
  });

  it('error: the signer refuses what the API lets through: bytes that pay a wall in another way', async () => {
    const dead = walls.dead as Address;
    // A withdrawal and a transferFrom are calls to the API, which judges payments alone.
    const abi = parseAbi(['function withdraw(address currency, address to, uint256 amount)']);
    const data: Hex = encodeFunctionData({ abi, args: [walls.usd as Address, dead, 2n ** 256n - 1n] });
    for (const bearer of [user.accessToken, budgeted]) {
      const { status, body } = await ask('sendTransaction', { to: walls.launchpad, data, chainSlug }, bearer);
      expect([status, body.code], JSON.stringify(body)).toEqual([400, 'UNSAFE_RECIPIENT']);
      expect(body.error).toContain(`acknowledge.recipient "${dead.toLowerCase()}"`);
    }
    const input = { to: walls.launchpad, data, chainSlug, acknowledge: { recipient: dead } };
    expect((await ask('sendTransaction', input)).body.code).not.toBe('UNSAFE_RECIPIENT');
  });

  it('behavior: a contract without a way for the asset, and an address like one that is known, are warned of', async () => {
    const bearer = user.accessToken;
    const prepared = async (to: string) => warned(await world.done('transferToken', transfer(to), { bearer }));
    expect(await prepared(deaf as string)).toEqual(['RECIPIENT_DOUBTFUL']);
    expect(await prepared(proxy as string)).toEqual([]);
    expect(await prepared(stranger)).toEqual([]);
    const like = (known: string): string => known.slice(0, 6) + 'ab'.repeat(16) + known.slice(-4);
    expect(await prepared(like(user.embedded))).toEqual(['RECIPIENT_LOOKS_ALIKE']);
    expect(await prepared(like(user.signIn))).toEqual(['RECIPIENT_LOOKS_ALIKE']);
    expect(await prepared(like(stranger))).toEqual([]);
    const { intentId } = await world.done('sendTransaction', { to: stranger, usd: '1000000', chainSlug }, { bearer });
    await world.becomes({ intentId }, bearer, 'mined', 'final');
    const { body } = await ask('transferToken', transfer(like(stranger)));
    expect(warned(body)).toEqual(['RECIPIENT_LOOKS_ALIKE']);
    expect(body.warnings[0].sentence).toContain(stranger);
    expect(await prepared(stranger)).toEqual([]);
    const sent = await world.done('sendTransaction', { to: like(stranger), amount: '1', chainSlug }, { bearer });
    expect(warned(sent)).toEqual(['RECIPIENT_LOOKS_ALIKE']);
    // It is known from now on.
    await world.becomes({ intentId: sent.intentId }, bearer, 'mined', 'final');
    expect(await prepared(like(stranger))).toEqual([]);
  });

  it('behavior: a call is judged by the policy, and a zero referral means none', async () => {
    const approval = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [walls.launchpad as Address, 1_000_000n],
    });
    expect((await ask('sendTransaction', { to: walls.usd, data: approval, chainSlug })).status).toBe(200);
    const none = { token_referral: `0x${'0'.repeat(40)}`, builder: { code: `0x${'0'.repeat(40)}`, fee: 10 } };
    const { body } = await ask('tradeToken', trade({ ...none, simulate: false }));
    expect(body.success, JSON.stringify(body)).toBe(true);
  });

  it('error: an address with a wrong checksum, in every field', async () => {
    const wrong = '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    for (const [name, input, path] of [
      ['sendTransaction', { to: wrong, amount: '1', chainSlug }, 'to'],
      ['transferToken', transfer(wrong), 'recipient_address'],
      ['mintUsd', { chainSlug, userAddress: wrong }, 'userAddress'],
      ['tradeToken', trade({ userAddress: wrong }), 'userAddress'],
      ['tradeToken', trade({ builder: { code: wrong, fee: 0 } }), 'builder.code'],
      ['tradeToken', trade({ token_referral: wrong }), 'token_referral'],
      ['tradeToken', trade({ tokenId: wrong }), 'tokenId'],
      ['createApiKey', { name: 'bot', budget: { recipients: [wrong] } }, 'budget.recipients.0'],
      ['claimRewards', { userAddress: wrong }, 'userAddress'],
    ] as const) {
      const { status, body } = await ask(name, input);
      expect([status, body.code, body.details?.[0]?.path], name).toEqual([400, 'INVALID_PARAMETERS', path]);
      expect(body.error).toContain('wrong checksum');
    }
  });
});
