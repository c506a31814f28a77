import { MintageError } from '@mintage/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { apiOf } from '../../lib/api.ts';
import { keyOf } from '../../lib/onChain.ts';
import { signInWithPasskey } from '../../lib/passkeys.ts';
import { isRefusal } from '../../lib/refusal.ts';
import { useSession } from '../../lib/session.ts';
import { SignInElsewhereError } from '../../lib/signInElsewhere.ts';
import type { Act } from '../../lib/useAct.ts';
import { useAct } from '../../lib/useAct.ts';
import { useWallet } from '../../lib/wallet.ts';
import * as t from '../../messages/en/account.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Problem } from '../../ui/Problem.tsx';

const words: Readonly<Record<string, string>> = t.account.errors;

/** How an act goes: what the person is asked to do elsewhere, or what went wrong. A "no" of theirs is no trouble. */
export const Trouble = ({ act: { doing, error } }: { act: Pick<Act, 'doing' | 'error'> }) => {
  if (doing !== null)
    return (
      <p className="hint" role="status">
        {doing}
      </p>
    );
  if (error === null || error === undefined) return null;
  if (error instanceof MintageError && error.code === 'CONFIRMATION_NEEDED') return <ConfirmYou />;
  const known = isRefusal(error) ? t.signIn.refused : error instanceof MintageError ? words[error.code] : undefined;
  const said = known ?? (error instanceof SignInElsewhereError ? t.signIn.elsewhereFailed : undefined);
  if (said === undefined) return <Problem error={error} />;
  return (
    <div className="note" role="status">
      <Icon name="info" />
      <p className="grow">{said}</p>
    </div>
  );
};

/** What the service wants before it changes who can act for the account: a fresh sign-in, by the same passkey or wallet. */
const ConfirmYou = () => {
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
