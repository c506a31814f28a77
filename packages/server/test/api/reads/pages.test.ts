import { encodeTransfer, launchpadAbi } from '@mintage/protocol';
import { type AnswerOf, definitions, type OperationName, sparklineSteps } from '@mintage/protocol/operations';
import { createPublicClient, erc20Abi, type Hex, http, keccak256, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChainTruth, TokenTruth } from './chainTruth.ts';
import { decimal } from './decimal.ts';
import { type ReadsWorld, startReadsWorld, worldSlugs } from './readsWorld.ts';

/**
 * What pages show at a glance, asked over HTTP of the whole service over real chains, and computed again from the chain's own logs
 * by other formulas.
 */

let world: ReadsWorld;
beforeAll(async () => {
  world = await startReadsWorld();
});
afterAll(() => world?.stop());

const unit = 10n ** 18n;
const supply = 1_000_000_000n;
const daySeconds = 86_400;
const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
const lower = (text: string): string => text.toLowerCase();

const ask = async <Name extends OperationName>(name: Name, input: object): Promise<AnswerOf<Name>> => {
  const { path, output } = definitions[name];
  const { status, body } = await world.post(path, input);
  expect(status, JSON.stringify(body)).toBe(200);
  return output.parse(body) as AnswerOf<Name>;
};

describe.each(worldSlugs)('what pages show of %s, against the logs of the chain', (slug) => {
  const truth = () => world.truths.get(slug) as ChainTruth;
  const tokens = (): [string, TokenTruth][] => [...truth().tokens];
  const client = () => createPublicClient({ transport: http(world.chain(slug).rpcUrl) });
  const usdUnit = () => 10n ** BigInt(world.chain(slug).deployment.usdDecimals);
  const within = (timeMs: number): boolean => timeMs > truth().nowMs - daySeconds * 1_000;

  test('getMarketSummary: tokens by stage, and the last day', async () => {
    const { launchpad } = world.chain(slug).deployment;
    const range = { address: launchpad, abi: launchpadAbi, fromBlock: 0n, strict: true } as const;
    const traded = await client().getContractEvents({ ...range, eventName: 'Trade' });
    const graduated = await client().getContractEvents({ ...range, eventName: 'Graduated' });
    // 0.50 % of a trade, 0.35 % of one that somebody was referred to; pools with a fee of their own pay in tokens.
    const toCreators = traded
      .filter(({ args: { record } }) => record.feeBps !== 0n)
      .map(({ args: { record } }) => (record.grossUsd * (record.referral === zeroAddress ? 50n : 35n)) / 10_000n);
    const rewards = graduated.map(({ args }) => args.graduation.creatorReward);

    const summary = await ask('getMarketSummary', { chains: [slug] });
    const all = tokens().map(([, one]) => one);
    const recent = all.flatMap(({ trades }) => trades.filter(({ timeMs }) => within(timeMs)));
    // The seeds are younger than a day, so that no log has to be left out.
    expect(all.every(({ createdMs }) => within(createdMs))).toBe(true);
    expect(summary).toMatchObject({
      chains: [slug],
      catching_up: [],
      tokens: all.length,
      created_24h: all.length,
      volume_24h_usd: decimal(sum(recent.map(({ grossUsd }) => grossUsd)), usdUnit()),
      paid_to_creators_24h_usd: decimal(sum([...toCreators, ...rewards]), usdUnit()),
    });
    expect(summary.traders_24h).toBe(
      new Set(traded.flatMap(({ args }) => (args.record.venue === 2 ? [] : args.trader))).size,
    );
    const { new: young, graduating, graduated: ended } = summary.by_stage;
    expect(young + graduating + ended).toBe(all.length);
    expect(ended).toBe(all.filter((one) => one.graduated !== null).length);
  });

  test('getSparklines: the price at every step, whichever way a token is named', async () => {
    const { nowMs } = truth();
    const { sparklines } = await ask('getSparklines', { token_ids: tokens().map(([address]) => address) });
    expect(sparklines.map(({ asked }) => asked)).toEqual(tokens().map(([address]) => address));
    for (const [index, [, { createdMs, startPrice18, trades }]] of tokens().entries()) {
      const line = sparklines[index] as (typeof sparklines)[0];
      const stepMs = line.step_seconds * 1_000;
      const priceAt = (ms: number): bigint => trades.findLast(({ timeMs }) => timeMs <= ms)?.price18 ?? startPrice18;
      const from = Date.parse(line.from);
      expect(from).toBe(createdMs);
      const expected = [startPrice18];
      for (let end = Math.floor(from / stepMs) * stepMs + stepMs; end - stepMs <= nowMs; end += stepMs)
        expected.push(priceAt(end - 1));
      expect(line.closes).toEqual(expected.map((price) => decimal(price, unit)));
      expect(line.closes.length).toBeLessThanOrEqual(sparklineSteps + 1);
      expect(line.closes.at(-1)).toBe(decimal(priceAt(nowMs), unit));
      expect(line.change_24h_pct).toBe(decimal((priceAt(nowMs) - startPrice18) * 100n, startPrice18));
    }
    // Young tokens have short steps, so that there is something to see.
    expect(Math.max(...sparklines.map(({ closes }) => closes.length))).toBeGreaterThan(15);
  });

  test('getTokenFacts: each figure again from logs, code and calls', async () => {
    const { deployment } = world.chain(slug);
    for (const [address, one] of tokens()) {
      const { facts, token_address, chain } = await ask('getTokenFacts', { token_id: address });
      expect([token_address, chain]).toEqual([address, slug]);
      const percent = (amount: bigint): string => decimal((amount * 100n) / supply, unit);
      const token = {
        tokens: (amount: bigint) => ({
          tokens_raw: `${amount}`,
          tokens: decimal(amount, unit),
          percent: percent(amount),
        }),
      };
      const transaction = (hash: Hex, block: number) => ({ kind: 'transaction', chain: slug, hash, block });

      const largest = one.held.filter((amount) => amount > 0n).slice(0, 10);
      expect(facts.ten_largest_holders.value).toEqual({ ...token.tokens(sum(largest)), wallets: largest.length });
      expect(facts.creator_holds.value).toEqual({ wallet: one.creator, ...token.tokens(one.balanceOf(one.creator)) });

      const sold = one.trades.filter(({ side, trader }) => side === 'sell' && trader === one.creator);
      expect(facts.creator_sold.value).toMatchObject({
        ...token.tokens(sum(sold.map((trade) => trade.tokens))),
        usd: decimal(sum(sold.map(({ grossUsd }) => grossUsd)), usdUnit()),
        trades: sold.length,
      });
      if (sold.length > 0)
        expect(facts.creator_sold.proofs).toEqual(
          sold
            .toReversed()
            .slice(0, 20)
            .map(({ txHash, block }) => transaction(txHash, block)),
        );

      const opening = one.trades.filter(({ side, timeMs }) => side === 'buy' && timeMs < one.createdMs + 6_000);
      expect(facts.bought_in_opening.value).toEqual({
        ...token.tokens(sum(opening.map((trade) => trade.tokens))),
        seconds: 6,
        wallets: new Set(opening.map(({ trader }) => trader)).size,
        trades: opening.length,
        transactions: new Set(opening.map(({ txHash }) => txHash)).size,
        creator_percent: percent(
          sum(opening.filter(({ trader }) => trader === one.creator).map((trade) => trade.tokens)),
        ),
        is_over: true,
      });

      const [first] = one.trades;
      expect(facts.first_trade.known).toBe(true);
      expect(facts.first_trade.proofs).toEqual(first ? [transaction(first.txHash, first.block)] : []);
      expect(facts.first_trade.value).toEqual(
        first
          ? {
              at: new Date(first.timeMs).toISOString(),
              wallet: first.trader,
              side: first.side,
              usd: decimal(first.grossUsd, usdUnit()),
            }
          : null,
      );
      expect(facts.created).toMatchObject({
        value: { at: new Date(one.createdMs).toISOString(), creator: one.creator },
        proofs: [transaction(one.created.txHash, one.created.block)],
      });
      expect(facts.graduated.value === null).toBe(one.graduated === null);

      const code = keccak256((await client().getCode({ address: address as Hex })) as Hex);
      const implementation = keccak256((await client().getCode({ address: deployment.tokenImplementation })) as Hex);
      expect(facts.contract_code.value).toEqual({
        matches: true,
        code_hash: code,
        published_hash: code,
        implementation: lower(deployment.tokenImplementation),
        implementation_hash: implementation,
        published_implementation_hash: implementation,
      });
      const totalSupply = await client().readContract({
        address: address as Hex,
        abi: erc20Abi,
        functionName: 'totalSupply',
      });
      expect(facts.supply.value).toMatchObject({
        total_tokens: '1000000000',
        home_tokens_raw: `${totalSupply}`,
        elsewhere_tokens: '0',
      });

      const balanceOf = { address: address as Hex, abi: erc20Abi, functionName: 'balanceOf' } as const;
      const kept = await client().readContract({ ...balanceOf, args: [deployment.launchpad as Hex] });
      if (one.graduated === null) {
        expect(facts.liquidity.value).toMatchObject({ where: 'curve', locked_tokens: decimal(kept, unit) });
        expect(facts.liquidity.proofs).toEqual([
          { kind: 'contract', chain: slug, address: deployment.launchpad, block: null },
        ]);
      } else {
        expect(facts.liquidity.value?.where).toBe('pool');
        expect(facts.liquidity.proofs[0]).toEqual(transaction(one.graduated.txHash, one.graduated.block));
      }
      expect(facts.funded_by_creator).toMatchObject({ known: false, value: null, why: expect.stringMatching(/\w/) });
    }
    // The seeds have something of everything.
    const all = tokens().map(([, one]) => one);
    expect(
      all.some(({ trades, creator }) => trades.some(({ side, trader }) => side === 'sell' && trader === creator)),
    ).toBe(true);
    expect(all.some(({ graduated }) => graduated !== null)).toBe(true);
  });

  test('getTransaction: call, block and events of every creation, trade and graduation', async () => {
    for (const [address, one] of tokens()) {
      const [created, traded] = [one.created, one.trades.at(-1)];
      const shown = await ask('getTransaction', { chainSlug: slug, hash: created.txHash });
      const receipt = await client().getTransactionReceipt({ hash: created.txHash });
      const sent = await client().getTransaction({ hash: created.txHash });
      expect(shown).toMatchObject({
        chain: slug,
        hash: created.txHash,
        block_number: created.block,
        time: new Date(one.createdMs).toISOString(),
        from: lower(receipt.from),
        to: lower(receipt.to as string),
        value_raw: `${sent.value}`,
        fee_raw: `${receipt.gasUsed * receipt.effectiveGasPrice}`,
        error: null,
        explorer_url: null,
      });
      expect(['mined', 'final']).toContain(shown.status);
      expect(shown.events.length + shown.other_events).toBe(receipt.logs.length);
      const creation = shown.events.find(({ event }) => event === 'TokenCreated');
      expect(creation).toMatchObject({ contract: 'launchpad', args: { token: address, creator: one.creator } });
      expect(shown.calls.some(({ function: name }) => name === 'create')).toBe(true);

      if (traded === undefined) continue;
      const trade = await ask('getTransaction', { chainSlug: slug, hash: traded.txHash });
      const told = trade.events.find(({ log_index }) => log_index === traded.index);
      if (told === undefined) continue; // a swap of a foreign router is told by its pool
      expect(told).toMatchObject({
        contract: 'launchpad',
        event: 'Trade',
        args: { token: address, trader: traded.trader, 'record.grossUsd': `${traded.grossUsd}` },
      });
      const moved = trade.events.find(({ event, contract }) => event === 'Transfer' && contract === 'token');
      expect(moved).toMatchObject({ address, args: { amount: `${traded.tokens}` } });
      expect(moved?.token_id).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('getTransaction: why one was reverted, and that a payment calls nothing', async () => {
    const { wallet, accounts, rpc, deployment } = world.chain(slug);
    const { transactionHash } = await wallet.send(accounts.bob, { to: accounts.alice.address, data: '0x', value: 5n });
    const payment = await ask('getTransaction', { chainSlug: slug, hash: transactionHash });
    expect(payment).toMatchObject({ value_raw: '5', status: 'mined', calls: [], events: [], other_events: 0 });

    const far = 10n ** 30n;
    const data = encodeTransfer(accounts.alice.address, far);
    await expect(wallet.send(accounts.bob, { to: deployment.usd, data })).rejects.toThrow(/Reverted/);
    const { transactions } = (await rpc('eth_getBlockByNumber', ['latest', false])) as { transactions: Hex[] };
    const refused = await ask('getTransaction', { chainSlug: slug, hash: transactions.at(-1) as Hex });
    expect(refused).toMatchObject({
      status: 'reverted',
      error: expect.stringMatching(/holds less/),
      calls: [{ contract: 'dollar token', function: 'transfer', args: { amount: `${far}` } }],
      events: [],
    });
  });

  test('error: no such transaction, in words', async () => {
    const { status, body } = await world.post('/get-transaction', { chainSlug: slug, hash: `0x${'ab'.repeat(32)}` });
    expect([status, body.code]).toEqual([404, 'TRANSACTION_NOT_FOUND']);
  });
});
