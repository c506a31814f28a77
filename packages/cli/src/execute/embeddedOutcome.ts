import { type Outcome, outcomeOf, type TransactionStatusAnswer, type TrustedChain } from '@mintage/sdk';
import { createPublicClient } from 'viem';
import { Failure } from '../failure.ts';
import type { Shell } from '../shell.ts';
import { providers } from './provider.ts';

/**
 * What the chain did when the embedded wallet's transaction was mined, by its events; null where nobody names a provider to read
 * them from.
 */
export const embeddedOutcome = async (
  shell: Shell,
  { hash }: Pick<TransactionStatusAnswer, 'hash'>,
  chain: TrustedChain,
  rpcUrl: string | undefined,
): Promise<Outcome | null> => {
  const providerOf = await providers(shell, rpcUrl);
  try {
    const client = createPublicClient(providerOf(chain.slug));
    const receipt = await client.waitForTransactionReceipt({ hash: hash as `0x${string}`, timeout: 30_000 });
    return outcomeOf([{ chain, receipt }], receipt.from);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
};
