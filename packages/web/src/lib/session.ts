import { type Auth, type Reader, session as sessionAuth } from '@mintage/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { forgetPush } from './push.ts';
import { onStored, store, stored } from './storage.ts';
import { useStored } from './useStored.ts';

/** Who is signed in, as this browser keeps it. */
export interface SignedIn {
  accessToken: string;
  refreshToken?: string;
  /** Id of the user. */
  userId: string;
  /** By what. */
  by: 'wallet' | 'passkey' | 'issuer';
  /** Of the wallet that signed in, as `keyOf`. */
  address?: string;
}

const name = 'session';

export const useSession = (): SignedIn | null => useStored<SignedIn>(name);

/** Id of who is signed in now, outside of components; null: nobody. */
export const signedInUser = (): string | null => stored<SignedIn>(name)?.userId ?? null;

/** Queries of the caller's own account begin with this key. */
export const ownKey = 'own';

export const keepSignedIn = (signedIn: SignedIn): void => store(name, signedIn);

/** Ends the session here, in all tabs, and at the service. */
export const signOut = async (api: Pick<Reader, 'authLogout'>): Promise<void> => {
  const signedIn = stored<SignedIn>(name);
  store(name, null);
  // The session is gone here whatever the service says; one that is not reached ends there by itself.
  if (signedIn?.refreshToken !== undefined)
    await api.authLogout({ refreshToken: signedIn.refreshToken }).catch(() => null);
};

/** One tab at a time. */
const alone = <Value>(work: () => Promise<Value>): Promise<Value> =>
  'locks' in navigator ? navigator.locks.request('mintage session', work) : work();

/**
 * The session that several tabs share, and nobody's call where there is none: whatever a tab has done, calls and `useSession` agree. A
 * refresh token is good once, so one tab refreshes at a time, and the others take what it got.
 */
const sharedAuth = (): Auth => {
  const made = new Map<string, Auth>();
  const current = (): Auth | null => {
    const signedIn = stored<SignedIn>(name);
    if (signedIn === null) return null;
    const known = made.get(signedIn.accessToken);
    if (known !== undefined) return known;
    made.clear();
    const auth = sessionAuth(signedIn, {
      onRefresh: (next) => {
        const now = stored<SignedIn>(name);
        // Signed out meanwhile: the new session is dropped too.
        if (now !== null) store(name, { ...now, ...next });
      },
    });
    made.set(signedIn.accessToken, auth);
    return auth;
  };
  return {
    get isAccount() {
      return stored<SignedIn>(name) !== null;
    },
    authorize: (call, send) => alone(async () => (await current()?.authorize(call, send)) ?? {}),
    renew: (send, refused) =>
      alone(async () => {
        const auth = current();
        const isRenewed = (await auth?.renew?.(send, refused)) ?? false;
        // Refused for good: another tab or the operator ended it.
        if (!isRenewed && auth !== null && auth === current()) store(name, null);
        return isRenewed;
      }),
  };
};

/** Whoever is signed in at that moment. */
export const ownAuth = sharedAuth();

/** Calls are made by whoever is signed in at that moment. */
export const keepSession = (api: Reader, client: QueryClient): void => {
  api.use(ownAuth);
  let userId = stored<SignedIn>(name)?.userId;
  onStored(name, () => {
    const next = stored<SignedIn>(name)?.userId;
    if (next === userId) return;
    userId = next;
    void forgetPush();
    // What the last one owned is nobody else's to see. What is on the page is asked again, if there is somebody to ask for.
    if (next === undefined) client.removeQueries({ queryKey: [ownKey] });
    else void client.resetQueries({ queryKey: [ownKey] });
  });
};
