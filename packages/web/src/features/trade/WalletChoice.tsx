import type { EIP6963ProviderDetail } from 'mipd';
import { useWallets } from '../../lib/wallet.ts';
import * as t from '../../messages/en/trade.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';

/** The wallets of this browser, and the way in without one. */
export const WalletChoice = ({
  isOpen,
  onClose,
  onChoose,
}: {
  isOpen: boolean;
  onClose(): void;
  onChoose(detail: EIP6963ProviderDetail): void;
}) => (
  <Dialog title={t.trade.connect.title} isOpen={isOpen} onClose={onClose}>
    <div className="wallets">
      {useWallets().map((detail) => (
        <Button key={detail.info.uuid} size="l" onClick={() => onChoose(detail)}>
          {detail.info.icon.startsWith('data:image/') && <img className="wallet-icon" src={detail.info.icon} alt="" />}
          {detail.info.name}
        </Button>
      ))}
      <ButtonLink size="l" href="/account">
        {t.trade.connect.without}
      </ButtonLink>
    </div>
  </Dialog>
);
