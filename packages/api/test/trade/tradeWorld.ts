import { type DevAccountName, type DevChain, type DevChains, type Receipt, startChains } from '@mintage/devnet';
import { claimSlug } from '@mintage/indexer/db';
import { curveOf, encodeMint, launchpadAbi, platformIdOf, type Range, tokenIdOf } from '@mintage/protocol';
import type { FeeKind, TradeQuote } from '@mintage/protocol/operations';
import { decodeEventLog, type Hex, zeroAddress, zeroHash } from 'viem';
import type { ChainContext } from '../../src/context.ts';
import { type Answer, type TestApi, testApi } from '../../src/testing/testApi.ts';
import { readChain } from '../../src/trade/readChain.ts';

/** A dollar token of 6 decimals and one of 18. */
export const worldSlugs = ['base-sepolia', 'bnb-testnet'] as const;
export type WorldSlug = (typeof worldSlugs)[number];

/** Real local chains that move only when told to, and the API over them; for tests that compare quotes with the chain. */
export interface TradeWorld {
  api: TestApi;
  chain(slug: WorldSlug): DevChain;
  bearer: string;
  /** The wallet that signed in. */
  signedIn: string;
  /** Gives test dollars, whole units. */
  fund(slug: WorldSlug, who: DevAccountName, dollars: bigint): Promise<void>;
  /** Sends every transaction of an answer as `who`; the receipt of the last. */
  send(slug: WorldSlug, who: DevAccountName, answer: Answer): Promise<Receipt>;
  /** Creates a token through the API and sends it; `body` adds to a plain creation. */
  create(
    slug: WorldSlug,
    who: DevAccountName,
    body?: object,
  ): Promise<{ answer: Answer; receipt: Receipt; tokenId: string; address: Hex }>;
  /** Puts the token's state at the latest block into the index, as the indexer does. */
  index(slug: WorldSlug, token: Hex): Promise<void>;
  /** Mines a block at this many seconds after the token's creation. */
  mineAt(slug: WorldSlug, token: Hex, seconds: number): Promise<void>;
  /** Asks for a trade of `who`. */
  trade(slug: WorldSlug, who: DevAccountName, body: object): Promise<Answer>;
  stop(): Promise<void>;
}

export const onePixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const startTradeWorld = async (): Promise<TradeWorld> => {
  const chains: DevChains = await startChains(worldSlugs, { heartbeat: false });
  let api: TestApi;
  try {
    api = await testApi({
      chains: chains.chains.map(({ chain, deployment, rpcUrl }) => ({
        chain,
        deployment,
        rpcUrls: [rpcUrl],
        local: true,
      })),
      now: Date.now,
    });
  } catch (error) {
    await chains.stop();
    throw error;
  }
  const chain = (slug: WorldSlug): DevChain => {
    const found = chains.chains.find((one) => one.chain.slug === slug);
    if (found === undefined) throw new Error(`no chain ${slug}`);
    return found;
  };
  const { alice } = chain('base-sepolia').accounts;
  const { accessToken, address: signedIn } = await api.signIn(alice);

  const send: TradeWorld['send'] = async (slug, who, { body }) => {
    const { wallet, accounts } = chain(slug);
    let receipt: Receipt | undefined;
    for (const { to, data, gasLimit } of body.transactions)
      receipt = await wallet.send(accounts[who], { to, data, gas: BigInt(gasLimit) });
    if (receipt === undefined) throw new Error('an answer without transactions');
    return receipt;
  };

  return {
    api,
    chain,
    bearer: accessToken,
    signedIn,
    async fund(slug, who, dollars) {
      const { wallet, accounts, deployment } = chain(slug);
      const amount = dollars * 10n ** BigInt(deployment.usdDecimals);
      await wallet.send(accounts[who], { to: deployment.usd, data: encodeMint(accounts[who].address, amount) });
    },
    send,
    async create(slug, who, body = {}) {
      const answer = await api.call(
        'createTokenTransaction',
        {
          name: 'Tested Coin',
          symbol: 'TEST',
          description: 'A coin of a test.',
          image: onePixel,
          chainSlug: slug,
          userAddress: chain(slug).accounts[who].address,
          ...body,
        },
        { bearer: accessToken },
      );
      if (answer.status !== 200) throw new Error(`not created: ${JSON.stringify(answer.body)}`);
      const receipt = await send(slug, who, answer);
      return { answer, receipt, tokenId: answer.body.metadata.tokenId, address: answer.body.metadata.addresses.evm };
    },
    index: (slug, token) => indexToken(api, slug, token),
    async mineAt(slug, token, seconds) {
      const { market } = await stateOf(api, slug, token);
      const time = (market?.token?.createdAt ?? 0) + seconds;
      await chain(slug).rpc('evm_setNextBlockTimestamp', [time]);
      await chain(slug).rpc('evm_mine');
    },
    trade: (slug, who, body) =>
      api.call(
        'tradeToken',
        { chainSlug: slug, userAddress: chain(slug).accounts[who].address, ...body },
        { bearer: accessToken },
      ),
    async stop() {
      await api.stop();
      await chains.stop();
    },
  };
};

const served = ({ context }: TestApi, slug: WorldSlug): ChainContext => context.chains.get(slug) as ChainContext;

const stateOf = (api: TestApi, slug: WorldSlug, address: Hex) =>
  readChain(served(api, slug), { tokenId: '', address, name: '', symbol: '' }, zeroAddress);

const rangeRow = (locked: Range) => ({ ...locked, liquidity: locked.liquidity.toString() });

const indexToken = async (api: TestApi, slug: WorldSlug, address: Hex): Promise<void> => {
  const { context } = api;
  const { chain, deployment } = served(api, slug);
  const { market, block } = await stateOf(api, slug, address);
  if (market?.token == null) throw new Error('the chain does not have the token');
  const platformId = platformIdOf(address, chain.eid);
  const tokenId = tokenIdOf(platformId);
  const { curve, pool, poolType, token } = market;
  const sold = curve ?? curveOf(poolType, deployment.usdDecimals, { tokensLeft: 0n, reserveUsd: 0n });
  const graduation = pool && {
    sqrtPriceX96: pool.sqrtPriceX96.toString(),
    tick: pool.tick,
    fullRange: rangeRow(pool.fullRange),
    floor: rangeRow(pool.floor),
    usdLocked: '0',
    tokensLocked: '0',
    floorUsd: '0',
    creatorReward: '0',
    dustUsd: '0',
    dustTokens: '0',
    txHash: zeroHash,
    blockNumber: block.number,
    logIndex: 0,
  };
  const state = {
    virtual_tokens: sold.virtualTokens,
    virtual_usd: sold.virtualUsd,
    floor_usd: market.floorUsd,
    graduated_at: pool && new Date(block.time * 1000),
    graduation: graduation && JSON.stringify(graduation),
    pool_id: pool && zeroHash,
    sqrt_price_x96: pool && pool.sqrtPriceX96,
    liquidity: pool && pool.liquidity,
    tick: pool && pool.tick,
    protocol_fee: pool?.protocolFee ?? 0,
  };
  await context.db
    .insertInto('token')
    .values({
      chain_id: deployment.chainId,
      address,
      token_id: tokenId,
      platform_id: platformId,
      creator: token.creator,
      pool_type: poolType.id,
      name: 'Tested Coin',
      symbol: 'TEST',
      uri: 'ipfs://x',
      salt: zeroHash,
      created_at: new Date((token.createdAt as number) * 1000),
      block_number: block.number,
      log_index: 0,
      tx_hash: zeroHash,
      ...state,
    } as never)
    .onConflict((conflict) => conflict.columns(['chain_id', 'address']).doUpdateSet(state as never))
    .execute();
  await claimSlug(context.db.withTables(), tokenId, 'Tested Coin');
  const position = { indexed: block.number, indexed_hash: block.hash, indexed_time: new Date(block.time * 1000) };
  await context.db
    .insertInto('chain')
    .values({
      chain_id: deployment.chainId,
      slug,
      usd: deployment.usd,
      usd_decimals: deployment.usdDecimals,
      launchpad: deployment.launchpad,
      version: 1,
      ...position,
    })
    .onConflict((conflict) =>
      conflict.column('chain_id').doUpdateSet((row) => ({ ...position, version: row('chain.version', '+', 1) })),
    )
    .execute();
  await context.markets.follow();
};

/** The one trade of a receipt, as the chain tells it. */
export const tradeOf = (receipt: Receipt) => {
  const trades = receipt.logs.flatMap((log) => {
    try {
      const { eventName, args } = decodeEventLog({ abi: launchpadAbi, topics: log.topics as [Hex], data: log.data });
      return eventName === 'Trade' ? [args] : [];
    } catch {
      return []; // a log of another contract
    }
  });
  const [trade, another] = trades;
  if (trade === undefined || another !== undefined) throw new Error(`${trades.length} trades in one receipt`);
  return trade;
};

/** The names of the Launchpad's events in a receipt. */
export const eventsOf = (receipt: Receipt): string[] =>
  receipt.logs.flatMap((log) => {
    try {
      return [decodeEventLog({ abi: launchpadAbi, topics: log.topics as [Hex], data: log.data }).eventName];
    } catch {
      return [];
    }
  });

const baseKinds = ['creator', 'token_referral', 'protocol_referrer', 'cashback', 'treasury'] as const;

/** What a quote says, in the words of the chain's `Trade` event, to be compared with `sameFigures` of the event. */
export const quotedFigures = (quote: TradeQuote) => {
  const fee = (kind: FeeKind): bigint => BigInt(quote.fees.find((line) => line.kind === kind)?.amountUsdRaw ?? 0);
  const buy = quote.decoded.at(-1)?.function.startsWith('buy') === true;
  const base = baseKinds.map(fee).reduce((sum, part) => sum + part);
  const fees = base + fee('builder') + fee('anti_snipe');
  return {
    side: buy ? 0 : 1,
    venue: quote.venue === 'launchpad' ? 0 : 1,
    tokens: BigInt(buy ? quote.outputAmountRaw : quote.inputAmountRaw),
    grossUsd: buy ? BigInt(quote.inputAmountRaw) : BigInt(quote.outputAmountRaw) + fees,
    feeBps: BigInt(quote.state.feeBps),
    base,
    excess: fee('anti_snipe'),
    builderFee: fee('builder'),
    cashback: fee('cashback'),
  };
};

export const chainFigures = ({ record }: ReturnType<typeof tradeOf>) => ({
  side: record.side,
  venue: record.venue,
  tokens: record.tokens,
  grossUsd: record.grossUsd,
  feeBps: record.feeBps,
  base: record.base,
  excess: record.excess,
  builderFee: record.builderFee,
  cashback: record.cashback,
});
