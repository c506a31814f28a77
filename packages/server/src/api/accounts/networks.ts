import type { ChainContext } from '../../chain/chainContext.ts';
import type { ReferralNetwork } from '../../db/serviceTables.ts';
import type { Reading } from '../tokens/reading.ts';

/** The networks, always in this order, so that two calls for both never deadlock. */
export const networksOf = (mode: ReferralNetwork | 'both'): readonly ReferralNetwork[] =>
  mode === 'both' ? ['mainnet', 'testnet'] : [mode];

export const networkOf = ({ chain }: Pick<ChainContext, 'chain'>): ReferralNetwork =>
  chain.testnet ? 'testnet' : 'mainnet';

export const chainsOn = ({ chains }: Pick<Reading, 'chains'>, network: ReferralNetwork): ChainContext[] =>
  [...chains.values()].filter((served) => networkOf(served) === network);

/** The network of a code that did not name one: the only kind that is served, or mainnet. */
export const networkAsked = (context: Pick<Reading, 'chains'>, asked: ReferralNetwork | undefined): ReferralNetwork =>
  asked ?? (chainsOn(context, 'mainnet').length === 0 ? 'testnet' : 'mainnet');

/** The form in which codes are compared. */
export const keyOfCode = (code: string): string => code.toLowerCase();

/** Address in the web app where a new user enters the code. */
export const shareLink = ({ config }: Pick<Reading, 'config'>, code: string): string => `${config.appUrl}/join/${code}`;
