import type { TokenAbout } from '@mintage/sdk';
import { useState } from 'react';
import { useDeployment } from '../../lib/deployment.ts';
import { useWalletOn } from '../../lib/wallet.ts';
import * as t from '../../messages/en/token.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';

/** Hands the token's address to whatever the device shares by, or copies it. The connected wallet earns by it as referral. */
export const ShareButton = ({ about }: { about: TokenAbout }) => {
  const { appUrl } = useDeployment();
  const wallet = useWalletOn(about.origin_chain);
  const [isCopied, setCopied] = useState(false);
  const url = `${appUrl}/token/${about.slug}${wallet === null ? '' : `?ref=${wallet.address}`}`;
  const share = async (): Promise<void> => {
    if ('share' in navigator) {
      // The person may close it without choosing: nothing is wrong then.
      await navigator.share({ title: `${about.name} (${about.symbol})`, url }).catch(() => undefined);
      return;
    }
    await (navigator as Navigator).clipboard.writeText(url);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <Button className="share" onClick={share} title={wallet === null ? undefined : t.token.shareEarns}>
      <Icon name={isCopied ? 'check' : 'share'} />
      <span className="wide" role="status">
        {isCopied ? t.token.linkCopied : t.token.share}
      </span>
      <span className="sr narrow">{t.token.share}</span>
    </Button>
  );
};
