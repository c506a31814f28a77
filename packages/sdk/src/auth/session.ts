import { MintageError } from '@mintage/protocol/errors';
import type { Send } from '../callOptions.ts';
import type { AuthSession } from '../generated/types.ts';
import type { Auth } from './auth.ts';

/** What is kept of a sign-in. Without a refresh token it ends with its access token. */
export type Session = Pick<AuthSession, 'accessToken'> & Partial<Pick<AuthSession, 'refreshToken'>>;

interface SessionOptions {
  /**
   * Called with every new session before it is used: keep it where the old one was. A refresh token is good for one use, so
   * the old one is soon worth nothing.
   */
  onRefresh?(session: Session): void | Promise<void>;
}

/** How long before its end an access token is replaced, milliseconds. */
const marginMs = 30_000;

/** A user who signed in: refreshed before the access token ends, and when it is refused; once for all calls that wait. */
export const session = (signedIn: Session, { onRefresh }: SessionOptions = {}): Auth => {
  let current = signedIn;
  let replaceAtMs = endMsOf(signedIn.accessToken) - marginMs;
  let renewing: Promise<boolean> | null = null;
  let isOver = signedIn.refreshToken === undefined;
  const headers = () => ({ authorization: `Bearer ${current.accessToken}` });

  const renew = async (send: Send): Promise<boolean> => {
    let next: AuthSession;
    try {
      next = (await send('POST /auth/refresh once', { refreshToken: current.refreshToken })) as AuthSession;
    } catch (error) {
      if (!(error instanceof MintageError && error.code === 'AUTHENTICATION_FAILED')) throw error;
      isOver = true;
      return false;
    }
    try {
      await onRefresh?.(next);
    } finally {
      current = next; // the old one is worth nothing, also when the new one could not be kept
      const lastsMs = next.expiresIn * 1_000;
      // Counted from now: this machine's clock may differ from the one by which the token ends.
      replaceAtMs = Date.now() + Math.max(lastsMs - marginMs, lastsMs / 2);
    }
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
    async authorize(_call, send) {
      if (!isOver && Date.now() >= replaceAtMs) await renewOnce(send);
      return headers();
    },
    async renew(send, refused) {
      if (refused.authorization !== headers().authorization) return true;
      return !isOver && renewOnce(send);
    },
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
