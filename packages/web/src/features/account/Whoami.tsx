import type { SignedIn } from '../../lib/session.ts';
import * as t from '../../messages/en/account.ts';
import { Address, Copy } from '../../ui/Address.tsx';

/** Id of whoever is signed in. */
export const Whoami = ({ session: { userId } }: { session: SignedIn }) => (
  <div className="row whoami">
    <span className="hint">{t.account.userId}</span>
    <Address value={userId} />
    <Copy text={userId} label={t.account.copyUserId} />
  </div>
);
