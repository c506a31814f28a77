import {
  type DevAccountName,
  type DevChain,
  type Receipt,
  type Relayer,
  type System,
  startSystem,
} from '@mintage/devnet';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { encodeMint, launchpadAbi, quotedFees, wholeTrade } from '@mintage/protocol';
import type { FeeKind, TradeQuote } from '@mintage/protocol/operations';
import { decodeEventLog, encodeFunctionData, type Hex, type LocalAccount } from 'viem';
import type { RunningApi } from '../../../src/api/main.ts';
import { type Answer, type Call, callsOf, signInWith } from '../../world/call.ts';

export type { Answer } from '../../world/call.ts';

/** A dollar token of 6 decimals and one of 18; Uniswap v4 and PancakeSwap v3. */
export const worldSlugs = ['base-sepolia', 'bnb-testnet'] as const;
export type WorldSlug = (typeof worldSlugs)[number];

/** The whole service over real local chains that move only when told to; for tests that compare quotes with the chain. */
export interface TradeWorld {
  api: RunningApi;
  call: Call;
  chain(slug: WorldSlug): DevChain;
  /** Brings messages between the two. */
  relayer: Relayer;
  bearer: string;
  /** Access token of a wallet. */
  signIn(account: LocalAccount): Promise<string>;
  /** The wallet that signed in. */
  signedIn: string;
  /** Gives test dollars, whole units. */
  fund(slug: WorldSlug, who: DevAccountName, dollars: bigint): Promise<void>;
  /** Sends every transaction of an answer as `who`; the receipt of the last. */
  send(slug: WorldSlug, who: DevAccountName, answer: Pick<Answer, 'body'>): Promise<Receipt>;
  /** Creates a token through the API and sends it; `body` adds to a plain creation. */
  create(
    slug: WorldSlug,
    who: DevAccountName,
    body?: object,
  ): Promise<{ answer: Answer; receipt: Receipt; tokenId: string; address: Hex }>;
  /** Opens the pool of a sold-out token where the last buy leaves that to whoever comes next. */
  graduate(slug: WorldSlug, token: Hex): Promise<void>;
  /** Waits until the index holds the latest blocks, and quotes are computed from them. */
  indexed(): Promise<void>;
  /** Mines a block at this many seconds after the token's creation. */
  mineAt(slug: WorldSlug, token: Hex, seconds: number): Promise<void>;
  /** Asks for a trade of `who`. */
  trade(slug: WorldSlug, who: DevAccountName, body: object): Promise<Answer>;
  stop(): Promise<void>;
}

export const onePixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const startTradeWorld = async (): Promise<TradeWorld> => {
  const database = await testDatabase();
  let system: System;
  try {
    const env = { CHAINS: worldSlugs.join(','), DATABASE_URL: database.url, LOG_LEVEL: 'silent' };
    system = await startSystem({ env, seed: false, heartbeat: false });
  } catch (error) {
    await database.stop();
    throw error;
  }
  const api = system.api as RunningApi;
  const chain = (slug: WorldSlug): DevChain => system.chains.find((one) => one.chain.slug === slug) as DevChain;

  const call = callsOf(api.app);
  const signIn = async (account: LocalAccount): Promise<string> => (await signInWith(call, account)).accessToken;
  const indexed = async (): Promise<void> => {
    await system.caughtUp();
    await api.context.markets.follow();
  };
  const { alice } = chain('base-sepolia').accounts;
  const bearer = await signIn(alice);

  const send: TradeWorld['send'] = async (slug, who, { body }) => {
    const { wallet, accounts } = chain(slug);
    let receipt: Receipt | undefined;
    for (const { to, data, value, gasLimit } of body.transactions)
      receipt = await wallet.send(accounts[who], { to, data, value: BigInt(value), gas: BigInt(gasLimit) });
    if (receipt === undefined) throw new Error('an answer without transactions');
    return receipt;
  };

  return {
    api,
    call,
    chain,
    relayer: system.relayer as Relayer,
    bearer,
    signIn,
    signedIn: alice.address,
    async fund(slug, who, dollars) {
      const { wallet, accounts, deployment } = chain(slug);
      const amount = dollars * 10n ** BigInt(deployment.usdDecimals);
      await wallet.send(accounts[who], { to: deployment.usd, data: encodeMint(accounts[who].address, amount) });
    },
    send,
    async create(slug, who, body = {}) {
      const answer = await call(
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
        { bearer },
      );
      if (answer.status !== 200) throw new Error(`not created: ${JSON.stringify(answer.body)}`);
      const receipt = await send(slug, who, answer);
      return { answer, receipt, tokenId: answer.body.metadata.tokenId, address: answer.body.metadata.addresses.evm };
    },
    async graduate(slug, token) {
      const { wallet, accounts, deployment } = chain(slug);
      if (deployment.exchange === null) return;
      const data = encodeFunctionData({ abi: launchpadAbi, functionName: 'graduate', args: [token] });
      await wallet.send(accounts.dave, { to: deployment.launchpad, data, gas: 9_000_000n });
    },
    indexed,
    async mineAt(slug, token, seconds) {
      await indexed();
      const { created_at } = await api.context.db
        .selectFrom('token')
        .select('created_at')
        .where('address', '=', token)
        .executeTakeFirstOrThrow();
      const time = created_at.getTime() / 1000 + seconds;
      await chain(slug).rpc('evm_setNextBlockTimestamp', [time]);
      await chain(slug).rpc('evm_mine');
    },
    trade: (slug, who, body) =>
      call('tradeToken', { chainSlug: slug, userAddress: chain(slug).accounts[who].address, ...body }, { bearer }),
    async stop() {
      await system.stop();
      await database.stop();
    },
  };
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
  return { ...trade, record: wholeTrade(trade.record) };
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

const baseKinds = quotedFees.filter(({ of }) => of === 'base').map(({ quoteKind }) => quoteKind);

/** What a quote says, in the words of the chain's `Trade` event, to be compared with `sameFigures` of the event. */
export const quotedFigures = (quote: TradeQuote) => {
  const fee = (kind: FeeKind): bigint => BigInt(quote.fees.find((line) => line.kind === kind)?.amountUsdRaw ?? 0);
  const buy = quote.decoded.at(-1)?.function.startsWith('buy') === true;
  const base = baseKinds.map(fee).reduce((sum, part) => sum + part);
  const fees = base + fee('builder') + fee('anti_snipe');
  return {
    side: buy ? 'buy' : 'sell',
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
  base: record.fees.base,
  excess: record.fees.excess,
  builderFee: record.fees.builder,
  cashback: record.fees.cashback,
});
