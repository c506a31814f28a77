import { lookup as dnsLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { MintageError } from '@mintage/protocol';
import ipaddr from 'ipaddr.js';
import { Agent, request } from 'undici';
import { tooLarge } from './dataUri.ts';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

export interface FetcherOptions {
  maxBytes?: number;
  /** For the whole fetch, redirects included. */
  timeoutMs?: number;
  /** All addresses of a host name. */
  resolve?: (hostname: string) => Promise<ResolvedAddress[]>;
  /** Whether an address may be connected to. */
  isAllowed?: (address: string) => boolean;
}

const maxRedirects = 3;

/**
 * Gets a file from an address that a stranger chose (threat M1). Each hop: http or https, every address of the host
 * public, and the connection goes to exactly the addresses that were checked.
 */
export const createFetcher = (options: FetcherOptions): ((address: string) => Promise<Uint8Array>) => {
  const { maxBytes = 5_000_000, timeoutMs = 8_000, resolve = resolveAll, isAllowed = isPublic } = options;

  const checked = async (hostname: string): Promise<ResolvedAddress[]> => {
    const addresses = await resolve(hostname);
    if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address))) throw notPublic();
    return addresses;
  };
  const lookup: LookupFunction = (hostname, lookupOptions, done) => {
    checked(hostname).then(
      (addresses) => {
        const [first] = addresses as [ResolvedAddress];
        if (lookupOptions.all) done(null, addresses);
        else done(null, first.address, first.family);
      },
      (error: Error) => done(error, ''),
    );
  };

  return async (address) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const agent = new Agent({
      connect: { lookup, timeout: timeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    try {
      let url = checkedUrl(address, isAllowed);
      for (let hop = 0; hop <= maxRedirects; hop += 1) {
        const answer = await request(url, {
          dispatcher: agent,
          signal,
          headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'mintage' },
        });
        if (answer.statusCode >= 300 && answer.statusCode < 400) {
          await answer.body.dump({ limit: 16_384 });
          url = checkedUrl(new URL(String(answer.headers.location), url).href, isAllowed);
          continue;
        }
        if (answer.statusCode !== 200) throw unreachable(`The address answers with status ${answer.statusCode}`);
        return await readUpTo(answer.body, maxBytes);
      }
      throw unreachable(`The address redirects more than ${maxRedirects} times`);
    } catch (error) {
      throw asMediaError(error);
    } finally {
      await agent.destroy();
    }
  };
};

/** Of the address itself: scheme, no password, and no literal address that is not public (`lookup` never sees those). */
const checkedUrl = (address: string, isAllowed: (address: string) => boolean): URL => {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new MintageError('MEDIA_INVALID', 'The image is neither an http address nor a base64 data URI');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host) && !isAllowed(host)) throw notPublic();
  return url;
};

/** True for addresses of the open internet: no loopback, private, link-local, shared, mapped, translated or reserved one. */
export const isPublic = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'unicast';
};

const resolveAll = async (hostname: string): Promise<ResolvedAddress[]> =>
  (await dnsLookup(hostname, { all: true })) as ResolvedAddress[];

const readUpTo = async (body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> => {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
};

const unreachable = (message: string, cause?: unknown): MintageError =>
  new MintageError('MEDIA_UNREACHABLE', message, { cause });

const notPublic = (): MintageError => unreachable('The address does not lead to a public host');

/** The same sentence whatever went wrong on the way, so that nobody can map our network by asking. */
const asMediaError = (error: unknown): MintageError =>
  error instanceof MintageError ? error : unreachable('The address cannot be fetched', error);
