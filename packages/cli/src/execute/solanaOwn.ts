import { readFileSync } from 'node:fs';
import { keypairWallet, type SolanaSigner, type SolanaWallet } from '@mintage/sdk';
import { Failure } from '../failure.ts';

/**
 * The wallet whose key file `MINTAGE_SOLANA_KEYPAIR` names.
 *
 * @param urlOf - Of the node through which it sends, by cluster.
 * @throws Failure where there is none, or the file has no key pair.
 */
export const solanaWallet = async (urlOf: (slug: string) => string): Promise<SolanaWallet & SolanaSigner> => {
  const file = process.env.MINTAGE_SOLANA_KEYPAIR;
  if (!file)
    throw new Failure(
      'credential',
      'There is no wallet of your own on Solana here.',
      'Set MINTAGE_SOLANA_KEYPAIR to a file as solana-keygen writes it; with --execute your embedded wallet signs.',
    );
  try {
    return await keypairWallet(Uint8Array.from(JSON.parse(readFileSync(file, 'utf8')) as number[]), urlOf);
  } catch (cause) {
    const failure = new Failure(
      'credential',
      `${file} has no key pair of Solana.`,
      'It is a list of 64 numbers, as `solana-keygen new -o FILE` writes it.',
    );
    failure.cause = cause;
    throw failure;
  }
};
