import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Account } from '../features/account/Account.tsx';
import { SignInPage } from '../features/account/SignInPage.tsx';
import { ownPath } from '../lib/ownPath.ts';
import type { PageModule } from '../lib/route.ts';
import { useSession } from '../lib/session.ts';
import { useIsHydrated } from '../lib/useIsHydrated.ts';
import * as t from '../messages/en/account.ts';

const AccountPage: PageModule['default'] = ({ search }) => {
  const session = useSession();
  const isHydrated = useIsHydrated();
  const [, go] = useLocation();
  const next = ownPath(search.get('next'));
  // Who was signed in before sees the account; who signs in here goes on to where they wanted.
  const [isComing, setComing] = useState(false);
  useEffect(() => {
    if (session === null) setComing(true);
    else if (isComing && next !== null) go(next, { replace: true });
  }, [session, isComing, next, go]);
  if (isHydrated && session === null) return <SignInPage search={search} next={next ?? '/account'} />;
  return <Account session={isHydrated ? session : null} />;
};
export default AccountPage;

export const prepare: PageModule['prepare'] = () => ({
  title: t.account.title,
  description: t.account.description,
  isHidden: true,
});
