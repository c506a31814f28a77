import { useQueryClient } from '@tanstack/react-query';
import type { Announced } from '../../lib/announced.ts';
import { apiOf } from '../../lib/api.ts';
import { useDeployment } from '../../lib/deployment.ts';
import { createPasskey, hasPasskeys, signInWithPasskey } from '../../lib/passkeys.ts';
import { leaveFor, type Provider } from '../../lib/signInElsewhere.ts';
import { connect } from '../../lib/wallet.ts';
import * as t from '../../messages/en/account.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import './account.css';
import { useAct } from '../../lib/useAct.ts';
import { Trouble } from './Trouble.tsx';
import { WalletList } from './WalletList.tsx';

/** All ways to sign in. @param next - Path to come back to from elsewhere. */
export const Ways = ({ next, onDone }: { next: string; onDone?(): void }) => {
  const api = apiOf(useQueryClient());
  const deployment = useDeployment();
  const act = useAct();
  const done = (isDone: boolean): void => {
    if (isDone) onDone?.();
  };
  const byWallet = async (found: Announced): Promise<void> => {
    const { name } = found;
    const isDone = await act.run(t.signIn.connecting(name), async (say) => {
      const wallet = await connect(found);
      const { signInWithWallet } = await import('../../lib/signIn.ts');
      say(t.signIn.signing(name));
      await signInWithWallet(api, wallet);
    });
    done(isDone);
  };
  const byPasskey = async (isNew: boolean): Promise<void> =>
    done(
      await act.run(t.signIn.confirming, () => (isNew ? createPasskey(api, { isNew: true }) : signInWithPasskey(api))),
    );
  const elsewhere = (provider: Provider) => act.run(t.signIn.finishing, () => leaveFor(provider, deployment, next));
  const isBusy = act.doing !== null;
  return (
    <div className="ways">
      <section>
        <h2>{t.signIn.wallets}</h2>
        <WalletList isDisabled={isBusy} onChoose={byWallet} />
        {HAS_DEMO_WALLET && <p className="hint">{t.signIn.demo}</p>}
      </section>
      <section>
        <h2>{t.signIn.without}</h2>
        {hasPasskeys() ? (
          <>
            <Button size="l" disabled={isBusy} onClick={() => byPasskey(false)}>
              <Icon name="fingerprint" />
              {t.signIn.passkey}
            </Button>
            <Button size="l" disabled={isBusy} onClick={() => byPasskey(true)}>
              <Icon name="plus" />
              {t.signIn.newPasskey}
            </Button>
            <p className="hint">{t.signIn.passkeyText}</p>
          </>
        ) : (
          <p className="hint">{t.signIn.noPasskeys}</p>
        )}
        {deployment.providers.map((provider) => (
          <Button key={provider.authorizeUrl} size="l" disabled={isBusy} onClick={() => elsewhere(provider)}>
            <Icon name="user" />
            {t.signIn.provider(provider.name)}
          </Button>
        ))}
      </section>
      <Trouble act={act} />
    </div>
  );
};
