import { until } from '@mintage/devnet/until';
import { type Address, formatUnits, parseBase58Address } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StreamClient } from '../api/testing/streamClient.ts';
import { connectNew, type ToolClient } from '../api/tools/toolClients.ts';
import { filled, quoted, tradeIn } from './figures.ts';
import { addressIn, evmSlug, type MadeUpWorld, madeUpSlug, startMadeUpWorld, type User } from './madeUpWorld.ts';
import { deployment, fee, tokenAddress } from './program.ts';
import { listenTo, type ServerSentEvents } from './serverSentEvents.ts';
import { addressOf, decode, newSecret, signWith } from './transaction.ts';
import { expectTruth } from './truth.ts';
import { twinOf } from './twinOf.ts';

const onePixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const coin = { name: 'Made Up', symbol: 'MADE', description: 'A coin of no EVM chain.', image: onePixel };
const chainSlug = madeUpSlug;
const base58Rule = 'must be an address: base58 of 32 bytes';
const hexRule = 'must be an address: 0x and 40 hex digits';
const id = expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{64,90}$/);

/**
 * A second family of chains, which exists only here: base58, ed25519, no nonces, no approvals, and finality by the chain's own
 * word. All roles run as they are; nothing in them knows this family.
 */
describe('a made-up family of chains', () => {
  let world: MadeUpWorld;
  let alice: User;
  let bearer: string;
  let tokenId: string;
  let token: Address;
  const clients: { close(): void }[] = [];

  const done: MadeUpWorld['done'] = (...asked) => world.done(...asked);
  const call: MadeUpWorld['call'] = (...asked) => world.call(...asked);
  const dollars = (of: Address): bigint => world.chain.head.books.dollars.get(of) ?? 0n;
  const tokens = (of: Address): bigint => world.chain.head.books.tokens.get(token)?.holdings.get(of) ?? 0n;
  const fund = async (user: User, amount: number): Promise<void> => {
    const { intentId } = await done('mintUsd', { chainSlug, amount, execute: true }, { bearer: user.accessToken });
    await world.settles(intentId, user.accessToken);
  };
  /** Executes, and has the next block hold it: after so many seconds. @returns The answer and its block. */
  const executed = async (
    name: 'tradeToken' | 'claimRewards' | 'transferToken' | 'createTokenTransaction' | 'sendTransaction',
    input: object,
    { by = bearer, seconds = 1 } = {},
  ) => {
    const answer = await done(name, input, { bearer: by });
    await world.becomes({ intentId: answer.intentId }, by, 'sent');
    const block = world.chain.produce(seconds);
    return { answer, block };
  };
  const transferOf = (recipient_address: Address, amount: string, execute = true) => {
    const chains = { from_chain_slug: chainSlug, to_chain_slug: chainSlug };
    return { token_id: tokenId, recipient_address, amount, ...chains, execute };
  };
  const trade = (body: object, options?: Parameters<typeof executed>[2]) =>
    executed('tradeToken', { tokenId, chainSlug, execute: true, ...body }, options);

  beforeAll(async () => {
    world = await startMadeUpWorld();
    alice = await world.newUser();
    bearer = alice.accessToken;
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    await world?.stop();
  });

  it('GET /chains shows it beside an EVM chain', async () => {
    const find = async () => (await done('chains')).chains.find((one: { slug: string }) => one.slug === chainSlug);
    const shown = await until(async () => {
      const one = await find();
      return one.status === 'live' ? one : null;
    });
    expect(shown).toMatchObject({
      type: 'solana',
      eid: 40168,
      chainId: 0,
      testnet: true,
      dollarToken: { address: deployment.usd, symbol: 'USDC', decimals: 6, mintable: true },
      contracts: { launchpad: deployment.launchpad },
    });
  });

  it('the service makes a wallet of each family, and mints dollars from it', async () => {
    const { wallets } = (await done('me', { include_testnets: true }, { bearer })).data;
    const embedded = wallets.filter((wallet: { embedded: boolean }) => wallet.embedded);
    expect(embedded.map(({ chainType }: { chainType: string }) => chainType).toSorted()).toEqual(['evm', 'solana']);
    expect(parseBase58Address(alice.embedded)).toBe(alice.embedded);
    await fund(alice, 5_000);
    expect(dollars(alice.embedded)).toBe(5_000_000_000n);
    const { balances } = (await done('me', { include_testnets: true }, { bearer })).data;
    const here = balances.find((one: { chainSlug: string }) => one.chainSlug === chainSlug);
    expect(here.usd.balanceRaw).toBe('5000000000');
    const coins = world.chain.head.books.coins.get(alice.embedded);
    expect(here.native).toEqual({ symbol: 'SOL', balance: formatUnits(coins ?? 0n, 9), balanceRaw: String(coins) });
  });

  it('a creation with a first buy, executed: the quote is what the chain does, and it goes from sent to final', async () => {
    const creation = { ...coin, chainSlug, amountIn: 20, execute: true };
    const { answer, block } = await executed('createTokenTransaction', creation, { seconds: 0 });
    ({ tokenId } = answer.metadata);
    token = answer.metadata.addresses.solana;
    expect(answer.metadata.addresses.evm).toBe('');
    expect(answer.transactionHash).toEqual(id);
    expect(block.events.map(({ name }) => name)).toEqual(['TokenCreated', 'Transfer', 'Transfer', 'Trade']);
    const [created] = block.events;
    if (created?.name !== 'TokenCreated') throw new Error('no creation');
    expect(created).toMatchObject({ token: tokenAddress(alice.embedded, created.salt), creator: alice.embedded });
    expect(created.token).toBe(token);
    expect(filled(tradeIn(block))).toEqual(quoted(answer.quote, 'buy'));
    expect(answer.transactions).toHaveLength(1);
    expect(answer.transactions[0]).toMatchObject({ chainType: 'solana', chainId: 0, to: deployment.launchpad });

    const { intentId, transactionHash: hash } = answer;
    expect(await world.becomes({ intentId }, bearer, 'mined')).toMatchObject({ hash, blockNumber: block.height });
    for (let blocks = 0; blocks < 3; blocks += 1) {
      expect(world.chain.finalized).toBeLessThan(block.height);
      world.chain.produce();
    }
    expect(world.chain.finalized).toBe(block.height);
    expect(await world.becomes({ hash }, bearer, 'final')).toMatchObject({ hash, blockNumber: block.height });
    await expectTruth(world);
  });

  it('buys and sells, executed, in the opening window and after it: quotes equal trades to the base unit', async () => {
    // In its first seconds: the fee depends on the second of the block.
    const { createdAt = 0 } = world.chain.head.books.tokens.get(token) ?? {};
    expect(world.chain.head.time - createdAt).toBeLessThan(6);
    const early = await trade({ direction: 'buy', buyAmountUSD: 7 }, { seconds: 0 });
    const { outputAfterWindow, outputAfterWindowRaw } = early.answer.quote.antiSnipe;
    expect(outputAfterWindow).toBe(formatUnits(BigInt(outputAfterWindowRaw), 6));
    expect(filled(tradeIn(early.block))).toEqual(quoted(early.answer.quote, 'buy'));

    world.chain.produce(10);
    await world.indexed();
    const asked = { chainSlug, tokenId, direction: 'buy', inputToken: 'usdc', amount: 33.333333 };
    const { data: quote } = await done('quoteToken', asked);
    const bought = await trade({ direction: 'buy', buyAmountUSD: 33.333333 });
    expect(filled(tradeIn(bought.block))).toEqual(quoted(bought.answer.quote, 'buy'));
    expect(filled(tradeIn(bought.block))).toEqual(quoted(quote, 'buy'));
    expect(quote.state).toMatchObject({ source: 'index', chainSlug, token });

    const builder = { code: deployment.owner, fee: 100 };
    const sold = await trade({ direction: 'sell', sellAmountToken: '123456789', builder });
    expect(filled(tradeIn(sold.block))).toEqual(quoted(sold.answer.quote, 'sell'));
    const exact = await trade({ direction: 'sell', sellAmountUSD: 3.21, token_referral: twinOf(alice.embedded) });
    expect(filled(tradeIn(exact.block))).toEqual(quoted(exact.answer.quote, 'sell'));
    await expectTruth(world);
  });

  it('prepared transactions are signed by a wallet of one’s own, and the chain takes them', async () => {
    const secret = newSecret();
    const own = addressOf(secret);
    world.chain.fund(own, 10n * fee);
    const sendOwn = async (name: 'mintUsd' | 'tradeToken' | 'transferToken', input: object) => {
      const answer = await done(name, input, { bearer });
      expect(answer.executed).toBe(false);
      const { data } = answer.transaction;
      const hash = world.chain.submit(signWith(secret, decode(data)).raw);
      const block = world.chain.produce();
      expect(world.chain.find(hash)).toMatchObject({ from: own, error: null });
      return { answer, block };
    };
    await sendOwn('mintUsd', { chainSlug, amount: 50, userAddress: own });
    expect(dollars(own)).toBe(50_000_000n);
    const buy = { tokenId, chainSlug, direction: 'buy', buyAmountUSD: 50, userAddress: own };
    const bought = await sendOwn('tradeToken', buy);
    expect(filled(tradeIn(bought.block))).toEqual(quoted(bought.answer.quote, 'buy'));
    const received = tokens(own);
    expect(bought.answer.quote.simulation).toMatchObject({
      ok: true,
      balanceChanges: expect.arrayContaining([
        { asset: token, symbol: 'MADE', change: formatUnits(received, 6), changeRaw: received.toString() },
      ]),
    });
    await world.indexed();
    // Without a simulation the price comes from the index.
    const sell = { ...buy, buyAmountUSD: undefined, direction: 'sell', sellAmountToken: 1000, simulate: false };
    const sold = await sendOwn('tradeToken', sell);
    expect(filled(tradeIn(sold.block))).toEqual(quoted(sold.answer.quote, 'sell'));
    const everything = transferOf(alice.embedded, formatUnits(tokens(own), 6), false);
    await sendOwn('transferToken', { ...everything, wallet_address: own });
    expect(tokens(own)).toBe(0n);
    await expectTruth(world);
  });

  it('a failing order is refused with the reason that the chain gives', async () => {
    const secret = newSecret();
    const poor = { tokenId, chainSlug, direction: 'buy', buyAmountUSD: 5, userAddress: addressOf(secret) };
    const { quote } = await done('tradeToken', poor, { bearer });
    expect(quote.simulation).toMatchObject({ ok: false, code: 'INSUFFICIENT_BALANCE' });
    const rich = { tokenId, chainSlug, direction: 'buy', buyAmountUSD: 1e6, execute: true };
    expect((await call('tradeToken', rich, { bearer })).body).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  });

  it('an address of another family is refused in a sentence, on either chain', async () => {
    const hex = `0x${'ab'.repeat(20)}`;
    const refusals: [string, object, string, string][] = [
      [
        'tradeToken',
        { tokenId, chainSlug, direction: 'buy', buyAmountUSD: 1, userAddress: hex },
        'userAddress',
        base58Rule,
      ],
      ['createTokenTransaction', { ...coin, chainSlug, userAddress: hex }, 'userAddress', base58Rule],
      ['createTokenTransaction', { ...coin, chainSlug: evmSlug, userAddress: alice.embedded }, 'userAddress', hexRule],
      ['mintUsd', { chainSlug: evmSlug, userAddress: alice.embedded }, 'userAddress', hexRule],
      ['mintUsd', { chainSlug, userAddress: hex }, 'userAddress', base58Rule],
      ['sendTransaction', { chainSlug, to: hex, data: '0x01' }, 'to', base58Rule],
      [
        'transferToken',
        {
          token_id: tokenId,
          amount: '1',
          from_chain_slug: chainSlug,
          to_chain_slug: chainSlug,
          recipient_address: hex,
        },
        'recipient_address',
        base58Rule,
      ],
      [
        'tradeToken',
        { tokenId, chainSlug, direction: 'buy', buyAmountUSD: 1, builder: { code: hex, fee: 1 } },
        'builder.code',
        base58Rule,
      ],
    ];
    for (const [name, input, path, rule] of refusals) {
      const { status, body } = await call(name as 'mintUsd', input, { bearer });
      expect({ name, status, code: body.code }).toEqual({ name, status: 400, code: 'INVALID_PARAMETERS' });
      expect(body.error).toContain(path);
      expect(body.error).toContain(rule);
    }
  });

  it('addresses that differ by the case of a letter are two, each with its own balance and user', async () => {
    const one = addressOf(newSecret());
    const other = twinOf(one);
    expect(other.toLowerCase()).toBe(one.toLowerCase());
    const [bob, carol] = [await world.newUser(), await world.newUser()];
    await world.linkWallet(bob, one);
    await world.linkWallet(carol, other);
    await executed('transferToken', transferOf(one, '11'));
    await executed('transferToken', transferOf(other, '22.5'));
    await expectTruth(world);
    const { holders } = await done('getTokenHolders', { token_id: tokenId });
    const shown = new Map(holders.map(({ wallet, balance }: { wallet: string; balance: string }) => [wallet, balance]));
    expect([shown.get(one), shown.get(other)]).toEqual(['11', '22.5']);
    for (const [user, walletAddress, balanceFormatted] of [
      [bob, one, '11'],
      [carol, other, '22.5'],
    ] as const) {
      const { data } = await done('getUserBalance', { token_id: tokenId }, { bearer: user.accessToken });
      expect(data.balances).toMatchObject([{ walletAddress, balanceFormatted }]);
    }
  });

  it('what a wallet has under way counts, and what a block holds counts once', async () => {
    const bob = await world.newUser();
    const by = bob.accessToken;
    await executed('transferToken', transferOf(bob.embedded, '100'));
    await world.indexed();
    const recipient = addressOf(newSecret());
    const { intentId } = await done('transferToken', transferOf(recipient, '40'), { bearer: by });
    await world.becomes({ intentId }, by, 'sent');
    const again = await call('transferToken', transferOf(recipient, '70'), { bearer: by });
    expect(again.body).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    world.chain.produce();
    await executed('transferToken', transferOf(recipient, '60'), { by });
    expect(tokens(recipient)).toBe(100_000_000n);
  });

  it('tells what became of a transaction that a wallet of one’s own sent', async () => {
    const secret = newSecret();
    const own = addressOf(secret);
    world.chain.fund(own, 10n * fee);
    const [bob, carol] = [await world.newUser(), await world.newUser()];
    const by = bob.accessToken;
    await world.linkWallet(bob, own);
    const send = async (name: 'mintUsd' | 'tradeToken', input: object): Promise<string> => {
      const { transaction } = await done(name, { chainSlug, userAddress: own, ...input }, { bearer: by });
      return world.chain.submit(signWith(secret, decode(transaction.data)).raw);
    };
    const minted = await send('mintUsd', { amount: 3 });
    // More than it has: the chain takes the transaction, and it fails.
    const failed = await send('tradeToken', { tokenId, direction: 'buy', buyAmountUSD: 4 });
    expect(await world.becomes({ hash: minted }, by, 'sent')).toMatchObject({ blockNumber: null });
    const { height } = world.chain.produce();
    expect(await world.becomes({ hash: minted }, by, 'mined')).toMatchObject({ blockNumber: height, error: null });
    const error = expect.stringContaining('base units');
    expect(await world.becomes({ hash: failed }, by, 'reverted')).toMatchObject({ blockNumber: height, error });
    for (let blocks = 0; blocks < 3; blocks += 1) world.chain.produce();
    await world.becomes({ hash: minted }, by, 'final');
    await world.becomes({ hash: failed }, by, 'failed');
    const { body } = await call('transactionStatus', { hash: minted, chainSlug }, { bearer: carol.accessToken });
    expect(body).toMatchObject({ code: 'TRANSACTION_NOT_FOUND' });
  });

  it('claims the creator’s rewards, executed', async () => {
    await world.indexed();
    const owed = world.chain.head.books.credits.get(alice.embedded) ?? 0n;
    expect(owed).toBeGreaterThan(0n);
    const before = dollars(alice.embedded);
    const { balances } = await done('getUserFees', { chains: [chainSlug] }, { bearer });
    expect(balances).toMatchObject([{ chain: chainSlug, claimable_amount: owed.toString() }]);
    const { answer } = await executed('claimRewards', { chains: [chainSlug], execute: true });
    expect(answer.transactions).toMatchObject([
      { chainType: 'solana', chainId: '0', from: alice.embedded, error: null },
    ]);
    expect(dollars(alice.embedded)).toBe(before + owed);
    expect(world.chain.head.books.credits.get(alice.embedded)).toBeUndefined();
    await expectTruth(world);
    const { claims } = await done('getUserClaims', { chains: [chainSlug] }, { bearer });
    expect(claims).toMatchObject([
      {
        wallet_address: alice.embedded,
        amount: owed.toString(),
        currency_address: deployment.usd,
        transaction_hash: answer.transactionHash,
      },
    ]);
  });

  it('portfolio, balances, trades, fees, leaderboard, search and lists show it', async () => {
    const shown = { bearer };
    const held = tokens(alice.embedded);
    const portfolio = await done('getUserPortfolio', { chains: [chainSlug] }, shown);
    expect(portfolio.data.tokens).toMatchObject([
      { tokenId, chainBalances: [{ chainSlug, walletAddress: alice.embedded, tokenAddress: token }] },
    ]);
    const { data } = await done('getUserBalance', { token_id: tokenId }, shown);
    expect(data.balances).toMatchObject([
      { chainSlug, walletAddress: alice.embedded, tokenAddress: token, balanceFormatted: formatUnits(held, 6) },
    ]);
    const { activities } = await done('getTokenTrades', { token_id: token });
    expect(activities.length).toBeGreaterThanOrEqual(6);
    expect(activities[0]).toMatchObject({ evt_tx_hash: id, chain: chainSlug });
    const own = await done('getWalletTrades', { wallet: alice.embedded, chains: [chainSlug] });
    expect(own.activities.length).toBeGreaterThanOrEqual(5);
    expect((await done('getWalletTrades', { wallet: twinOf(alice.embedded) })).activities).toEqual([]);
    const history = await done('getUserFeeHistory', { chains: [chainSlug] }, shown);
    expect(history.distributions[0]).toMatchObject({ recipient_address: alice.embedded, transaction_hash: id });
    const { leaderboard } = await done('getLeaderboard', { network_mode: 'testnet' });
    expect(leaderboard[0]).toMatchObject({ user_id: alice.userId, chain_balances: [{ chain: chainSlug }] });
    const found = await done('searchToken', { input: token });
    expect(found.token).toMatchObject({ id: tokenId, primary_solana_address: token, primary_evm_address: null });
    expect((await done('searchToken', { input: token.toLowerCase() })).success).toBe(false);
    const { tokens: listed } = await done('getTokensV2', { chains: [chainSlug] });
    expect(listed).toMatchObject([{ id: tokenId }]);
    const { tokens: newest } = await done('getTokens', { filter: 'new' });
    expect(newest.map((one: { id: string }) => one.id)).toContain(tokenId);
    const { chains } = await done('solvency');
    const books = chains.find(({ slug }: { slug: string }) => slug === chainSlug);
    expect(books).toMatchObject({ chainId: 0, books: { surplusUsdRaw: '0', blockHash: world.chain.head.hash } });
    const { data: profit } = await done('getUserPnl', { token_id: token }, shown);
    expect(profit.tokens).toHaveLength(1);
    const owned = { token_id: tokenId, user_address: alice.embedded };
    expect(await done('checkTokenOwnership', owned)).toMatchObject({ is_holder: true, balance_raw: held.toString() });
    const { token: about } = await done('getTokenAbout', { token_id: token });
    expect(about).toMatchObject({ primary_solana_address: token, registered_chains: [{ address_type: 'sol' }] });
    const { activities: sent } = await done('getTokenTransfers', { token_id: tokenId });
    expect(sent.map(({ from_address }: { from_address: string }) => from_address)).toContain(alice.embedded);
    const { activities: all } = await done('getTokenActivity', { token_id: tokenId });
    expect(all.length).toBe(activities.length + sent.length);
    const { candles } = await done('getTokenCandles', { token_id: tokenId, candle_interval: '1m' });
    expect(candles.length).toBeGreaterThan(0);
    const { stats } = await done('getTokenStats', { token_id: tokenId });
    expect(stats).toMatchObject([{ chain: chainSlug }]);
    expect((await done('getPoolData', { tokenId })).data).toMatchObject({ originChain: chainSlug, pools: [] });
    const { sparklines } = await done('getSparklines', { token_ids: [token, tokenId] });
    expect(sparklines.map((line: { token_id: string }) => line.token_id)).toEqual([tokenId, tokenId]);
    expect(await done('getMarketSummary', { chains: [chainSlug] })).toMatchObject({ tokens: 1, catching_up: [] });
    const { facts } = await done('getTokenFacts', { token_id: token });
    expect(facts.creator_holds.value).toMatchObject({ wallet: facts.created.value.creator });
    expect(facts.contract_code).toMatchObject({ known: false, value: null });
    const { hash } = facts.created.proofs[0];
    expect(await done('getTransaction', { chainSlug, hash })).toMatchObject({
      hash,
      status: 'final',
      calls: [],
      error: null,
    });
  });

  describe('figures as people read them, of tokens with 6 decimals', () => {
    /** A meme coin’s curve by its books alone, in whole tokens and dollars. */
    const curve = () => {
      const books = world.chain.head.books.tokens.get(token);
      if (books === undefined) throw new Error('There is no token.');
      const [left, raised] = [Number(books.tokensLeft) / 1e6, Number(books.reserveUsd) / 1e6];
      return { left, raised, sold: 750_000_000 - left, price: (12_500 + raised) / (375_000_000 + left) };
    };
    const held = (): number => Number(tokens(alice.embedded)) / 1e6;
    const expectNear = (shown: string | number | null, expected: number, digits = 9): void => {
      expect(Number(shown) / expected, `${shown} is nearly ${expected}`).toBeCloseTo(1, digits);
    };
    const exact = (): string => formatUnits(tokens(alice.embedded), 6);

    it('prices, market cap and progress', async () => {
      await world.indexed();
      const { sold, left, price, raised } = curve();
      expect(sold).toBeGreaterThan(1_000_000);
      expect(price).toBeGreaterThan(0.000_011);
      expect(price).toBeLessThan(0.000_013);
      const [stats] = (await done('getTokenStats', { token_id: tokenId })).stats;
      expectNear(stats.price_usd, price);
      expectNear(stats.launchpad_price_usd, price);
      expectNear(stats.market_cap_usd, price * 1e9);
      expectNear(stats.launchpad_progress_pct, (sold / 750_000_000) * 100);
      expectNear(stats.launchpad_supply, sold);
      expectNear(stats.launchpad_tokens_left, left);
      expectNear(stats.launchpad_liquidity_usd, raised);
      expect(Number(stats.total_volume_token)).toBeGreaterThan(sold);
      const [listed] = (await done('getTokensV2', { chains: [chainSlug] })).tokens;
      expectNear(listed.price, price);
      expectNear(listed.market_cap, price * 1e9);
      expectNear(listed.launchpad_progress_pct, (sold / 750_000_000) * 100);
      expectNear(listed.launchpad_supply, sold);
      expectNear(listed.launchpad_tokens_left, left);
      expectNear(listed.launchpad_raised_usd, raised, 4);
      expect(listed.launchpad_target_usd).toBe(25_000);
      const { curve: pool } = (await done('getPoolData', { tokenId })).data;
      expectNear(pool.priceUsd, price);
      expectNear(pool.progressPct, (sold / 750_000_000) * 100);
      expectNear(pool.virtualTokens, 375_000_000 + left);
      expectNear(pool.soldTokens, sold);
      expect(Number(pool.tokensLeft)).toBe(left);
      const { candles } = await done('getTokenCandles', { token_id: tokenId, candle_interval: '1d' });
      expectNear(candles[0].close_price_usd, price);
      expect(candles[0].volume_token).toBe(stats.total_volume_token);
      const [line] = (await done('getSparklines', { token_ids: [tokenId] })).sparklines;
      expectNear(line.closes.at(-1), price);
      expect(line.closes[0]).toBe('0.000011111111111111');
    });

    it('trades, quotes and what may be typed', async () => {
      const { sold, price } = curve();
      const { activities } = await done('getTokenTrades', { token_id: tokenId });
      const [newest] = activities;
      expect(newest).toMatchObject({ token_decimals: '6', quote_decimals: '6' });
      expect(newest.token_amount).toBe(formatUnits(BigInt(newest.token_amount_raw), 6));
      expectNear(newest.price_usd, price);
      expectNear(newest.market_cap_usd, price * 1e9);
      const { activities: told } = await done('getTokenActivity', { token_id: tokenId });
      for (const { token_amount, token_amount_raw, token_decimals } of told)
        expect([token_amount, token_decimals]).toEqual([formatUnits(BigInt(token_amount_raw), 6), '6']);
      const { activities: moved } = await done('getTokenTransfers', { token_id: tokenId });
      expect(moved[0].amount).toBe(formatUnits(BigInt(moved[0].amount_raw), 6));
      const ofOne = { tokenId, chainSlug, direction: 'sell', inputToken: 'token', amount: 1_000_000 };
      const { data: quote } = await done('quoteToken', ofOne);
      expect(quote.inputAmountRaw).toBe('1000000000000');
      // 1 % of fees, and less than 1 % of impact.
      expectNear(quote.outputAmount, 1_000_000 * price * 0.99, 1);
      const { data: bought } = await done('quoteToken', { ...ofOne, direction: 'buy', inputToken: 'usdc', amount: 5 });
      expectNear(bought.outputAmount, (5 * 0.99) / price, 1);
      expect(bought.outputAmountRaw).toBe(String(Math.round(bought.outputAmount * 1e6)));
      const fresh = { chainSlug, direction: 'buy', inputToken: 'token', amount: 1_000_000, poolType: 'meme' };
      const { data: first } = await done('quoteToken', fresh);
      expect(Number(first.outputAmount)).toBeGreaterThan(11);
      const tooFine = transferOf(addressOf(newSecret()), '1.0000001', false);
      expect((await call('transferToken', tooFine, { bearer })).body.error).toContain('at most 6 digits');
      const { metadata, transaction } = await done('transferToken', { ...tooFine, amount: '1.25' }, { bearer });
      expect(metadata).toMatchObject({ amount: '1.25', amountRaw: '1250000' });
      expect(transaction.description).toContain('Send 1.25 MADE');
      const tokensOut = { ...coin, chainSlug, tokensOut: 1_000, maxAmountIn: 5 };
      const { quote: creation } = await done('createTokenTransaction', tokensOut, { bearer });
      expect(creation).toMatchObject({ outputAmount: '1000', outputAmountRaw: '1000000000' });
      expect(sold).toBeGreaterThan(0);
    });

    it('what somebody holds, of which worth and part of the supply', async () => {
      const { price } = curve();
      const shown = { bearer };
      const place = { walletAddress: alice.embedded, decimals: 6, balanceFormatted: exact() };
      const { data: portfolio } = await done('getUserPortfolio', { chains: [chainSlug] }, shown);
      const [{ chainBalances, totalBalanceUsd }] = portfolio.tokens;
      expect(chainBalances).toMatchObject([place]);
      expectNear(chainBalances[0].valueUsd, held() * price);
      expectNear(totalBalanceUsd, held() * price);
      expectNear(portfolio.totalValueUsd, held() * price);
      const { data: balance } = await done('getUserBalance', { token_id: tokenId }, shown);
      expect(balance.balances).toMatchObject([place]);
      expectNear(balance.totalUsd, held() * price);
      const { data: profit } = await done('getUserPnl', { token_id: tokenId }, shown);
      const [position] = profit.tokens;
      expect(position.balance).toBe(exact());
      expectNear(position.valueUsd, held() * price);
      expectNear(
        Number(position.averageCostUsd) * (held() - Number(position.unpricedTokens)),
        Number(position.costUsd),
      );
      expect(Number(position.averageCostUsd)).toBeGreaterThan(0.000_011);
      const { holders } = await done('getTokenHolders', { token_id: tokenId });
      const own = holders.find(({ wallet }: { wallet: string }) => wallet === alice.embedded);
      expect(own.balance).toBe(exact());
      expectNear(own.share_pct, held() / 1e7);
      expectNear(own.value_usd, held() * price);
      const owned = await done('checkTokenOwnership', { token_id: tokenId, user_address: alice.embedded });
      expectNear(owned.balance, held());
      const { token: about } = await done('getTokenAbout', { token_id: tokenId });
      expect(about.token_addresses).toMatchObject([{ chain: chainSlug, decimals: 6 }]);
      const { facts } = await done('getTokenFacts', { token_id: tokenId });
      expect(facts.creator_holds.value.tokens).toBe(exact());
      expectNear(facts.creator_holds.value.percent, held() / 1e7);
      expectNear(facts.liquidity.value.locked_tokens, 1e9 - curve().sold);
      expectNear(facts.ten_largest_holders.value.percent, curve().sold / 1e7);
    });

    it('votes and posts, while holdings change', async () => {
      const tally = () =>
        world.db
          .selectFrom('tally')
          .select(['up_weight', 'score_usd18'])
          .where('target_id', '=', tokenId)
          .executeTakeFirstOrThrow();
      const up = { target_type: 'token', target_id: tokenId, vote: 'upvote' };
      const { price } = curve();
      const cast = await done('vote', up, { bearer });
      expect([cast.weight, cast.votes.weighted_upvotes]).toEqual([exact(), exact()]);
      expectNear(Number((await tally()).score_usd18) / 1e18, held() * price);
      const { answer } = await executed('transferToken', transferOf(addressOf(newSecret()), '1000000'));
      await world.settles(answer.intentId, bearer);
      await world.indexed();
      const { voters, votes } = await done('getVotes', { target_type: 'token', target_id: tokenId });
      expect([voters[0].weight, votes.weighted_upvotes]).toEqual([exact(), exact()]);
      expectNear(Number((await tally()).score_usd18) / 1e18, held() * price);
      const again = await done('vote', up, { bearer });
      expect(again.votes).toMatchObject({ upvotes: 1, weighted_upvotes: exact() });
      const { post } = await done('createPost', { text: 'Figures.', taggedCoinId: tokenId }, { bearer });
      expect(post.author_holds).toBe(exact());
      const rule = { token_id: tokenId, post_rule: 'holders', min_holding: '2.5' };
      expect((await done('updateHub', rule, { bearer })).hub.min_holding).toBe('2.5');
      const bob = await world.newUser();
      await executed('transferToken', transferOf(bob.embedded, '2.499999'));
      await world.indexed();
      const say = () => call('createPost', { text: 'Hello.', taggedCoinId: tokenId }, { bearer: bob.accessToken });
      expect((await say()).body).toMatchObject({
        code: 'HUB_HOLDERS_ONLY',
        details: { min_holding: '2.5', holding: '2.499999' },
      });
      await executed('transferToken', transferOf(bob.embedded, '0.000001'));
      await world.indexed();
      expect((await say()).body).toMatchObject({ post: { author_holds: '2.5' } });
      // What others see of a member’s holding is the member’s to say.
      await done('updateUser', { settings: { show_holdings: true } }, { bearer });
      const { members } = await done('getHubMembers', { token_id: tokenId });
      expect(members[0].holding).toBe(exact());
      await done('updateUser', { settings: { show_wallet: false, show_holdings: false } }, { bearer });
      expect(await tally()).toEqual({ up_weight: 0n, score_usd18: 0n });
      await done('updateUser', { settings: { show_wallet: true } }, { bearer });
    });

    it('what a budget counts of a sale', async () => {
      const { id: keyId, key } = await world.apiKey(alice, { budget: { perDayUsd: '500', chains: [chainSlug] } });
      const { price } = curve();
      await trade({ direction: 'sell', sellAmountToken: 500_000, slippageBps: 300 }, { by: key });
      const { keys } = await done('listApiKeys', {}, { bearer });
      const { budget } = keys.find((one: { id: string }) => one.id === keyId);
      expectNear(budget.reservedTodayUsd, 500_000 * price, 2);
      await expectTruth(world);
    });
  });

  it('/info answers the same in its own forms', async () => {
    const info = (type: string, input: object = {}) => done('info', { type, ...input }, { bearer });
    const { data: fees } = await info('getUserFees', { chains: [chainSlug] });
    expect(fees.balances).toMatchObject([
      { account: alice.embedded, per_chain_balances: { [chainSlug]: { currency: deployment.usd } } },
    ]);
    const { data: history } = await info('getUserFeeHistory', { chains: [chainSlug] });
    expect(history.distributions[0]).toMatchObject({ account: alice.embedded, evt_tx_hash: id });
    const { data: board } = await info('getLeaderboard', { network_mode: 'testnet' });
    expect(board.leaderboard[0].user_id).toBe(alice.userId);
    for (const type of ['getTokenTrades', 'getTokenTransfers', 'getTokenActivity', 'getTokenAbout', 'getTokenStats']) {
      expect(await info(type, { token_id: token })).toMatchObject({ success: true });
    }
    expect(await info('me', { include_testnets: true })).toMatchObject({ success: true });
  });

  it('webhooks and budgets keep its addresses as they are', async () => {
    const other = twinOf(alice.embedded);
    const wallets = [alice.embedded, other].toSorted();
    const subscription = { topic: 'walletBalances', wallets, cursor: 'latest' };
    const url = 'https://hooks.example.com/made-up';
    const { webhook } = await done('createWebhook', { url, subscription }, { bearer });
    expect(webhook.subscription.wallets).toEqual(wallets);
    await done('deleteWebhook', { id: webhook.id }, { bearer });
    const { id: keyId } = await world.apiKey(alice, { budget: { recipients: wallets, contracts: [token] } });
    const { keys } = await done('listApiKeys', {}, { bearer });
    const { budget } = keys.find((key: { id: string }) => key.id === keyId);
    expect(budget).toMatchObject({ recipients: wallets, contracts: [token] });
  });

  it('people sign in with a wallet of either family, each by a text of its own', async () => {
    const onSolana = await done('authChallenge', { address: alice.embedded });
    expect(onSolana.message).toContain('Chain ID: solana:devnet');
    const { message } = await done('authChallenge', { address: `0x${'ab'.repeat(20)}` });
    expect(message).toContain('Chain ID: 84532');
    const { status, body } = await call('authChallenge', { address: deployment.launchpad.slice(2) });
    expect([status, body.code]).toEqual([400, 'INVALID_PARAMETERS']);
  });

  describe('streams', () => {
    let socket: StreamClient;
    let events: ServerSentEvents;
    let fees: ServerSentEvents;

    beforeAll(async () => {
      await world.indexed();
      socket = new StreamClient(addressIn(world, '/ws').replace('http', 'ws'), { bearer });
      clients.push(socket);
      await socket.connect();
      expect((await socket.subscribe({ topic: 'tokenActivity', tokenId: token, cursor: 'latest' })).type).toBe(
        'subscribed',
      );
      const wallets = { topic: 'walletBalances', wallets: [alice.embedded], cursor: 'latest' };
      expect((await socket.subscribe(wallets)).type).toBe('subscribed');
      events = await listenTo(addressIn(world, `/stream?topic=tokenActivity&tokenIds=${token}&cursor=latest`));
      const ofFees = `/stream?topic=walletFees&wallets=${alice.embedded}&cursor=latest`;
      fees = await listenTo(addressIn(world, ofFees), bearer);
      clients.push(events, fees);
    });

    it('deliver the activity, and take back what a reorganisation of two blocks undid', async () => {
      // A wallet of one's own trades: nobody sends that again.
      const secret = newSecret();
      const own = addressOf(secret);
      world.chain.fund(own, 10n * fee);
      const by = { chainSlug, userAddress: own };
      for (const [name, input] of [
        ['mintUsd', { ...by, amount: 80 }],
        ['tradeToken', { ...by, tokenId, direction: 'buy', buyAmountUSD: 80 }],
      ] as const) {
        const { transaction } = await done(name, input, { bearer });
        world.chain.submit(signWith(secret, decode(transaction.data)).raw);
        world.chain.produce();
      }
      world.chain.produce();
      const ofTrade = { activity_type: 'trade', activity_subtype: 'buy', wallet: own, token_address: token };
      const told = await socket.heard(({ type, data }) => type === 'event' && data.wallet === own);
      expect(told.data).toMatchObject(ofTrade);
      const heard = await until(() =>
        events.messages.find(({ type, data }) => type === 'event' && data.wallet === own),
      );
      expect(heard).toMatchObject({ seq: told.seq, data: ofTrade });
      await until(() => fees.messages.find(({ type }) => type === 'event'));
      await expectTruth(world);

      world.chain.reorg(2);
      const back = await socket.heard(({ type, retracts }) => type === 'retract' && retracts === told.seq);
      expect(back.data).toMatchObject(ofTrade);
      await until(() => events.messages.find(({ type, retracts }) => type === 'retract' && retracts === told.seq));
      await until(() => fees.messages.find(({ type }) => type === 'retract'));
      expect([tokens(own), dollars(own)]).toEqual([0n, 80_000_000n]);
      await expectTruth(world);
    });

    it('tell a wallet its balances, and no other wallet’s', async () => {
      const { block } = await trade({ direction: 'buy', buyAmountUSD: 2 });
      const told = await socket.heard(
        ({ id: subscription, data }) => subscription === 'sub_2' && data?.evt_block_number === block.height,
      );
      expect(told.data).toMatchObject({ wallet: alice.embedded, balance_raw: tokens(alice.embedded).toString() });
      expect(told.data.balance).toBe(formatUnits(tokens(alice.embedded), 6));
      expect(new Set(socket.events('sub_2').map(({ data }) => data.wallet))).toEqual(new Set([alice.embedded]));
      await expectTruth(world);
    });
  });

  describe('the signer', () => {
    const ofIntent = (intentId: string) =>
      world.db
        .selectFrom('attempt')
        .select(['hash', 'raw', 'valid_until_block', 'nonce'])
        .where('intent_id', '=', intentId)
        .orderBy('signed_at')
        .execute();
    const arrivals = (raw: string): number => world.chain.received.filter((one) => one === raw).length;
    /** A buy that is signed and does not reach the chain while it does not listen. */
    const unheard = async (buyAmountUSD: number, meanwhile: (intentId: string) => Promise<void>): Promise<string> => {
      world.chain.isListening = false;
      try {
        const buy = { tokenId, chainSlug, direction: 'buy', buyAmountUSD, execute: true };
        const { intentId } = await done('tradeToken', buy, { bearer });
        await meanwhile(intentId);
        return intentId;
      } finally {
        world.chain.isListening = true;
      }
    };
    /** Waits until the signer has looked after the open steps once more, from the beginning. */
    const aTurn = async (): Promise<void> => {
      const looked = async (): Promise<number> => {
        const lane = world.db.selectFrom('lane').select('watched_at').where('wallet', '=', alice.embedded);
        return (await lane.executeTakeFirstOrThrow()).watched_at.getTime();
      };
      for (let turns = 0; turns < 2; turns += 1) {
        const before = await looked();
        await until(async () => (await looked()) > before);
      }
    };

    it('stopped between signing and sending, sends the same bytes later, with one effect', async () => {
      const before = dollars(alice.embedded);
      const intentId = await unheard(4, world.stopSigner);
      const signed = await ofIntent(intentId);
      expect(signed).toMatchObject([{ nonce: null }]);
      expect(signed.map(({ raw }) => arrivals(raw))).toEqual([0]);
      world.chain.produce();
      await world.startSigner();
      await world.settles(intentId, bearer);
      expect(await ofIntent(intentId)).toEqual(signed);
      expect(signed.map(({ raw }) => arrivals(raw))).toEqual([1]);
      expect(dollars(alice.embedded)).toBe(before - 4_000_000n);
      await expectTruth(world);
    });

    it('sends the same bytes again when a reorganisation lost their block', async () => {
      const before = dollars(alice.embedded);
      const { answer } = await trade({ direction: 'buy', buyAmountUSD: 3 });
      await world.becomes({ intentId: answer.intentId }, bearer, 'mined');
      const signed = await ofIntent(answer.intentId);
      world.chain.reorg(1);
      await world.settles(answer.intentId, bearer);
      expect(await ofIntent(answer.intentId)).toEqual(signed);
      expect(signed.map(({ raw }) => arrivals(raw))).toEqual([2]);
      expect(dollars(alice.embedded)).toBe(before - 3_000_000n);
      await expectTruth(world);
    });

    it('signs a second time only when the chain can never take the first', async () => {
      const before = dollars(alice.embedded);
      let end = 0;
      const intentId = await unheard(6, async (signed) => {
        const [first] = await ofIntent(signed);
        end = first?.valid_until_block ?? 0;
        while (world.chain.finalized < end) world.chain.produce();
        await aTurn();
        expect(await ofIntent(signed)).toEqual([first]);
      });
      world.chain.produce();
      await world.settles(intentId, bearer);
      const both = await ofIntent(intentId);
      expect(both).toHaveLength(2);
      expect(both.map(({ raw }) => arrivals(raw))).toEqual([0, 1]);
      expect(both[1]?.valid_until_block).toBeGreaterThan(end);
      expect(dollars(alice.embedded)).toBe(before - 6_000_000n);
      await expectTruth(world);
    });

    it('sends what the caller’s own bytes say, and refuses bytes that it cannot read', async () => {
      const recipient = addressOf(newSecret());
      const { transaction } = await done('transferToken', transferOf(recipient, '5', false), { bearer });
      const { to, data } = transaction;
      const { answer } = await executed('sendTransaction', { chainSlug, to, data });
      expect(answer.hash).toEqual(id);
      expect(tokens(recipient)).toBe(5_000_000n);
      const { status } = await call('sendTransaction', { chainSlug, to, data: '0x1234' }, { bearer });
      expect(status).toBe(400);
    });
  });

  it('a key with a budget is counted, and refused beyond it', async () => {
    const user = await world.newUser();
    await fund(user, 100);
    await world.indexed();
    const { id: keyId, key } = await world.apiKey(user, { budget: { perDayUsd: '5', chains: [chainSlug] } });
    const buy = { direction: 'buy', buyAmountUSD: 3, slippageBps: 300 };
    await trade(buy, { by: key });
    const reserved = async (): Promise<string> => {
      const { keys } = await done('listApiKeys', {}, { bearer: user.accessToken });
      return keys.find((one: { id: string }) => one.id === keyId).budget.reservedTodayUsd;
    };
    expect(await reserved()).toBe('3');
    const before = dollars(user.embedded);
    const refused = await call('tradeToken', { tokenId, chainSlug, execute: true, ...buy }, { bearer: key });
    expect(refused.body).toMatchObject({ code: 'BUDGET_EXCEEDED' });
    world.chain.produce();
    expect(dollars(user.embedded)).toBe(before);
    const paid = await call('transferToken', transferOf(addressOf(newSecret()), '1'), { bearer: key });
    expect(paid.body).toMatchObject({ code: 'RECIPIENT_NOT_ALLOWED' });
    expect(await reserved()).toBe('3');
  });

  it('tools quote and trade there', async () => {
    const { key } = await world.apiKey(alice);
    const client: ToolClient = await connectNew(addressIn(world, '/mcp'), key);
    try {
      await world.indexed();
      const asked = { tokenId, chainSlug, direction: 'buy', amount: 2.5, inputToken: 'usdc' };
      const { body: quote } = await client.call('quote_trade_token', asked);
      const waiting = client.call('trade_token', {
        tokenId,
        chainSlug,
        direction: 'buy',
        buyAmountUSD: 2.5,
        autoExecute: true,
      });
      const from = world.chain.head.height;
      const height = await until(() => (world.chain.pooled > 0 ? world.chain.produce().height : null));
      expect(height).toBe(from + 1);
      const { isError, body } = await waiting;
      expect(isError, JSON.stringify(body)).toBe(false);
      expect(body).toMatchObject({ executed: true, transactionHash: id, outputAmountRaw: quote.outputAmountRaw });
      expect(tradeIn(world.chain.head).tokens).toBe(BigInt(quote.outputAmountRaw));
      const found = await client.call('search_token', { input: token });
      expect(found.body).toMatchObject({ id: tokenId });
      const { body: status } = await client.call('transaction_status', { hash: body.transactionHash, chainSlug });
      expect(status).toMatchObject({ status: 'mined', hash: body.transactionHash });
    } finally {
      await client.close();
    }
    await expectTruth(world);
  });

  it('a curve that is sold out says so; this chain has no exchange that it could go on with', async () => {
    await fund(alice, 100_000);
    const { answer, block } = await trade({ direction: 'buy', buyAmountUSD: 60_000 });
    expect(filled(tradeIn(block))).toEqual(quoted(answer.quote, 'buy'));
    expect(block.events.at(-1)?.name).toBe('Completed');
    await expectTruth(world);
    const after = await call(
      'tradeToken',
      { tokenId, chainSlug, direction: 'buy', buyAmountUSD: 1, execute: true },
      { bearer },
    );
    expect(after.body).toMatchObject({ code: 'BEYOND_CURVE' });
  });
});
