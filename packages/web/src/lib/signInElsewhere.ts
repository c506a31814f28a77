import { createReader, session } from '@mintage/sdk';
import type { Deployment } from './deployment.ts';
import { keepSignedIn } from './session.ts';

/** Signing in at an identity provider: the authorization code flow with PKCE (RFC 7636), by this page alone. */

export type Provider = Deployment['providers'][number];

/** What is kept of a sign-in while the person is away; of this tab alone. */
interface Away {
  tokenUrl: string;
  verifier: string;
  state: string;
  nonce: string;
  next: string;
}

const name = 'mintage away';

/** Where a provider sends people back to; it has to know this address. */
const returnUrl = ({ base }: Deployment): string => `${location.origin}${base}/account`;

/** Leaves for the provider. @param next - Path of the page to come back to. */
export const leaveFor = async (provider: Provider, deployment: Deployment, next: string): Promise<void> => {
  const away: Away = {
    tokenUrl: provider.tokenUrl,
    verifier: random(),
    state: random(),
    nonce: random(),
    next,
  };
  sessionStorage.setItem(name, JSON.stringify(away));
  const to = new URL(provider.authorizeUrl);
  const asked = {
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: returnUrl(deployment),
    scope: 'openid',
    state: away.state,
    nonce: away.nonce,
    code_challenge: base64Url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(away.verifier))),
    code_challenge_method: 'S256',
  };
  for (const [key, value] of Object.entries(asked)) to.searchParams.set(key, value);
  location.assign(to);
};

/** Whether an address is that of somebody who comes back from a provider. */
export const isReturn = (search: URLSearchParams): boolean =>
  search.has('state') && (search.has('code') || search.has('error'));

/** Why a sign-in elsewhere did not end here. */
export class SignInElsewhereError extends Error {}

/**
 * Finishes the sign-in of somebody who came back.
 *
 * @returns Path of the page that they wanted.
 * @throws SignInElsewhereError where this tab did not leave for it, or the provider refuses; MintageError.
 */
export const comeBack = async (deployment: Deployment, search: URLSearchParams): Promise<string> => {
  const away = JSON.parse(sessionStorage.getItem(name) ?? 'null') as Away | null;
  sessionStorage.removeItem(name);
  // Somebody else's answer would sign this browser in to their account.
  if (away === null || search.get('state') !== away.state)
    throw new SignInElsewhereError('This tab asked for no sign-in.');
  const provider = deployment.providers.find(({ tokenUrl }) => tokenUrl === away.tokenUrl);
  const code = search.get('code');
  if (provider === undefined || code === null)
    throw new SignInElsewhereError(`The provider says: ${search.get('error') ?? 'no code'}.`);
  const accessToken = await tokenOf(provider, deployment, code, away);
  const api = createReader({ baseUrl: location.origin + deployment.base, auth: session({ accessToken }) });
  const { data } = await api.me();
  keepSignedIn({ accessToken, userId: data.userId, by: 'issuer' });
  return away.next;
};

const tokenOf = async (provider: Provider, deployment: Deployment, code: string, away: Away): Promise<string> => {
  const answer = await fetch(provider.tokenUrl, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: returnUrl(deployment),
      client_id: provider.clientId,
      code_verifier: away.verifier,
    }),
  });
  const tokens = (await answer.json().catch(() => ({}))) as Partial<Record<Provider['token'], string>>;
  const token = tokens[provider.token];
  if (!answer.ok || token === undefined) throw new SignInElsewhereError('The provider gave no token for its code.');
  // A token of another sign-in has another nonce.
  if (provider.token === 'id_token' && claimsOf(token).nonce !== away.nonce)
    throw new SignInElsewhereError('The token is of another sign-in.');
  return token;
};

const claimsOf = (token: string): { nonce?: string } => {
  try {
    const [, claims = ''] = token.split('.');
    return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { nonce?: string };
  } catch {
    return {};
  }
};

const base64Url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const random = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)).buffer);
