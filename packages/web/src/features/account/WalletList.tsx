import type { EIP6963ProviderDetail } from 'mipd';
import { useWallets } from '../../lib/wallet.ts';
import * as t from '../../messages/en/account.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';

/** The wallets of this browser, as they announce themselves: names are text, and icons pictures that are in them. */
export const WalletList = ({
  isDisabled,
  onChoose,
}: {
  isDisabled: boolean;
  onChoose(detail: EIP6963ProviderDetail): void;
}) => {
  const wallets = useWallets();
  if (wallets.length === 0) return <p className="hint">{t.signIn.noWallets}</p>;
  return wallets.map((detail) => (
    <Button key={detail.info.uuid} size="l" disabled={isDisabled} onClick={() => onChoose(detail)}>
      {detail.info.icon.startsWith('data:image/') ? (
        <img className="wallet-icon" src={detail.info.icon} alt="" />
      ) : (
        <Icon name="wallet" />
      )}
      <span className="clip">{detail.info.name}</span>
    </Button>
  ));
};
