import { invalid, type MintageError } from '@mintage/protocol';
import { hostOf, isLoopback, isPublic, requireAllowedHost } from '../../wire/publicHost.ts';

/**
 * The address of a receiver as it is stored. The addresses of its host are checked at each delivery (`createPost`).
 *
 * @param toLoopback - Whether this machine itself may receive, over http or https.
 * @param path - Of the address in the request, for refusals.
 * @throws INVALID_PARAMETERS when it is not https, names a host that is not public, or carries a password.
 */
export const webhookUrl = (text: string, toLoopback: boolean, path = 'url'): URL => {
  const wrong = (message: string): MintageError => invalid(path, message);
  const notPublic = (): MintageError => wrong('must lead to a public host');
  const url = URL.parse(text);
  if (url === null) throw wrong('must be an absolute web address');
  const host = hostOf(url);
  const isLocal = isLoopback(host) || /^(.+\.)?localhost\.?$/.test(host);
  const isHere = toLoopback && isLocal;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere)) throw wrong('must start with https://');
  if (url.username !== '' || url.password !== '') throw wrong('must not carry a user name or password');
  if (isLocal && !isHere) throw notPublic();
  try {
    requireAllowedHost(url, allowedHosts(toLoopback));
  } catch {
    throw notPublic(); // the only reason for which it throws
  }
  url.hash = '';
  return url;
};

/** Addresses that deliveries may connect to. */
export const allowedHosts =
  (toLoopback: boolean) =>
  (address: string): boolean =>
    isPublic(address) || (toLoopback && isLoopback(address));
