import type { Chain } from '@mintage/protocol';
import { parseEther, parseGwei } from 'viem';

/** What gas may cost on one chain, in native base units (18 decimals). Above it the signer waits. */
export interface GasPolicy {
  /** Highest fee per unit of gas that is ever signed. */
  mostFeePerGas: bigint;
  /**
   * Most that one wallet's gas may cost in a day (UTC): open transactions count at their limits, mined ones at their
   * cost.
   */
  mostPerDay: bigint;
  /** Bounds of the tip, whatever a provider suggests. */
  leastTip: bigint;
  mostTip: bigint;
  /** A rollup's data fee, in percent of the cost of the gas limit; this much is kept in reserve. */
  dataFeePercent: bigint;
  /** False: the chain takes legacy transactions only. */
  eip1559: boolean;
  /** Blocks that a transaction may wait unmined before it is replaced. */
  patienceBlocks: number;
}

/** The signed maximum fee covers this many times the current base fee. */
export const baseFeeRoom = 2n;
/** Most gas of one transaction: EIP-7825. */
export const mostGas = 2 ** 24;
/** Least gas of any transaction. */
export const leastGas = 21_000;
/** A call that is still not mined this long after its expiry is cancelled, seconds. */
export const cancelAfterSeconds = 600;

/** @throws For a chain that the signer sends nothing on. */
export const gasPolicyOf = ({ slug, gas }: Pick<Chain, 'slug' | 'gas'>): GasPolicy => {
  if (gas === null) throw new Error(`There is no gas policy for ${slug}: add \`gas\` to its entry in chains.ts.`);
  return {
    mostFeePerGas: parseGwei(gas.maxFeeGwei),
    mostPerDay: parseEther(gas.maxPerDayCoins),
    leastTip: parseGwei(gas.minTipGwei),
    mostTip: parseGwei(gas.maxTipGwei),
    dataFeePercent: BigInt(gas.dataFeePercent),
    eip1559: true,
    patienceBlocks: gas.patienceBlocks,
  };
};
