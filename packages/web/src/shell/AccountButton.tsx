import { short } from '../lib/format.ts';
import { useSession } from '../lib/session.ts';
import { useWallet } from '../lib/wallet.ts';
import * as t from '../messages/en/common.ts';
import { ButtonLink } from '../ui/Button.tsx';
import { Icon } from '../ui/icons.tsx';
import { SignInLink } from '../ui/SignInLink.tsx';

/** Who is here: leads to the account, or asks to sign in. */
export const AccountButton = () => {
  const session = useSession();
  const wallet = useWallet();
  if (session === null) {
    return (
      <SignInLink kind="quiet" aria-label={t.nav.connect}>
        <Icon name="user" />
        <span className="wide">{t.nav.connect}</span>
      </SignInLink>
    );
  }
  const own = wallet !== null && wallet.address === session.address ? wallet : null;
  const name = session.address === undefined ? t.nav.account : short(session.address);
  return (
    <ButtonLink
      href="/account"
      kind="quiet"
      aria-label={session.address === undefined ? name : `${t.nav.account}, ${name}`}
    >
      {own?.icon.startsWith('data:image/') ? (
        <img className="wallet-icon" src={own.icon} alt="" />
      ) : (
        <Icon name="user" />
      )}
      <span className="wide">{name}</span>
    </ButtonLink>
  );
};
