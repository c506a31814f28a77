import type { Config } from '../../config.ts';
import { keyOfCode } from './networks.ts';

/** Words with which somebody could pass for the service, or that read like a missing value. */
export const reservedWords: ReadonlySet<string> = new Set(
  [
    'account admin administrator anonymous cashback claim code codes config default deployer docs error example false',
    'help helpdesk home info invalid join launchpad leaderboard login logout mainnet moderator name none null',
    'official operator owner platform portfolio protocol referral referrals referrer register reward rewards root security',
    'service settings signin signup staff status support system team test testnet token tokens treasury true trade trading',
    'undefined user users vault verified verify wallet wallets webhook website',
  ].flatMap((line) => line.split(' ')),
);

/** Nobody can take these codes, nor the name of this service. */
export const isReservedCode = ({ platformSlug }: Pick<Config, 'platformSlug'>, code: string): boolean => {
  const key = keyOfCode(code);
  return reservedWords.has(key) || key === platformSlug.replaceAll('-', '');
};
