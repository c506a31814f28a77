import { MintageError } from '@mintage/protocol';
import { Agent, request } from 'undici';
import { checkedLookup, type HostRules, NotPublicError, requireAllowedHost } from '../wire/publicHost.ts';
import { tooLarge } from './dataUri.ts';

export interface FetcherOptions extends HostRules {
  /** A longer file is refused; 5,000,000 when absent. */
  maxBytes?: number;
  /** For the whole fetch, redirects included. */
  timeoutMs?: number;
}

/** @param gone - Aborts the fetch. */
export type Fetcher = (address: string, gone?: AbortSignal) => Promise<Uint8Array>;

const maxRedirects = 3;

/**
 * Downloads a file from an address chosen by a stranger (threat M1). For each hop, redirects included: http or https,
 * every address of the host public, and the connection goes to exactly the addresses that were checked.
 */
export const createFetcher = (options: FetcherOptions): Fetcher => {
  const { maxBytes = 5_000_000, timeoutMs = 8_000, isAllowed } = options;
  const lookup = checkedLookup(options);

  return async (address, gone) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = gone === undefined ? timeout : AbortSignal.any([gone, timeout]);
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

/**
 * Checks the address itself: scheme, no password, and no literal address that is not public (`lookup` never sees
 * literal addresses).
 */
const checkedUrl = (address: string, isAllowed?: HostRules['isAllowed']): URL => {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new MintageError('MEDIA_INVALID', 'The image is neither an http address nor a base64 data URI');
  }
  requireAllowedHost(url, isAllowed);
  return url;
};

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

/** One message for every network failure, so that nobody can map our network by trying addresses. */
const asMediaError = (error: unknown): MintageError => {
  if (error instanceof MintageError) return error;
  if (error instanceof NotPublicError) return unreachable(error.message);
  return unreachable('The address cannot be fetched', error);
};
