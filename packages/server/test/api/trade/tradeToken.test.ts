import { encodeSetReferrer, protocolNames, type VenueKind, voucherTypedData } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gasBounds } from '../../../src/chain/evm/gas.ts';
import { seededRandom } from './seededRandom.ts';
import {
  type Answer,
  chainFigures,
  eventsOf,
  quotedFigures,
  startTradeWorld,
  type TradeWorld,
  tradeOf,
  type WorldSlug,
  worldSlugs,
} from './tradeWorld.ts';

/** Nobody, who is paid for the first time. */
const fresh = `0x${'f4e54'.padStart(40, '0')}`;
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
console.log(`tradeToken on a chain: SEED=${seed}`);

describe('tradeToken on a chain', () => {
  let world: TradeWorld;
  beforeAll(async () => {
    world = await startTradeWorld();
    for (const slug of worldSlugs)
      for (const who of ['alice', 'bob', 'carol', 'dave'] as const) await world.fund(slug, who, 1_000_000n);
  });
  afterAll(() => world?.stop());

  /** Prepares, sends, and compares what the chain did with what was quoted, to the wei. */
  const tradeAndCompare = async (slug: WorldSlug, who: 'alice' | 'bob' | 'carol' | 'dave', body: object) => {
    const answer = await world.trade(slug, who, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.quote.simulation).toMatchObject({ ok: true });
    const receipt = await world.send(slug, who, answer);
    const done = tradeOf(receipt);
    expect(chainFigures(done)).toEqual(quotedFigures(answer.body.quote));
    return { answer, receipt, record: done.record };
  };

  /** Tokens of this wallet, base units. */
  const balanceOf = async (slug: WorldSlug, token: string, who: 'alice' | 'bob' | 'carol' | 'dave') => {
    const account = world.chain(slug).accounts[who].address.slice(2).toLowerCase();
    const data = `0x70a08231${account.padStart(64, '0')}`;
    return BigInt((await world.chain(slug).rpc('eth_call', [{ to: token, data }, 'latest'])) as string);
  };

  describe.each(worldSlugs)('%s', (slug) => {
    it('C11 the opening window: the quoted fee of every second is the charged one', async () => {
      const { tokenId, address, receipt, answer } = await world.create(slug, 'alice', { amountIn: 10 });
      expect(chainFigures(tradeOf(receipt))).toEqual(quotedFigures(answer.body.quote));
      const charged: number[] = [answer.body.quote.state.feeBps];
      for (const second of [1, 2, 3, 4, 5, 6]) {
        await world.mineAt(slug, address, second);
        // The trade's block has the second of the quoted one.
        await world.chain(slug).rpc('anvil_setBlockTimestampInterval', [0]);
        const { answer } = await tradeAndCompare(slug, 'bob', { tokenId, direction: 'buy', buyAmountUSD: 20 + second });
        await world.chain(slug).rpc('anvil_removeBlockTimestampInterval');
        charged.push(answer.body.quote.state.feeBps);
        const { antiSnipe } = answer.body.quote;
        if (second === 6) expect(antiSnipe).toBeNull();
        else {
          expect(antiSnipe).toMatchObject({ feeBps: charged.at(-1), secondsLeft: 6 - second });
          expect(BigInt(antiSnipe.outputAfterWindowRaw)).toBeGreaterThan(BigInt(answer.body.quote.outputAmountRaw));
        }
      }
      expect(charged).toEqual([8000, 6684, 5367, 4050, 2734, 1417, 100]);
    });

    const isV3 = () => world.chain(slug).deployment.exchange !== null;
    const venue = () => world.chain(slug).deployment.venue as VenueKind;

    it('promise 1: all four kinds on the curve equal their quotes, with builder, referral and referrer', async () => {
      const random = seededRandom(seed);
      const { accounts, deployment, wallet } = world.chain(slug);
      const { tokenId, address } = await world.create(slug, 'alice');
      await world.chain(slug).advance(10);
      const voucher = {
        user: accounts.carol.address,
        referrer: accounts.dave.address,
        deadline: BigInt(Math.floor(Date.now() / 1000) + 1800),
      };
      const signature = await accounts.voucherSigner.signTypedData(voucherTypedData(voucher, deployment));
      await wallet.send(accounts.carol, { to: deployment.launchpad, data: encodeSetReferrer(voucher, signature) });
      await tradeAndCompare(slug, 'carol', { tokenId, direction: 'buy', buyAmountUSD: 500 });

      for (let round = 0; round < 6; round += 1) {
        const extras = {
          ...(random.chance() && { builder: { code: accounts.builder.address, fee: random.below(500) } }),
          ...(random.chance() && { token_referral: accounts.promoter.address }),
        };
        const dollars = Number(random.decimal(1, 200, 4));
        const tokens = Number(random.decimal(1, 900_000, 6));
        await tradeAndCompare(slug, 'carol', { tokenId, direction: 'buy', buyAmountUSD: dollars, ...extras });
        await tradeAndCompare(slug, 'carol', { tokenId, direction: 'buy', buyAmountToken: tokens, ...extras });
        const held = await balanceOf(slug, address, 'carol');
        const wei = (held / BigInt(3 + random.below(9))).toString();
        await tradeAndCompare(slug, 'carol', { tokenId, direction: 'sell', sellAmountToken: wei, ...extras });
        await tradeAndCompare(slug, 'carol', { tokenId, direction: 'sell', sellAmountUSD: dollars / 2, ...extras });
      }
      const { answer, record } = await tradeAndCompare(slug, 'carol', {
        tokenId,
        direction: 'buy',
        buyAmountUSD: 100,
        builder: { code: accounts.builder.address, fee: 250 },
        token_referral: accounts.promoter.address,
      });
      expect(record.fees.cashback).toBeGreaterThan(0n);
      expect(answer.body.quote.fees.map((line: { kind: string; bps: number }) => [line.kind, line.bps])).toEqual([
        ['creator', 35],
        ['token_referral', 15],
        ['protocol_referrer', 10],
        ['cashback', 4],
        ['treasury', 36],
        ['builder', 250],
      ]);
    });

    it('promise 1: the buy that ends the curve, and all four kinds on the pool, equal their quotes', async () => {
      const random = seededRandom(seed + 1);
      const { accounts } = world.chain(slug);
      const { tokenId, address } = await world.create(slug, 'alice', { poolType: 'test' });
      await world.chain(slug).advance(10);
      const { answer, receipt } = await tradeAndCompare(slug, 'bob', { tokenId, direction: 'buy', buyAmountUSD: 1000 });
      expect(eventsOf(receipt)).toEqual(expect.arrayContaining(isV3() ? ['Completed'] : ['Completed', 'Graduated']));
      await world.graduate(slug, address);
      expect(answer.body.warnings.map(({ code }: { code: string }) => code)).toContain('CURVE_END');
      expect(Number(answer.body.quote.inputAmount)).toBeLessThan(254);
      expect(receipt.gasUsed).toBeLessThan(gasBounds.graduatingBuy);

      for (const body of [
        { direction: 'buy', buyAmountToken: 999_000_000 },
        { direction: 'sell', sellAmountUSD: 5_000 },
      ]) {
        const refused = await world.trade(slug, 'bob', { tokenId, ...body });
        expect([refused.status, refused.body.code]).toEqual([400, 'PARTIAL_FILL']);
      }
      for (let round = 0; round < 4; round += 1) {
        const extras = {
          ...(random.chance() && { builder: { code: accounts.builder.address, fee: random.below(500) } }),
          ...(random.chance() && { token_referral: accounts.promoter.address }),
        };
        const dollars = Number(random.decimal(1, 60, 4));
        const tokens = Number(random.decimal(1, 9_000_000, 6));
        const { answer } = await tradeAndCompare(slug, 'bob', {
          tokenId,
          direction: 'buy',
          buyAmountUSD: dollars,
          ...extras,
        });
        expect(answer.body).toMatchObject({
          quote: { venue: venue(), isGraduated: true },
          metadata: { protocol: protocolNames[venue()] },
        });
        await tradeAndCompare(slug, 'bob', { tokenId, direction: 'buy', buyAmountToken: tokens, ...extras });
        const held = await balanceOf(slug, address, 'bob');
        const wei = (held / BigInt(10 + random.below(30))).toString();
        await tradeAndCompare(slug, 'bob', { tokenId, direction: 'sell', sellAmountToken: wei, ...extras });
        await tradeAndCompare(slug, 'bob', { tokenId, direction: 'sell', sellAmountUSD: dollars / 2, ...extras });
      }
    });

    it('H20 behavior: a buy that finds the curve sold out opens the pool and trades there, to the wei as quoted', async () => {
      for (const amount of [{ buyAmountUSD: 20 }, { buyAmountToken: 1_000_000 }]) {
        // The creator takes the whole curve in its first second, in which it cannot graduate.
        const { tokenId, receipt } = await world.create(slug, 'alice', { poolType: 'test', amountIn: 5_000 });
        expect(eventsOf(receipt)).toContain('Completed');
        expect(eventsOf(receipt)).not.toContain('Graduated');
        const order = {
          tokenId,
          direction: 'buy',
          ...amount,
          builder: { code: fresh, fee: 30 },
          token_referral: fresh,
        };
        const early = await world.trade(slug, 'bob', order);
        expect([early.status, early.body.code]).toEqual([400, 'BEYOND_CURVE']);
        expect(early.body.error).toMatch(/opens \d s after/);

        await world.chain(slug).advance(10);
        await world.indexed();
        const indexed = await world.trade(slug, 'bob', { ...order, simulate: false });
        const bound = isV3() ? gasBounds.openingBuyV3 : gasBounds.openingBuy;
        expect([indexed.status, BigInt(indexed.body.transaction.gasLimit)]).toEqual([200, bound]);
        const { answer, receipt: opening } = await tradeAndCompare(slug, 'bob', order);
        expect(answer.body.quote).toMatchObject({ venue: venue(), isGraduated: true });
        expect(indexed.body.quote.outputAmountRaw).toBe(answer.body.quote.outputAmountRaw);
        expect(eventsOf(opening).filter((name) => name === 'Graduated' || name === 'Trade')).toEqual([
          'Graduated',
          'Trade',
        ]);
        console.log(`gas opening buy: ${opening.gasUsed} measured, bound ${bound}`);
        expect(opening.gasUsed).toBeLessThan((bound * 10n) / 11n);
      }
    });

    it('behavior: simulate false answers from the index with the same trade, its block and the bound of gas', async () => {
      const { tokenId, address } = await world.create(slug, 'alice', { poolType: 'test', amountIn: 3 });
      await world.chain(slug).advance(10);
      const ask = { tokenId, direction: 'buy', buyAmountUSD: 12.5, slippageBps: 50 };
      for (const graduated of [false, true]) {
        const askBoth = async () => {
          await world.indexed();
          const chain = await world.trade(slug, 'dave', ask);
          const index = await world.trade(slug, 'dave', { ...ask, simulate: false });
          return { chain, index };
        };
        let { chain, index } = await askBoth();
        const blockOf = ({ body }: typeof chain) => body.quote?.state.blockNumber;
        // The keeper's transaction may make a block between the two questions.
        while (blockOf(chain) !== blockOf(index)) ({ chain, index } = await askBoth());
        expect(index.status, JSON.stringify(index.body)).toBe(200);
        expect(index.body.quote).toEqual({
          ...chain.body.quote,
          deadline: expect.any(Number),
          expiresAt: expect.any(String),
          simulation: null,
          decoded: expect.any(Array),
          // A pool to which anybody adds liquidity is read from the chain.
          state: { ...chain.body.quote.state, source: graduated && isV3() ? 'chain' : 'index' },
        });
        const poolTrade = isV3() ? gasBounds.poolTradeV3 : gasBounds.poolTrade;
        const bound = graduated ? poolTrade : gasBounds.curveTrade;
        expect(index.body.transaction.gasLimit).toBe(bound.toString());
        expect(index.body.warnings.map(({ code }: { code: string }) => code)).toContain('ALLOWANCE_NOT_READ');
        await world.send(slug, 'dave', index);
        if (graduated) return;
        await tradeAndCompare(slug, 'bob', { tokenId, direction: 'buy', buyAmountUSD: 1000 });
        await world.graduate(slug, address);
      }
    });

    it('behavior: the trader’s own limit is signed where it is stricter than the slippage, and met to the unit', async () => {
      const { tokenId } = await world.create(slug, 'alice', { amountIn: 3 });
      await world.chain(slug).advance(10);
      const asks = [
        { direction: 'buy', buyAmountUSD: 12.5 },
        { direction: 'buy', buyAmountToken: 20_000 },
        { direction: 'sell', sellAmountToken: 1_000 },
        { direction: 'sell', sellAmountUSD: 0.01 },
      ];
      for (const ask of asks) {
        const about = (await world.trade(slug, 'alice', { tokenId, ...ask })).body.quote;
        const isLeast = about.limitKind === 'min_output';
        const exact = BigInt(isLeast ? about.outputAmountRaw : about.inputAmountRaw);
        const better = isLeast ? exact + 1n : exact - 1n;
        const met = await world.trade(slug, 'alice', { tokenId, ...ask, limitAmountRaw: String(exact) });
        expect(met.body.quote).toMatchObject({ limitAmountRaw: String(exact), simulation: { ok: true } });
        expect(met.body.quote.decoded.at(-1).args).toMatchObject({ limit: String(exact) });
        const missed = await world.trade(slug, 'alice', { tokenId, ...ask, limitAmountRaw: String(better) });
        expect(missed.body.quote.simulation).toMatchObject({ ok: false, code: 'SLIPPAGE_EXCEEDED' });
        const loose = String(isLeast ? 1n : exact * 2n);
        const asUsual = await world.trade(slug, 'alice', { tokenId, ...ask, limitAmountRaw: loose });
        expect(asUsual.body.quote.limitAmountRaw).toBe(about.limitAmountRaw);
      }
    });

    it('behavior: an approval of the exact amount only when too little is approved, none for sells', async () => {
      const { tokenId } = await world.create(slug, 'alice');
      await world.chain(slug).advance(10);
      const steps = async (body: object) => (await world.trade(slug, 'dave', { tokenId, ...body })).body.transactions;
      const first = await world.trade(slug, 'dave', { tokenId, direction: 'buy', buyAmountUSD: 40 });
      expect(first.body.transactions.map(({ to }: { to: string }) => to)).toEqual([
        world.chain(slug).deployment.usd,
        world.chain(slug).deployment.launchpad,
      ]);
      expect(first.body.transactions[0].description).toMatch(/^Approve exactly 40 /);
      expect(first.body.transaction).toEqual({
        to: first.body.transactions[1].to,
        data: first.body.transactions[1].data,
        value: '0',
        gasLimit: first.body.transactions[1].gasLimit,
        chain: slug,
      });
      const { launchpad, usd, usdSymbol } = world.chain(slug).deployment;
      const allowanceWarnings = (answer: Answer) =>
        answer.body.warnings.filter(({ code }: { code: string }) => code.startsWith('ALLOWANCE'));
      const needs = (allowed: string, amount: string) => [
        {
          code: 'ALLOWANCE_NEEDED',
          sentence:
            `\`transaction\` alone fails: the launchpad ${launchpad} may take ${allowed} ${usdSymbol} (${usd}) of the wallet, ` +
            `and ${amount} are needed. The first item of \`transactions\` approves exactly so much and goes before it.`,
        },
      ];
      expect(allowanceWarnings(first)).toEqual(needs('0', '40'));
      const { to, data } = first.body.transactions[0];
      await world.chain(slug).wallet.send(world.chain(slug).accounts.dave, { to, data });
      const enough = await world.trade(slug, 'dave', { tokenId, direction: 'buy', buyAmountUSD: 40 });
      expect([enough.body.transactions.length, allowanceWarnings(enough)]).toEqual([1, []]);
      const more = await world.trade(slug, 'dave', { tokenId, direction: 'buy', buyAmountUSD: 40.01 });
      expect([more.body.transactions.length, allowanceWarnings(more)]).toEqual([2, needs('40', '40.01')]);
      await world.send(slug, 'dave', first);
      expect(await steps({ direction: 'sell', sellAmountToken: '5' + '0'.repeat(18) })).toHaveLength(1);
    });
  });

  it('behavior: the zero address and the trader’s own earn nothing', async () => {
    const slug = 'base-sepolia';
    const { tokenId } = await world.create(slug, 'alice');
    await world.chain(slug).advance(10);
    const zero = `0x${'0'.repeat(40)}`;
    const builder = { code: zero, fee: 100 };
    for (const token_referral of [zero, world.chain(slug).accounts.bob.address]) {
      const order = { tokenId, direction: 'buy', buyAmountUSD: 50, builder, token_referral };
      const { answer } = await tradeAndCompare(slug, 'bob', order);
      const kinds = answer.body.quote.fees.map((line: { kind: string; bps: number }) => [line.kind, line.bps]);
      expect(kinds).toEqual([
        ['creator', 50],
        ['treasury', 50],
      ]);
    }
  });

  it('C21 the deadline is in the call: a minute too late it reverts', async () => {
    const { tokenId } = await world.create('base-sepolia', 'alice');
    await world.chain('base-sepolia').advance(10);
    const answer = await world.trade('base-sepolia', 'bob', { tokenId, direction: 'buy', buyAmountUSD: 5 });
    await world.chain('base-sepolia').advance(3 * 3600 + 200);
    await expect(world.send('base-sepolia', 'bob', answer)).rejects.toThrow('DeadlinePassed');
  });

  it('behavior: a sell of more than the balance is prepared and says why it fails', async () => {
    const { tokenId } = await world.create('base-sepolia', 'alice', { amountIn: 10 });
    await world.chain('base-sepolia').advance(10);
    const answer = await world.trade('base-sepolia', 'dave', { tokenId, direction: 'sell', sellAmountToken: 1 });
    expect(answer.status).toBe(200);
    expect(answer.body.transactions).toHaveLength(1);
    expect(answer.body.quote.simulation).toMatchObject({ ok: false, code: 'INSUFFICIENT_BALANCE', balanceChanges: [] });
    expect(answer.body.transaction.gasLimit).toBe(gasBounds.curveTrade.toString());
    expect(answer.body.warnings).toContainEqual({
      code: 'SIMULATION_FAILED',
      sentence: answer.body.quote.simulation.reason,
    });
  });

  it('behavior: a sell of more tokens than anybody can have is prepared too, with the reason', async () => {
    const { tokenId } = await world.create('base-sepolia', 'alice', { amountIn: 10 });
    await world.chain('base-sepolia').advance(10);
    const order = { tokenId, direction: 'sell', sellAmountToken: 900_000_000 };
    const answer = await world.trade('base-sepolia', 'dave', order);
    expect(answer.status).toBe(200);
    expect(answer.body.quote.simulation).toMatchObject({ ok: false, code: 'BEYOND_RESERVE' });
    expect(answer.body.warnings.map((warning: { code: string }) => warning.code)).toContain('BEYOND_RESERVE');
  });

  it('C12 the builder fee of the request is in the signed call, decoded, and warned about above 1 %', async () => {
    const { tokenId } = await world.create('base-sepolia', 'alice');
    await world.chain('base-sepolia').advance(10);
    const code = world.chain('base-sepolia').accounts.builder.address;
    const answer = await world.trade('base-sepolia', 'bob', {
      tokenId,
      direction: 'buy',
      buyAmountUSD: 100,
      builder: { code, fee: 9_000 },
    });
    expect(answer.body.quote.decoded[0].args).toMatchObject({ builder: code.toLowerCase(), builderBps: 9_000 });
    expect(answer.body.warnings.map((warning: { code: string }) => warning.code)).toContain('BUILDER_FEE');
    expect(answer.body.quote.fees).toContainEqual({
      kind: 'builder',
      recipient: code.toLowerCase(),
      bps: 9_000,
      amountUsd: '90',
      amountUsdRaw: '90000000',
    });
  });

  describe('bad input', () => {
    let tokenId: string;
    beforeAll(async () => {
      ({ tokenId } = await world.create('base-sepolia', 'alice'));
      await world.chain('base-sepolia').advance(10);
    });
    const code = `0x${'aa'.repeat(20)}`;
    const buy = { direction: 'buy', buyAmountUSD: 5 };

    it.each([
      ['no amount', { direction: 'buy' }, 400, 'INVALID_PARAMETERS', /send one amount/],
      ['two amounts', { ...buy, buyAmountToken: 1 }, 400, 'INVALID_PARAMETERS', /only one amount/],
      ['the other direction', { direction: 'sell', buyAmountUSD: 5 }, 400, 'INVALID_PARAMETERS', /does not fit/],
      ['zero', { direction: 'buy', buyAmountUSD: 0 }, 400, 'INVALID_PARAMETERS', /more than zero|greater than zero/],
      ['negative', { direction: 'sell', sellAmountToken: -1 }, 400, 'INVALID_PARAMETERS', /zero/],
      ['over-precise', { direction: 'buy', buyAmountUSD: 1.1234567 }, 400, 'INVALID_PARAMETERS', /6 digits/],
      ['not wei', { direction: 'sell', sellAmountToken: '1.5' }, 400, 'INVALID_PARAMETERS', /base units/],
      ['builder above 10000', { ...buy, builder: { code, fee: 10_001 } }, 400, 'INVALID_PARAMETERS', /10000/],
      ['builder leaves nothing', { ...buy, builder: { code, fee: 9_900 } }, 400, 'FEES_EXCEED_AMOUNT', /nothing/],
      [
        'L10 builder takes all',
        { ...buy, builder: { code, fee: 10_000 } },
        400,
        'FEES_EXCEED_AMOUNT',
        /at most 9899\./,
      ],
      ['beyond the curve', { direction: 'buy', buyAmountToken: 750_000_001 }, 400, 'BEYOND_CURVE', /fewer tokens/],
      ['beyond the reserve', { direction: 'sell', sellAmountUSD: 1 }, 400, 'BEYOND_RESERVE', /USD/],
      ['too small', { direction: 'sell', sellAmountToken: '1' }, 400, 'AMOUNT_TOO_SMALL', /too small/],
      ['slippage', { ...buy, slippageBps: 5_001 }, 400, 'SLIPPAGE_TOO_HIGH', /5000/],
      ['deadline over', { ...buy, deadline: 1_000 }, 400, 'INVALID_PARAMETERS', /deadline: is over/],
      ['deadline far', { ...buy, deadline: 4_000_000_000 }, 400, 'INVALID_PARAMETERS', /24 hours/],
      ['execute', { ...buy, execute: true }, 400, 'INVALID_PARAMETERS', /userAddress: must be your embedded wallet/],
      ['zero wallet', { ...buy, userAddress: `0x${'0'.repeat(40)}` }, 400, 'INVALID_PARAMETERS', /zero address/],
      ['unknown token', { ...buy, tokenId: 'no-such-token' }, 400, 'TOKEN_NOT_FOUND', /no-such-token/],
      ['another chain', { ...buy, chainSlug: 'bnb-testnet' }, 400, 'TOKEN_NOT_FOUND', /No token|not on/],
      ['chain not served', { ...buy, chainSlug: 'polygon' }, 400, 'UNSUPPORTED_CHAIN', /polygon/],
      ['solana', { ...buy, chainSlug: 'solana' }, 400, 'UNSUPPORTED_CHAIN', /solana/],
      ['no chain', { ...buy, chainSlug: 'atlantis' }, 400, 'INVALID_PARAMETERS', /chainSlug/],
    ] as const)('error: %s', async (_name, body, status, errorCode, message) => {
      const answer = await world.trade('base-sepolia', 'bob', { tokenId, ...body });
      expect([answer.status, answer.body.code, answer.body.success]).toEqual([status, errorCode, false]);
      expect(answer.body.error).toMatch(message);
    });

    it('H23 error: a builder whose fee is misspelt is refused before anything is executed, and ignored in a prepared call', async () => {
      const order = { tokenId, chainSlug: 'base-sepolia', ...buy, builder: { code, feeBps: 9_000 } };
      const action = { type: 'tradeToken', ...order, execute: true };
      const { bearer } = world;
      for (const [name, input, path] of [
        ['tradeToken', { ...order, execute: true }, 'builder.feeBps'],
        ['platformAction', { source: 'Testnet', expiresAfter: 60_000, action }, 'action.builder.feeBps'],
      ] as const) {
        const { status, body } = await world.call(name, input, { bearer });
        expect([status, body.details]).toEqual([400, [{ path, message: 'is no field of this request' }]]);
      }
      expect((await world.trade('base-sepolia', 'bob', order)).status).toBe(200);
    });

    it('error: R1 an exponent and 16 digits', async () => {
      for (const number of ['1e2', '1.234567890123456']) {
        const { bob } = world.chain('base-sepolia').accounts;
        const body = `{"tokenId":"${tokenId}","chainSlug":"base-sepolia","userAddress":"${bob.address}","direction":"buy","buyAmountUSD":${number}}`;
        const answer = await world.call('tradeToken', body, { bearer: world.bearer });
        expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_PARAMETERS']);
        expect(answer.body.error).toMatch(/buyAmountUSD: must be a number without an exponent/);
      }
    });

    it('error: missing and forged credentials', async () => {
      for (const bearer of [undefined, 'mintage_test_nonsense', 'a.b.c']) {
        const answer = await world.call('tradeToken', { tokenId, chainSlug: 'base-sepolia', ...buy }, { bearer });
        expect([answer.status, answer.body.code]).toEqual([401, 'AUTHENTICATION_FAILED']);
      }
    });
  });
});
