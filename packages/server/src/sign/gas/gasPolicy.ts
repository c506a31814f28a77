import type { Chain, Slug } from '@mintage/protocol';
import { parseEther, parseGwei } from 'viem';

/** What gas may cost on one chain, in native base units (18 decimals). Above it the signer waits. */
export interface GasPolicy {
  /** Highest fee per unit of gas that is ever signed. */
  mostFeePerGas: bigint;
  /** What one wallet's gas may cost in a day (UTC): open transactions at their limits, mined ones at their cost. */
  mostPerDay: bigint;
  /** Bounds of the tip, whatever a provider suggests. */
  leastTip: bigint;
  mostTip: bigint;
  /** Gas cost that a rollup adds for the data beside gas, as a part of the gas limit's cost: room for it must be left. */
  dataFeePercent: bigint;
  /** False: the chain takes legacy transactions only. */
  eip1559: boolean;
  /** Blocks that a transaction may wait unmined before it is replaced. */
  patienceBlocks: number;
}

/** What is signed for covers a base fee of so many times the current one. */
export const baseFeeRoom = 2n;
/** Most gas of one transaction: EIP-7825. */
export const mostGas = 2 ** 24;
/** Least gas of any transaction. */
export const leastGas = 21_000;
/** A call that is unmined so long after it expired is replaced by nothing. */
export const cancelAfterSeconds = 600;
const patienceMs = 20_000;

/** In gwei and whole coins: [highest fee, most a day, least tip, highest tip, data fee in percent]. Our own estimates. */
const prices: Partial<Record<Slug, readonly [string, string, string, string, bigint]>> = {
  arbitrum: ['5', '0.02', '0', '0.1', 0n],
  base: ['5', '0.02', '0.001', '0.5', 25n],
  'base-sepolia': ['100', '100', '0.001', '2', 25n],
  avalanche: ['200', '2', '0', '5', 0n],
  'op-bnb': ['5', '0.02', '0.001', '1', 25n],
  bnb: ['10', '0.1', '0.05', '3', 0n],
  'bnb-testnet': ['100', '100', '0.1', '5', 0n],
  ethereum: ['100', '0.3', '0.01', '3', 0n],
  monad: ['1000', '100', '1', '50', 0n],
  unichain: ['5', '0.02', '0.001', '0.5', 25n],
  'unichain-testnet': ['100', '100', '0.001', '2', 25n],
  abstract: ['5', '0.02', '0', '0.5', 0n],
  polygon: ['2000', '100', '25', '300', 0n],
  zksync: ['5', '0.02', '0', '0.5', 0n],
  'zksync-testnet': ['100', '100', '0', '2', 0n],
};

/** @throws For a chain without EVM. */
export const gasPolicyOf = ({ slug, blockTimeMs }: Pick<Chain, 'slug' | 'blockTimeMs'>): GasPolicy => {
  const price = prices[slug];
  if (price === undefined) throw new Error(`There is no gas policy for ${slug}: add a line to gasPolicy.ts.`);
  const [mostFeePerGas, mostPerDay, leastTip, mostTip, dataFeePercent] = price;
  return {
    mostFeePerGas: parseGwei(mostFeePerGas),
    mostPerDay: parseEther(mostPerDay),
    leastTip: parseGwei(leastTip),
    mostTip: parseGwei(mostTip),
    dataFeePercent,
    eip1559: true,
    patienceBlocks: Math.max(3, Math.ceil(patienceMs / (blockTimeMs ?? 1_000))),
  };
};
