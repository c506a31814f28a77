import type { ChainContext } from '../../chain/servedChain.ts';
import type { ReferralNetwork } from '../../db/serviceTables.ts';
import type { Reading } from '../tokens/reading.ts';

/** Always in this order, so that two calls for both networks never wait for each other. */
export const networksOf = (mode: ReferralNetwork | 'both'): readonly ReferralNetwork[] =>
  mode === 'both' ? ['mainnet', 'testnet'] : [mode];

export const networkOf = ({ chain }: Pick<ChainContext, 'chain'>): ReferralNetwork =>
  chain.testnet ? 'testnet' : 'mainnet';

export const chainsOn = ({ chains }: Pick<Reading, 'chains'>, network: ReferralNetwork): ChainContext[] =>
  [...chains.values()].filter((served) => networkOf(served) === network);

/** What codes are compared by. */
export const keyOfCode = (code: string): string => code.toLowerCase();

/** Where the web app lets a new user enter the code. */
export const shareLink = ({ config }: Pick<Reading, 'config'>, code: string): string => `${config.appUrl}/join/${code}`;
