import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConnectedWallet } from '../lib/announced.ts';
import { apiOf } from '../lib/api.ts';
import { short } from '../lib/format.ts';
import { sameAddress } from '../lib/onChain.ts';
import { me } from '../lib/queries.ts';
import { isRefusal } from '../lib/refusal.ts';
import { type SignedIn, useSession } from '../lib/session.ts';
import { useWallet } from '../lib/wallet.ts';
import * as t from '../messages/en/common.ts';
import { Button } from '../ui/Button.tsx';
import { Problem } from '../ui/Problem.tsx';

/** Says that the wallet went to another account than the one signed in, and offers to sign in as that one. */
export const OtherAccount = () => {
  const [session, wallet] = [useSession(), useWallet()];
  if (session?.address === undefined || wallet === null || wallet.address === session.address) return null;
  return <Other key={wallet.address} session={session} wallet={wallet} />;
};

const Other = ({ session, wallet }: { session: SignedIn; wallet: ConnectedWallet }) => {
  const client = useQueryClient();
  const { data } = useQuery(me());
  const [isStaying, setStaying] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isLinked = data?.data.wallets.some(({ address }) => sameAddress(address, wallet.address)) ?? true;
  if (isLinked || isStaying) return null;
  const signInAs = async (): Promise<void> => {
    setError(null);
    try {
      const { signInWithWallet } = await import('../lib/signIn.ts');
      await signInWithWallet(apiOf(client), wallet);
    } catch (refused) {
      if (!isRefusal(refused)) setError(refused);
    }
  };
  return (
    <aside className="other" aria-label={t.nav.account}>
      <p>{t.signIn.otherAccount(short(wallet.address), short(session.address ?? ''))}</p>
      <Button size="s" kind="ink" onClick={signInAs}>
        {t.signIn.signInAs(short(wallet.address))}
      </Button>
      <Button size="s" onClick={() => setStaying(true)}>
        {t.signIn.otherStays}
      </Button>
      {error !== null && <Problem error={error} />}
    </aside>
  );
};
