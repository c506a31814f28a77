import type { DevChain } from '@mintage/devnet';
import { launchpadAbi, poolAddressOf, type VenueKind } from '@mintage/protocol';
import { createPublicClient, erc20Abi, type Hex, http, parseAbi, zeroAddress } from 'viem';

/** A trade as its event tells it; `price18` is USD of one whole token after it, with 18 fraction digits. */
export interface TrueTrade {
  block: number;
  index: number;
  txHash: Hex;
  timeMs: number;
  side: 'buy' | 'sell';
  venue: 'launchpad' | VenueKind;
  trader: string;
  tokens: bigint;
  grossUsd: bigint;
  price18: bigint;
}

interface TrueTransfer {
  block: number;
  index: number;
  timeMs: number;
  from: string;
  to: string;
  amount: bigint;
}

/** Everything about one token, from the chain's logs alone and by other formulas than the service's. */
export interface TokenTruth {
  creator: string;
  createdMs: number;
  created: { block: number; txHash: Hex };
  startPrice18: bigint;
  trades: TrueTrade[];
  /** Between wallets. */
  transfers: TrueTransfer[];
  graduated: { block: number; index: number; txHash: Hex } | null;
  /** Wallets with a balance after the block of that time. */
  holdersAt(timeMs: number): number;
  balanceOf(wallet: string): bigint;
  /** What wallets hold, largest first. */
  held: bigint[];
}

export interface ChainTruth {
  nowMs: number;
  head: number;
  tokens: Map<string, TokenTruth>;
}

const unit = 10n ** 18n;
/** Tokens that fit no position of a v3 pool go there. */
const grave = '0x000000000000000000000000000000000000dead';

/** Of a pool on PancakeSwap v3. */
const swapAbi = parseAbi([
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint128 protocolFeesToken0, uint128 protocolFeesToken1)',
]);

export const readChainTruth = async (chain: DevChain): Promise<ChainTruth> => {
  const client = createPublicClient({ transport: http(chain.rpcUrl) });
  const { launchpad, poolManager, exchange, venue, usd, usdDecimals } = chain.deployment;
  const usdScale = 10n ** BigInt(18 - usdDecimals);
  const head = await client.getBlock();
  const poolOf = (token: Hex): Hex => (exchange === null ? zeroAddress : poolAddressOf(exchange, usd, token));
  const isNobody = (token: Hex, account: string): boolean =>
    [launchpad, poolManager ?? zeroAddress, poolOf(token), grave, zeroAddress].map(lower).includes(account);
  const ours = { address: launchpad, abi: launchpadAbi, fromBlock: 0n, toBlock: head.number, strict: true } as const;

  const times = new Map<bigint, number>();
  const timeOf = async (number: bigint): Promise<number> => {
    const known = times.get(number) ?? Number((await client.getBlock({ blockNumber: number })).timestamp) * 1_000;
    times.set(number, known);
    return known;
  };
  const creations = await client.getContractEvents({ ...ours, eventName: 'TokenCreated' });
  const trades = await client.getContractEvents({ ...ours, eventName: 'Trade' });
  const graduations = await client.getContractEvents({ ...ours, eventName: 'Graduated' });

  /** Swaps of strangers' routers, of which only the pool tells. */
  const foreignTrades = async (token: Hex, price18: (sqrt: bigint) => bigint): Promise<TrueTrade[]> => {
    if (exchange === null) return [];
    const range = { address: poolOf(token), abi: swapAbi, fromBlock: 0n, toBlock: head.number, strict: true } as const;
    const swaps = await client.getContractEvents({ ...range, eventName: 'Swap' });
    const foreign = swaps.filter(({ args }) => lower(args.sender) !== lower(launchpad));
    return Promise.all(
      foreign.map(async ({ args, blockNumber, logIndex, transactionHash }) => {
        const [ofUsd, ofToken] =
          BigInt(usd) < BigInt(token) ? [args.amount0, args.amount1] : [args.amount1, args.amount0];
        return {
          block: Number(blockNumber),
          index: logIndex,
          txHash: transactionHash,
          timeMs: await timeOf(blockNumber),
          side: ofToken < 0n ? 'buy' : 'sell',
          venue: venue as VenueKind,
          trader: lower(args.recipient),
          tokens: ofToken < 0n ? -ofToken : ofToken,
          grossUsd: ofUsd < 0n ? -ofUsd : ofUsd,
          price18: price18(args.sqrtPriceX96),
        };
      }),
    );
  };

  const tradesOf = async (token: Hex): Promise<TrueTrade[]> => {
    const usdIsFirst = BigInt(usd) < BigInt(token);
    const poolPrice18 = (sqrt: bigint): bigint =>
      usdIsFirst ? ((usdScale * unit) << 192n) / (sqrt * sqrt) : (sqrt * sqrt * usdScale * unit) >> 192n;
    const own = trades.filter(({ args }) => lower(args.token) === token);
    const told = own.map(
      async ({ args: { trader, record }, blockNumber, logIndex, transactionHash }): Promise<TrueTrade> => ({
        block: Number(blockNumber),
        index: logIndex,
        txHash: transactionHash,
        timeMs: await timeOf(blockNumber),
        side: record.tokens < 0n ? 'sell' : 'buy',
        venue: record.venue === 0 ? 'launchpad' : (venue as VenueKind),
        trader: lower(trader),
        tokens: record.tokens < 0n ? -record.tokens : record.tokens,
        grossUsd: record.grossUsd,
        price18: record.venue === 0 ? (record.stateB * usdScale * unit) / record.stateA : poolPrice18(record.stateA),
      }),
    );
    const all = [...(await Promise.all(told)), ...(await foreignTrades(token, poolPrice18))];
    return all.toSorted((one, other) => one.block - other.block || one.index - other.index);
  };

  const movesOf = async (token: Hex): Promise<TrueTransfer[]> => {
    const range = { address: token, abi: erc20Abi, fromBlock: 0n, toBlock: head.number, strict: true } as const;
    const logs = await client.getContractEvents({ ...range, eventName: 'Transfer' });
    return Promise.all(
      logs.map(async ({ args, blockNumber, logIndex }) => ({
        block: Number(blockNumber),
        index: logIndex,
        timeMs: await timeOf(blockNumber),
        from: lower(args.from),
        to: lower(args.to),
        amount: args.value,
      })),
    );
  };

  const tokens = new Map<string, TokenTruth>();
  for (const { args, blockNumber, transactionHash } of creations) {
    const address = lower(args.token) as Hex;
    const moves = await movesOf(args.token);
    const end = graduations.find((graduation) => lower(graduation.args.token) === address);
    tokens.set(address, {
      creator: lower(args.creator),
      created: { block: Number(blockNumber), txHash: transactionHash },
      createdMs: await timeOf(blockNumber),
      startPrice18: (args.virtualUsd * usdScale * unit) / args.virtualTokens,
      trades: await tradesOf(address),
      transfers: moves.filter(({ from, to }) => !isNobody(address, from) && !isNobody(address, to)),
      graduated: end ? { block: Number(end.blockNumber), index: end.logIndex, txHash: end.transactionHash } : null,
      holdersAt: (timeMs) =>
        [...balancesAfter(moves, timeMs)].filter(([wallet, amount]) => amount > 0n && !isNobody(address, wallet))
          .length,
      held: [...balancesAfter(moves, Number.POSITIVE_INFINITY)]
        .flatMap(([wallet, amount]) => (isNobody(address, wallet) ? [] : [amount]))
        .toSorted((one, other) => (one === other ? 0 : one < other ? 1 : -1)),
      balanceOf: (wallet) => balancesAfter(moves, Number.POSITIVE_INFINITY).get(lower(wallet)) ?? 0n,
    });
  }
  return { nowMs: Number(head.timestamp) * 1_000, head: Number(head.number), tokens };
};

const lower = (address: string): string => address.toLowerCase();

const balancesAfter = (moves: readonly TrueTransfer[], timeMs: number): Map<string, bigint> => {
  const balances = new Map<string, bigint>();
  for (const { from, to, amount } of moves.filter((move) => move.timeMs <= timeMs)) {
    balances.set(from, (balances.get(from) ?? 0n) - amount);
    balances.set(to, (balances.get(to) ?? 0n) + amount);
  }
  return balances;
};
