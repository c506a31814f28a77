import { MintageError } from '@mintage/protocol/errors';
import type { Send } from '../callOptions.ts';
import type { Calls } from '../generated/calls.ts';
import type { AuthSession } from '../generated/types.ts';
import type { Auth } from './auth.ts';
import type { SigningWallet } from './wallet.ts';

/** What is kept of a sign-in. Without a refresh token it ends with its access token. */
export type Session = Pick<AuthSession, 'accessToken'> & Partial<Pick<AuthSession, 'refreshToken'>>;

interface SessionOptions {
  /**
   * Called with every new session before it is used: keep it where the old one was. A refresh token is good for one use, so
   * the old one is worth nothing.
   */
  onRefresh?(session: Session): void | Promise<void>;
}

/** How long before its end an access token is replaced, milliseconds. */
const marginMs = 30_000;

/** A user who signed in: refreshed before the access token ends, and when it is refused; once for all calls that wait. */
export const session = (signedIn: Session, { onRefresh }: SessionOptions = {}): Auth => {
  let current = signedIn;
  let renewing: Promise<boolean> | null = null;
  const renew = async (send: Send): Promise<boolean> => {
    const { refreshToken } = current;
    if (refreshToken === undefined) return false;
    try {
      current = (await send('POST /auth/refresh', { refreshToken })) as AuthSession;
    } catch (error) {
      if (error instanceof MintageError && error.code === 'AUTHENTICATION_FAILED') return false;
      throw error;
    }
    await onRefresh?.(current);
    return true;
  };
  const renewOnce = (send: Send): Promise<boolean> => {
    renewing ??= renew(send).finally(() => {
      renewing = null;
    });
    return renewing;
  };
  return {
    isAccount: true,
    authorize: async (_call, send) => {
      if (endMsOf(current.accessToken) - marginMs < Date.now()) await renewOnce(send);
      return { authorization: `Bearer ${current.accessToken}` };
    },
    renew: renewOnce,
  };
};

/** When a JWT ends, milliseconds since 1970; never for one that does not say. */
const endMsOf = (token: string): number => {
  try {
    const [, claims = ''] = token.split('.');
    const { exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: number };
    return exp === undefined ? Number.POSITIVE_INFINITY : exp * 1_000;
  } catch {
    // No JWT, of a foreign issuer perhaps: the service refuses it when it ends.
    return Number.POSITIVE_INFINITY;
  }
};

/**
 * Signs in with a wallet, which shows the text and costs nothing.
 *
 * @param reader - A client of the service.
 * @param chainId - Chain that the text names, EIP-155; absent: the service's first.
 */
export const signIn = async (
  reader: Pick<Calls, 'authChallenge' | 'authLogin'>,
  signer: Pick<SigningWallet, 'address' | 'signMessage'>,
  chainId?: number,
): Promise<Session> => {
  const { message } = await reader.authChallenge({ address: signer.address, ...(chainId && { chainId }) });
  return reader.authLogin({ message, signature: await signer.signMessage({ message }) });
};
