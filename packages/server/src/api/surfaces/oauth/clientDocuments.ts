import { Agent, request } from 'undici';
import { checkedLookup, type HostRules, requireAllowedHost } from '../../wire/publicHost.ts';

/** How client documents are fetched; tests use host names and a certificate of their own. */
export interface ClientDocumentOptions extends HostRules {
  /** A certificate authority trusted in addition to the usual ones. */
  ca?: string;
}

const timeoutMs = 2_500;
const mostBytes = 16_384;

/**
 * Fetches client documents for the authorization server, from addresses chosen by strangers (M1). Https only; every
 * address of the host must be public, the connection goes to the address that was checked, and redirects are not
 * followed.
 *
 * @throws NotPublicError, or the error of the connection; the library answers all of them alike.
 */
export const createDocumentFetch = (options: ClientDocumentOptions) => {
  const { isAllowed, ca } = options;
  const lookup = checkedLookup(options);
  return async (asked: string | URL | Request): Promise<Response> => {
    const url = new URL(asked instanceof Request ? asked.url : asked);
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
      // For other statuses than 200 only the status counts; some of them may have no body.
      const body = answer.statusCode === 200 ? Buffer.concat(parts) : null;
      return new Response(body, { status: answer.statusCode, headers });
    } finally {
      await dispatcher.destroy();
    }
  };
};
