import { formatUnits, poolTypes, protocolNames, type VenueKind } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTradeWorld, type TradeWorld, tradeOf, worldSlugs } from './tradeWorld.ts';

describe('quoteToken and getPoolData on a chain', () => {
  let world: TradeWorld;
  beforeAll(async () => {
    world = await startTradeWorld();
    for (const slug of worldSlugs) for (const who of ['alice', 'bob'] as const) await world.fund(slug, who, 1_000_000n);
  });
  afterAll(() => world?.stop());

  const quote = (body: object) => world.call('quoteToken', body);

  describe.each(worldSlugs)('%s', (slug) => {
    it('promise 1: all four meanings of amount, on the curve and on the pool, are what a trade then does', async () => {
      const { tokenId, address } = await world.create(slug, 'alice', { poolType: 'test', amountIn: 2 });
      await world.chain(slug).advance(10);
      const { venue, exchange } = world.chain(slug).deployment;
      for (const stage of ['curve', 'pool']) {
        for (const { direction, inputToken, amount, field } of [
          { direction: 'buy', inputToken: 'usdc', amount: 12.34, field: 'buyAmountUSD' },
          { direction: 'buy', inputToken: 'token', amount: 1_234_567.5, field: 'buyAmountToken' },
          { direction: 'sell', inputToken: 'token', amount: 765_432.1, field: 'sellAmountToken' },
          { direction: 'sell', inputToken: 'usdc', amount: 1.5, field: 'sellAmountUSD' },
        ]) {
          await world.indexed();
          const { status, body } = await quote({ chainSlug: slug, tokenId, direction, inputToken, amount });
          expect(status, JSON.stringify(body)).toBe(200);
          const trade = await world.trade(slug, 'bob', { tokenId, direction, [field]: amount });
          const { record } = tradeOf(await world.send(slug, 'bob', trade));
          const usd = direction === 'buy' ? record.grossUsd : record.grossUsd - record.fees.total;
          const raw = inputToken === 'token' ? usd : record.tokens;
          expect(body.data).toMatchObject({
            tokenId,
            tokenSymbol: 'TEST',
            tokenName: 'Tested Coin',
            inputAmount: amount,
            outputAmountRaw: raw.toString(),
            usedAmountRaw: body.data.inputAmountRaw,
            protocol: stage === 'curve' ? 'BondingCurve' : protocolNames[venue as VenueKind],
            isGraduated: stage === 'pool',
            antiSnipe: null,
            state: {
              source: stage === 'pool' && exchange !== null ? 'chain' : 'index',
              chainSlug: slug,
              token: address,
            },
            inputTokenSymbol: inputToken === 'token' ? 'TEST' : world.chain(slug).deployment.usdSymbol,
            outputTokenSymbol: inputToken === 'usdc' ? 'TEST' : world.chain(slug).deployment.usdSymbol,
          });
          expect(body.data.initFee).toBe(stage === 'curve' ? 0 : undefined);
          const unit = inputToken === 'token' ? world.chain(slug).deployment.usdDecimals : 18;
          expect(body.data.outputAmount).toBe(Number(formatUnits(raw, unit)));
        }
        if (stage === 'pool') continue;
        await world.send(slug, 'bob', await world.trade(slug, 'bob', { tokenId, direction: 'buy', buyAmountUSD: 900 }));
        await world.graduate(slug, address);
      }
    });
  });

  it('behavior: a new token is priced at its first second, by pool type', async () => {
    const { body } = await quote({ chainSlug: 'base-sepolia', direction: 'buy', inputToken: 'usdc', amount: 1_000 });
    expect(body.data).toMatchObject({
      tokenId: '00000000-0000-0000-0000-000000000000',
      tokenSymbol: 'NEW',
      tokenName: 'New token',
      isGraduated: false,
      state: { source: 'pool_type', blockNumber: null, createdAt: null, feeBps: 8000 },
      antiSnipe: { feeBps: 8000, secondsLeft: 6 },
    });
    // product.md 3, row 3: 17.7 M tokens at once, 82.6 M after the window.
    expect(body.data.outputAmount / 1e6).toBeCloseTo(17.7, 1);
    expect(Number(body.data.antiSnipe.outputAfterWindow) / 1e6).toBeCloseTo(82.6, 1);
    for (const { slug, virtualUsd } of poolTypes) {
      const { body } = await quote({ chainSlug: 'base-sepolia', poolType: slug, direction: 'buy' });
      expect(body.data).toMatchObject({ direction: 'buy', inputToken: 'token', inputAmount: 1 });
      expect(body.data.state.curve.virtualUsd).toBe(`${virtualUsd}000000`);
    }
  });

  it('behavior: a draft is priced by its id, and by nothing else, until its creation is mined', async () => {
    const { body: draft } = await world.call(
      'createTokenTransaction',
      {
        name: 'Drafted Coin',
        symbol: 'DRAFT',
        description: 'Never sent.',
        image:
          'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        chainSlug: 'base-sepolia',
        userAddress: world.signedIn,
      },
      { bearer: world.bearer },
    );
    const { tokenId, slug, addresses } = draft.metadata;
    const ask = { chainSlug: 'base-sepolia', direction: 'buy', inputToken: 'usdc', amount: 5 };
    expect((await quote({ ...ask, tokenId })).body.data).toMatchObject({
      tokenId,
      tokenSymbol: 'DRAFT',
      state: { source: 'pool_type', token: addresses.evm, feeBps: 8000 },
    });
    for (const ref of [slug, addresses.evm, draft.metadata.platform_id])
      expect((await quote({ ...ask, tokenId: ref })).body.code).toBe('TOKEN_NOT_FOUND');
    expect((await quote({ ...ask, chainSlug: 'bnb-testnet', tokenId })).body.code).toBe('TOKEN_NOT_FOUND');
    const trade = await world.trade('base-sepolia', 'bob', { tokenId, direction: 'buy', buyAmountUSD: 5 });
    expect([trade.status, trade.body.code]).toEqual([400, 'TOKEN_NOT_FOUND']);
    expect(trade.body.error).toMatch(/not created yet/);
  });

  it('behavior: a token is named by id, platform id, address or slug, in any case', async () => {
    const { address, answer } = await world.create('base-sepolia', 'alice');
    await world.indexed();
    const { tokenId, platform_id, slug } = answer.body.metadata;
    for (const ref of [tokenId, platform_id, address, slug, tokenId.toUpperCase(), slug.toUpperCase()]) {
      const { body } = await quote({ chainSlug: 'base-sepolia', tokenId: ref, direction: 'buy' });
      expect(body, ref).toMatchObject({ data: { tokenId } });
      const other = await quote({ chainSlug: 'bnb-testnet', tokenId: ref, direction: 'buy' });
      expect([other.status, other.body.code]).toEqual([400, 'TOKEN_NOT_FOUND']);
    }
  });

  it('getPoolData: the curve as the chain has it, and the pool after graduation', async () => {
    const slug = 'base-sepolia';
    const { tokenId, address } = await world.create(slug, 'alice', { poolType: 'test' });
    await world.chain(slug).advance(10);
    await world.send(
      slug,
      'bob',
      await world.trade(slug, 'bob', { tokenId, direction: 'buy', buyAmountToken: 562_500_000 }),
    );
    await world.indexed();
    const before = await world.call('getPoolData', { tokenId });
    expect(before.body.data).toMatchObject({
      tokenId,
      mintage_id: before.body.data.platform_id,
      isGraduated: false,
      stage: 'graduating',
      poolType: 'test',
      originChain: slug,
      pools: [],
      curve: {
        poolTypeId: 9,
        virtualTokens: '562500000',
        virtualUsd: '250',
        soldTokens: '562500000',
        supply: '562500000',
        tokensLeft: '187500000',
        reserveUsd: '125',
        reserveUsdRaw: '125000000',
        floorUsd: '0',
        raiseTargetUsd: '250',
        creatorRewardUsd: '0',
        migrationSupply: '250000000',
        initialTokenDeposit: '1125000000',
        initialReserveDeposit: '125',
        priceUsd: '0.000000444444444444',
        progressPct: 75,
        completed: false,
        migrated: false,
      },
    });
    await world.send(slug, 'bob', await world.trade(slug, 'bob', { tokenId, direction: 'buy', buyAmountUSD: 300 }));
    await world.indexed();
    const after = await world.call('getPoolData', { tokenId });
    expect(after.body.data).toMatchObject({
      isGraduated: true,
      stage: 'graduated',
      curve: { tokensLeft: '0', reserveUsd: '0', progressPct: 100, completed: false, migrated: true },
      pools: [{ dex: 'uniswap_v4', chain: slug, token_address: address }],
    });
    expect(after.body.data.curve.priceUsd).toMatch(/^0\.(00000099999999|000001)/);
  });

  it('behavior: one token of a new market has a price though nobody can sell one yet', async () => {
    const { status, body } = await quote({ chainSlug: 'base-sepolia' });
    expect([status, body.data.inputAmount, body.data.outputAmountRaw]).toEqual([200, 1, '10']);
  });

  it.each([
    ['unknown token', { tokenId: 'nothing' }, 'TOKEN_NOT_FOUND'],
    ['unknown chain', { chainSlug: 'atlantis' }, 'INVALID_PARAMETERS'],
    ['chain not served', { chainSlug: 'base' }, 'UNSUPPORTED_CHAIN'],
    ['zero', { amount: 0 }, 'INVALID_PARAMETERS'],
    ['over-precise dollars', { amount: 0.1234567, inputToken: 'usdc' }, 'INVALID_PARAMETERS'],
    ['beyond the curve', { amount: 750_000_001, direction: 'buy' }, 'BEYOND_CURVE'],
    ['beyond the reserve', { amount: 1, inputToken: 'usdc' }, 'BEYOND_RESERVE'],
    ['too small', { amount: 0.000001, inputToken: 'usdc', direction: 'buy' }, 'AMOUNT_TOO_SMALL'],
  ] as const)('error: %s', async (_name, body, code) => {
    const answer = await quote({ chainSlug: 'base-sepolia', ...body });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  it('error: getPoolData of an unknown token', async () => {
    const answer = await world.call('getPoolData', { tokenId: 'nothing' });
    expect([answer.status, answer.body.code]).toEqual([400, 'TOKEN_NOT_FOUND']);
  });
});
