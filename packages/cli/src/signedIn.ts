import { type Auth, createReader, type Session, session, signIn } from '@mintage/sdk';

interface SignedIn {
  baseUrl: string;
  session: Session;
  /** Of the profile's own wallet, which signs in again. */
  privateKey: `0x${string}` | undefined;
  keep(next: Session): Promise<void>;
}

/**
 * A session that goes on when its refresh token is worth nothing any more: another command at the same moment may have used it, and
 * after a month it ends. The wallet then signs in once more, as it did at first.
 */
export const signedIn = ({ baseUrl, session: first, privateKey, keep }: SignedIn): Auth => {
  const of = (one: Session): Auth => session(one, { onRefresh: keep });
  let current = of(first);
  // A token of another issuer has none, and its user need not be the wallet's.
  let mayRepeat = privateKey !== undefined && first.refreshToken !== undefined;
  return {
    isAccount: true,
    authorize: (...call) => current.authorize(...call),
    async renew(...refused) {
      if (await current.renew?.(...refused)) return true;
      if (!mayRepeat || privateKey === undefined) return false;
      mayRepeat = false;
      const { privateKeyToAccount } = await import('viem/accounts');
      const next = await signIn(createReader({ baseUrl }), privateKeyToAccount(privateKey));
      await keep(next);
      current = of(next);
      return true;
    },
  };
};
