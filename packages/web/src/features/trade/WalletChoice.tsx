import type { Announced } from '../../lib/announced.ts';
import { chainName } from '../../lib/chainLooks.ts';
import { canPayOn, useWallets } from '../../lib/wallet.ts';
import * as t from '../../messages/en/trade.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';

/** The wallets of this browser that can pay on a chain, and the way in without one. */
export const WalletChoice = ({
  chainSlug,
  isOpen,
  onClose,
  onChoose,
}: {
  chainSlug: string;
  isOpen: boolean;
  onClose(): void;
  onChoose(wallet: Announced): void;
}) => {
  const wallets = useWallets().filter((one) => canPayOn(one, chainSlug));
  return (
    <Dialog title={t.trade.connect.title} isOpen={isOpen} onClose={onClose}>
      <div className="wallets">
        {wallets.length === 0 && <p className="hint">{t.trade.connect.none(chainName(chainSlug))}</p>}
        {wallets.map((wallet) => (
          <Button key={wallet.key} size="l" onClick={() => onChoose(wallet)}>
            {wallet.icon.startsWith('data:image/') && <img className="wallet-icon" src={wallet.icon} alt="" />}
            {wallet.name}
          </Button>
        ))}
        <ButtonLink size="l" href="/account">
          {t.trade.connect.without}
        </ButtonLink>
      </div>
    </Dialog>
  );
};
