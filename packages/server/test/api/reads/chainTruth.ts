import type { DevChain } from '@mintage/devnet';
import { launchpadAbi } from '@mintage/protocol';
import { createPublicClient, erc20Abi, type Hex, http, zeroAddress } from 'viem';

/** A trade as its event tells it; `price18` is USD of one whole token after it, with 18 fraction digits. */
export interface TrueTrade {
  block: number;
  index: number;
  txHash: Hex;
  timeMs: number;
  side: 'buy' | 'sell';
  venue: 'launchpad' | 'uniswap_v4';
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
  createdMs: number;
  startPrice18: bigint;
  trades: TrueTrade[];
  /** Between wallets. */
  transfers: TrueTransfer[];
  graduated: { block: number; index: number; txHash: Hex } | null;
  /** Wallets with a balance after the block of that time. */
  holdersAt(timeMs: number): number;
  balanceOf(wallet: string): bigint;
}

export interface ChainTruth {
  nowMs: number;
  head: number;
  tokens: Map<string, TokenTruth>;
}

const unit = 10n ** 18n;

export const readChainTruth = async (chain: DevChain): Promise<ChainTruth> => {
  const client = createPublicClient({ transport: http(chain.rpcUrl) });
  const { launchpad, poolManager, usd, usdDecimals } = chain.deployment;
  const usdScale = 10n ** BigInt(18 - usdDecimals);
  const head = await client.getBlock();
  const nobody = new Set([launchpad, poolManager ?? zeroAddress, zeroAddress].map(lower));
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

  const tradesOf = (token: string): Promise<TrueTrade[]> => {
    const usdIsFirst = BigInt(usd) < BigInt(token);
    const poolPrice18 = (sqrt: bigint): bigint =>
      usdIsFirst ? ((usdScale * unit) << 192n) / (sqrt * sqrt) : (sqrt * sqrt * usdScale * unit) >> 192n;
    const own = trades.filter(({ args }) => lower(args.token) === token);
    return Promise.all(
      own.map(async ({ args: { trader, record }, blockNumber, logIndex, transactionHash }) => ({
        block: Number(blockNumber),
        index: logIndex,
        txHash: transactionHash,
        timeMs: await timeOf(blockNumber),
        side: record.tokens < 0n ? 'sell' : 'buy',
        venue: record.venue === 0 ? 'launchpad' : 'uniswap_v4',
        trader: lower(trader),
        tokens: record.tokens < 0n ? -record.tokens : record.tokens,
        grossUsd: record.grossUsd,
        price18: record.venue === 0 ? (record.stateB * usdScale * unit) / record.stateA : poolPrice18(record.stateA),
      })),
    );
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
  for (const { args, blockNumber } of creations) {
    const address = lower(args.token);
    const moves = await movesOf(args.token);
    const end = graduations.find((graduation) => lower(graduation.args.token) === address);
    tokens.set(address, {
      createdMs: await timeOf(blockNumber),
      startPrice18: (args.virtualUsd * usdScale * unit) / args.virtualTokens,
      trades: await tradesOf(address),
      transfers: moves.filter(({ from, to }) => !nobody.has(from) && !nobody.has(to)),
      graduated: end ? { block: Number(end.blockNumber), index: end.logIndex, txHash: end.transactionHash } : null,
      holdersAt: (timeMs) =>
        [...balancesAfter(moves, timeMs)].filter(([wallet, amount]) => amount > 0n && !nobody.has(wallet)).length,
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
