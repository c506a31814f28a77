import { useQueryClient } from '@tanstack/react-query';
import type { Announced } from '../../lib/announced.ts';
import { apiOf } from '../../lib/api.ts';
import { useSession } from '../../lib/session.ts';
import { useAct } from '../../lib/useAct.ts';
import { connect } from '../../lib/wallet.ts';
import * as t from '../../messages/en/account.ts';
import { Trouble } from './Trouble.tsx';
import { WalletList } from './WalletList.tsx';

/** Links a wallet of this browser to the account signed in. */
export const LinkWallet = ({ onDone }: { onDone(): void }) => {
  const api = apiOf(useQueryClient());
  const userId = useSession()?.userId ?? '';
  const act = useAct();
  const link = async (found: Announced): Promise<void> => {
    const { name } = found;
    const isDone = await act.run(t.signIn.connecting(name), async (say) => {
      const wallet = await connect(found);
      const { linkBrowserWallet } = await import('../../lib/signIn.ts');
      say(t.signIn.signing(name));
      await linkBrowserWallet(api, wallet, userId);
    });
    if (isDone) onDone();
  };
  return (
    <section className="stack">
      <p className="hint">{t.account.waysIn.linkText}</p>
      <WalletList isDisabled={act.doing !== null} onChoose={link} />
      <Trouble act={act} />
    </section>
  );
};
