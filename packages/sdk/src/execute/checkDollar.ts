import { erc20Abi } from 'viem';
import { readContract } from 'viem/actions';
import type { TrustedChain } from '../trusted.ts';
import { requireSame } from './differs.ts';
import type { Wallet } from './wallet.ts';

/**
 * Asks the dollar token itself what it counts in. Every amount of dollars that was meant became base units by it, and so did the limit
 * that the chain is held against: two places more, and 100 dollars would take 10,000.
 *
 * @throws MintageError BYTES_DIFFER.
 */
export const checkDollar = async (client: Wallet, { usd, usdDecimals }: TrustedChain): Promise<void> => {
  const decimals = await readContract(client, { address: usd, abi: erc20Abi, functionName: 'decimals' });
  requireSame('usdDecimals', usdDecimals, decimals);
};
