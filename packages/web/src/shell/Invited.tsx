import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiOf } from '../lib/api.ts';
import { enterKept, forgetJoining, useInvitation, useJoining } from '../lib/invitation.ts';
import { useSession } from '../lib/session.ts';
import * as t from '../messages/en/common.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/icons.tsx';

/** Enters a kept referral code as soon as somebody is signed in, wherever that happens, and says how it went below the bar. */
export const Invited = () => {
  const client = useQueryClient();
  const userId = useSession()?.userId;
  const code = useInvitation()?.code;
  const joining = useJoining();
  useEffect(() => {
    if (userId !== undefined && code !== undefined) void enterKept(apiOf(client));
  }, [client, userId, code]);
  const text = joining?.text ?? '';
  return (
    <div className={text === '' ? 'sr' : 'told'} role="status">
      {text !== '' && (
        <>
          <span className="grow">{text}</span>
          {joining?.state === 'failed' && (
            <Button size="s" onClick={() => void enterKept(apiOf(client))}>
              {t.tryAgain}
            </Button>
          )}
          <Button kind="bare" size="s" isIcon aria-label={t.close} onClick={forgetJoining}>
            <Icon name="x" />
          </Button>
        </>
      )}
    </div>
  );
};
