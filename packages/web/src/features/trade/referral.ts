import { useEffect } from 'react';
import { useSearch } from 'wouter';
import { store, stored } from '../../lib/storage.ts';
import { useStored } from '../../lib/useStored.ts';

/** Who brought this browser to a token, by the token's address: `?ref=` of the last link that led here. */
type Referrals = Readonly<Record<string, string>>;
const name = 'referrals';

const addressIn = (text: string | null): string | null => {
  const address = text?.toLowerCase() ?? '';
  return /^0x[0-9a-f]{40}$/.test(address) && !/^0x0+$/.test(address) ? address : null;
};

/** The referral of a token, never of the trader itself; null: nobody. */
export const useReferral = (token: string, trader: string | null): string | null => {
  const search = useSearch();
  useEffect(() => {
    const named = addressIn(new URLSearchParams(search).get('ref'));
    if (named !== null) store(name, { ...stored<Referrals>(name), [token]: named });
  }, [search, token]);
  const kept = addressIn(useStored<Referrals>(name)?.[token] ?? null);
  return kept === trader?.toLowerCase() ? null : kept;
};
