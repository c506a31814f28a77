import { useQueryClient } from '@tanstack/react-query';
import { apiOf } from '../../lib/api.ts';
import { keyOf } from '../../lib/onChain.ts';
import { signInWithPasskey } from '../../lib/passkeys.ts';
import { useSession } from '../../lib/session.ts';
import { useAct } from '../../lib/useAct.ts';
import { useWallet } from '../../lib/wallet.ts';
import * as t from '../../messages/en/account.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Trouble } from './Trouble.tsx';

/** What the service wants before it changes who can act for the account: a fresh sign-in, by the same passkey or wallet. */
export const ConfirmYou = () => {
  const api = apiOf(useQueryClient());
  const session = useSession();
  const wallet = useWallet();
  const act = useAct();
  const byWallet = wallet !== null && session?.address === keyOf(wallet.address) ? wallet : null;
  const canConfirm = session?.by === 'passkey' || byWallet !== null;
  const confirm = () =>
    act.run(byWallet === null ? t.signIn.confirming : t.signIn.signing(byWallet.name), async () => {
      if (byWallet === null) return signInWithPasskey(api);
      const { signInWithWallet } = await import('../../lib/signIn.ts');
      await signInWithWallet(api, byWallet);
    });
  return (
    <div className="note" role="status">
      <Icon name="info" />
      <div className="grow stack">
        <p>{canConfirm ? t.account.confirm.text : t.account.confirm.elsewhere}</p>
        {canConfirm && (
          <Button disabled={act.doing !== null} onClick={() => void confirm()}>
            {t.account.confirm.act}
          </Button>
        )}
        <Trouble act={act} />
      </div>
    </div>
  );
};
