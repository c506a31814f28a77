import { useWallet } from '../lib/wallet.ts';
import { short } from '../lib/format.ts';
import { useSession } from '../lib/session.ts';
import { t } from '../messages/t.ts';
import { ButtonLink } from '../ui/Button.tsx';
import { Icon } from '../ui/icons.tsx';

/** Who is here: leads to the account, or to signing in. */
export const AccountButton = () => {
  const session = useSession();
  const wallet = useWallet();
  const name = wallet === null ? (session === null ? t.nav.connect : t.nav.account) : short(wallet.address);
  return (
    <ButtonLink href="/account" kind="quiet" aria-label={wallet === null ? name : `${t.nav.account}, ${name}`}>
      {wallet?.icon.startsWith('data:image/') ? <img className="wallet-icon" src={wallet.icon} alt="" /> : <Icon name="user" />}
      <span className="wide">{name}</span>
    </ButtonLink>
  );
};
