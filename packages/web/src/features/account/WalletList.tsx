import type { Announced } from '../../lib/announced.ts';
import { useWallets } from '../../lib/wallet.ts';
import * as t from '../../messages/en/account.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';

/** The wallets of this browser, as they announce themselves; one of both families is there twice. Names are text, and icons pictures that are in them. */
export const WalletList = ({ isDisabled, onChoose }: { isDisabled: boolean; onChoose(wallet: Announced): void }) => {
  const wallets = useWallets();
  if (wallets.length === 0) return <p className="hint">{t.signIn.noWallets}</p>;
  return wallets.map((wallet) => (
    <Button key={wallet.key} size="l" disabled={isDisabled} onClick={() => onChoose(wallet)}>
      {wallet.icon.startsWith('data:image/') ? (
        <img className="wallet-icon" src={wallet.icon} alt="" />
      ) : (
        <Icon name="wallet" />
      )}
      <span className="clip">{wallet.name}</span>
      {wallet.type === 'solana' && <span className="tag">{t.wallet.ofSolana}</span>}
    </Button>
  ));
};
