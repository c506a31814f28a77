import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiOf } from '../../lib/api.ts';
import { createPasskey, hasPasskeys } from '../../lib/passkeys.ts';
import { ownKey } from '../../lib/session.ts';
import * as t from '../../messages/en/account.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import './account.css';
import { useAct } from '../../lib/useAct.ts';
import { LinkWallet } from './LinkWallet.tsx';
import { Trouble } from './Trouble.tsx';

/** Offers a second way into the account. */
export const SecondWay = ({
  onDone,
  onLater,
  laterText = t.secondWay.later,
}: {
  onDone(): void;
  onLater(): void;
  laterText?: string;
}) => {
  const client = useQueryClient();
  const act = useAct();
  const [isLinking, setLinking] = useState(false);
  const added = async (): Promise<void> => {
    await client.invalidateQueries({ queryKey: [ownKey] });
    onDone();
  };
  const addPasskey = async (): Promise<void> => {
    if (await act.run(t.signIn.confirming, () => createPasskey(apiOf(client), { isNew: false }))) await added();
  };
  return (
    <div className="ways">
      <p>{t.secondWay.text}</p>
      {isLinking ? (
        <LinkWallet onDone={added} />
      ) : (
        <section>
          {hasPasskeys() && (
            <Button size="l" kind="ink" disabled={act.doing !== null} onClick={addPasskey}>
              <Icon name="fingerprint" />
              {t.secondWay.addPasskey}
            </Button>
          )}
          <Button size="l" disabled={act.doing !== null} onClick={() => setLinking(true)}>
            <Icon name="wallet" />
            {t.secondWay.linkWallet}
          </Button>
        </section>
      )}
      <Trouble act={act} />
      <Button kind="bare" onClick={onLater}>
        {laterText}
      </Button>
    </div>
  );
};
