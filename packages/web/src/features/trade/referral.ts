import { useEffect } from 'react';
import { useSearch } from 'wouter';
import { isAddressOn, keyOf, sameAddress } from '../../lib/onChain.ts';
import { store, stored } from '../../lib/storage.ts';
import { useStored } from '../../lib/useStored.ts';

/** Who brought this browser to a token, by the token's address: `?ref=` of the last link that led here. */
type Referrals = Readonly<Record<string, string>>;
const name = 'referrals';

/** Stands for nobody, in each form. */
const nobody = /^(0x0+|1+)$/;

/** Only somebody of the chain's family can be named in a trade there. */
const addressIn = (text: string | null, slug: string): string | null =>
  text !== null && isAddressOn(slug, text) && !nobody.test(text) ? keyOf(text) : null;

/** The referral of a token, never of the trader itself; null: nobody. */
export const useReferral = (token: string, slug: string, trader: string | null): string | null => {
  const search = useSearch();
  useEffect(() => {
    const text = new URLSearchParams(search).get('ref');
    const named = addressIn(text, slug);
    if (text === null || named === null) return;
    // The hash of the checksum is loaded only where a link names a referrer.
    void import('../../lib/recipient.ts').then(({ recipientProblem }) => {
      if (recipientProblem(slug, text) === null) store(name, { ...stored<Referrals>(name), [token]: named });
    });
  }, [search, token, slug]);
  const kept = addressIn(useStored<Referrals>(name)?.[token] ?? null, slug);
  return sameAddress(kept, trader) ? null : kept;
};
