import { Agent, request } from 'undici';
import { checkedLookup, type HostRules, requireAllowedHost } from '../../wire/publicHost.ts';

/** How documents of clients are fetched; in tests with names and a certificate of their own. */
export interface ClientDocumentOptions extends HostRules {
  /** Trusted beside the usual ones. */
  ca?: string;
}

const timeoutMs = 2_500;
const mostBytes = 16_384;

/**
 * Fetches for the authorization server, which only ever asks for documents of clients: an address that a stranger chose
 * (M1). Https; every address of the host public, and connected to is what was checked; redirects are not followed.
 *
 * @throws NotPublicError, or whatever the connection throws: the library makes one answer of all of them.
 */
export const createDocumentFetch = (options: ClientDocumentOptions) => {
  const { isAllowed, ca } = options;
  const lookup = checkedLookup(options);
  return async (address: string | URL): Promise<Response> => {
    const url = new URL(address);
    if (url.protocol !== 'https:') throw new TypeError('A document of a client is fetched by https only.');
    requireAllowedHost(url, isAllowed);
    const dispatcher = new Agent({
      connect: { lookup, timeout: timeoutMs, ...(ca === undefined ? {} : { ca }) },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    try {
      const answer = await request(url, {
        dispatcher,
        signal: AbortSignal.timeout(timeoutMs),
        headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'mintage' },
      });
      const parts: Uint8Array[] = [];
      let length = 0;
      for await (const part of answer.body as AsyncIterable<Uint8Array>) {
        length += part.length;
        if (length > mostBytes) throw new RangeError('The document of a client is too large.');
        parts.push(part);
      }
      const age = answer.headers['cache-control'];
      const headers = typeof age === 'string' ? { 'cache-control': age } : {};
      // Of any status but 200 only the status counts, and some of them may have no body.
      const body = answer.statusCode === 200 ? Buffer.concat(parts) : null;
      return new Response(body, { status: answer.statusCode, headers });
    } finally {
      await dispatcher.destroy();
    }
  };
};
