import type { MeAnswer } from '@mintage/sdk';
import { Amount, Unknown } from '../../ui/Amount.tsx';

/** What one wallet has on a chain. */
export interface Pocket {
  chainSlug: MeAnswer['data']['balances'][number]['chainSlug'];
  native: Money;
  usd: Money;
}

interface Money {
  symbol: string;
  /** Whole units; null: the chain did not answer. */
  balance: string | null;
  /** Base units. */
  balanceRaw: string | null;
}

export const Balance = ({ of: { balance, symbol }, places }: { of: Money; places: number }) =>
  balance === null ? <Unknown /> : <Amount value={balance} places={places} unit={symbol} />;
