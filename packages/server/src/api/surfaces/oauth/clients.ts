import { errors } from 'oidc-provider';

/** The parts of a client's description that we use, registered or published. All of it is a stranger's text. */

const mostRedirects = 10;
const longestRedirect = 2_048;
const longestName = 64;
const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Schemes of known applications without a dot, although RFC 8252 (7.1) asks for one. */
const appSchemes: ReadonlySet<string> = new Set(['claude', 'cursor', 'vscode', 'vscode-insiders', 'windsurf', 'zed']);

/**
 * Redirect addresses that are accepted: https, a loopback address on the user's machine, or an application's own
 * scheme. Codes sent anywhere else could be read on the way or run as script.
 */
export const isAllowedRedirect = (uri: string): boolean => {
  if (uri.length > longestRedirect || !/^[\x21-\x5b\x5d-\x7e]+$/.test(uri) || uri.includes('#')) return false;
  const url = URL.parse(uri);
  if (url === null || url.username !== '' || url.password !== '') return false;
  const scheme = url.protocol.slice(0, -1);
  // With one slash or two: RFC 8252 (7.1) writes com.example.app:/callback.
  if (!/^(https?)$/.test(scheme)) return /^[^/]*:\//.test(uri) && (scheme.includes('.') || appSchemes.has(scheme));
  return uri.includes('://') && (scheme === 'https' || loopbackHosts.has(url.hostname));
};

/** Destination of the redirect as the user is shown it: a host, or an application's scheme. */
export const redirectHostOf = (uri: string): string => {
  const url = new URL(uri);
  return /^https?:$/.test(url.protocol) ? url.host : `${url.protocol}//`;
};

/** A display name without hidden characters or direction overrides; null when nothing is left. */
export const readableName = (name: unknown): string | null => {
  if (typeof name !== 'string') return null;
  const clean = name
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return clean === '' ? null : [...clean].slice(0, longestName).join('');
};

/**
 * Reduces a description, in place, to the fields we use: nothing it names is fetched, no secret is stored, and every
 * client is public and proves itself by PKCE.
 *
 * @throws InvalidRedirectUri, InvalidClientMetadata of the library, which answer 400.
 */
export const takeClient = (metadata: Record<string, unknown>): void => {
  const { client_id, client_id_issued_at, client_name, redirect_uris, grant_types } = metadata;
  if (!isListOfText(redirect_uris) || redirect_uris.length === 0 || redirect_uris.length > mostRedirects) {
    throw new errors.InvalidClientMetadata(`redirect_uris must be 1 to ${mostRedirects} addresses`);
  }
  if (!redirect_uris.every(isAllowedRedirect)) {
    throw new errors.InvalidClientMetadata(
      'redirect_uris must be https, http on a loopback host, or of the scheme of an application',
    );
  }
  const mayRefresh = isListOfText(grant_types) && grant_types.includes('refresh_token');
  for (const key of Object.keys(metadata)) delete metadata[key];
  Object.assign(metadata, {
    client_id,
    ...(client_id_issued_at === undefined ? {} : { client_id_issued_at }),
    client_name: readableName(client_name) ?? redirectHostOf(redirect_uris[0] as string),
    redirect_uris: [...new Set(redirect_uris)],
    grant_types: mayRefresh ? ['authorization_code', 'refresh_token'] : ['authorization_code'],
    response_types: ['code'],
    response_modes: ['query'],
    token_endpoint_auth_method: 'none',
    // Programs on the user's machine listen on any free port, so for loopback hosts the port is not compared (RFC 8252,
    // 7.3).
    application_type: redirect_uris.every((uri) => uri.startsWith('https:')) ? 'web' : 'native',
  });
};

const isListOfText = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
