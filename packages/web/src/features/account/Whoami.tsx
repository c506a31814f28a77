import { Link } from 'wouter';
import { userPath } from '../../lib/people.ts';
import type { SignedIn } from '../../lib/session.ts';
import * as t from '../../messages/en/account.ts';
import { Address, Copy } from '../../ui/Address.tsx';

/** How whoever is here signed in, and their id. */
export const Whoami = ({ session: { by, address, userId } }: { session: SignedIn }) => (
  <div className="whoami hint">
    <div>
      {t.account.by[by]} {address !== undefined && <Address value={address} />}
    </div>
    <div className="row">
      {t.account.userId} <Address value={userId} />
      <Copy text={userId} label={t.account.copyUserId} />
    </div>
    <Link className="link" href={userPath({ id: userId, username: null })}>
      {t.account.profile}
    </Link>
  </div>
);
