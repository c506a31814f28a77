import { lookup as dnsLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Which hosts a request to an address chosen by a stranger may reach (threat M1). */

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

export interface HostRules {
  /** All addresses of a host name. */
  resolve?: (hostname: string) => Promise<ResolvedAddress[]>;
  /** Whether an address may be connected to; default `isPublic`. */
  isAllowed?: (address: string) => boolean;
}

/** The same message for every reason, so that nobody can map our network by trying addresses. */
export class NotPublicError extends Error {
  constructor() {
    super('The address does not lead to a public host');
    this.name = 'NotPublicError';
  }
}

/**
 * A look-up for sockets: every address of the name must be allowed, and the connection goes to exactly the addresses
 * that were checked. Sockets do not look up literal addresses: `requireAllowedHost` checks those.
 *
 * @throws NotPublicError to the socket's owner; whatever `resolve` throws.
 */
export const checkedLookup = ({ resolve = resolveAll, isAllowed = isPublic }: HostRules): LookupFunction => {
  const checked = async (hostname: string): Promise<ResolvedAddress[]> => {
    const addresses = await resolve(hostname);
    if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address))) throw new NotPublicError();
    return addresses;
  };
  return (hostname, options, done) => {
    checked(hostname).then(
      (addresses) => {
        const [first] = addresses as [ResolvedAddress];
        if (options.all) done(null, addresses);
        else done(null, first.address, first.family);
      },
      (error: Error) => done(error, ''),
    );
  };
};

/** @throws NotPublicError when the host is a literal address that is not allowed. */
export const requireAllowedHost = (url: URL, isAllowed: (address: string) => boolean = isPublic): void => {
  const host = hostOf(url);
  if (ipaddr.isValid(host) && !isAllowed(host)) throw new NotPublicError();
};

/** The host name, an IPv6 address without its brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/**
 * True for addresses of the open internet: no loopback, private, link-local, shared, mapped, translated or reserved
 * one. Of IPv6 only 2000::/3, the range that is allocated: `::7f00:1`, for example, is outside it and in no list of
 * special ranges.
 */
export const isPublic = (address: string): boolean => {
  const parsed = parse(address);
  if (parsed?.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(givenOut);
};

export const isLoopback = (address: string): boolean => parse(address)?.range() === 'loopback';

const givenOut = ipaddr.IPv6.parseCIDR('2000::/3');

/** Parses an address; an IPv4-mapped IPv6 address becomes the IPv4 address. */
const parse = (address: string): ipaddr.IPv4 | ipaddr.IPv6 | null =>
  ipaddr.isValid(address) ? ipaddr.process(address) : null;

const resolveAll = async (hostname: string): Promise<ResolvedAddress[]> =>
  (await dnsLookup(hostname, { all: true })) as ResolvedAddress[];
