import { MintageError } from '@mintage/sdk';
import { isRefusal } from '../../lib/refusal.ts';
import { SignInElsewhereError } from '../../lib/signInElsewhere.ts';
import type { Act } from '../../lib/useAct.ts';
import * as t from '../../messages/en/account.ts';
import { Icon } from '../../ui/icons.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { ConfirmYou } from './ConfirmYou.tsx';

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
