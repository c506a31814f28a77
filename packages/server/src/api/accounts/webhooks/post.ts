import { Agent, request } from 'undici';
import { checkedLookup, type HostRules, isPublic, NotPublicError, requireAllowedHost } from '../../wire/publicHost.ts';

/** How one attempt went. Delivered means: answered with a 2xx status in time. */
export interface Outcome {
  delivered: boolean;
  /** Null when there was no answer. */
  responseCode: number | null;
  /** Null when delivered; a fixed sentence otherwise. */
  error: string | null;
  /** Whole milliseconds until the answer, or until it failed. */
  durationMs: number;
  /** Milliseconds that the receiver asks us to wait; 0 when it does not. */
  retryAfterMs: number;
}

export interface PostOptions extends HostRules {
  /** For the whole attempt. */
  timeoutMs?: number;
  /** Connections at once to one origin. */
  perOrigin?: number;
}

export interface Post {
  /**
   * Sends one request to an address that a stranger chose (M1): its host is checked again, redirects are not followed,
   * and only the status of the answer counts.
   *
   * @param stop - Aborts the attempt.
   */
  send(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string | Uint8Array,
    stop?: AbortSignal,
  ): Promise<Outcome>;
  close(): Promise<void>;
}

const answerLimit = 16_384;

export const createPost = (options: PostOptions): Post => {
  const { timeoutMs = 10_000, perOrigin = 4, isAllowed = isPublic } = options;
  const dispatcher = new Agent({
    connect: { lookup: checkedLookup(options), timeout: timeoutMs },
    connections: perOrigin,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });

  const attempt = async (
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string | Uint8Array,
    signal: AbortSignal,
  ): Promise<Omit<Outcome, 'durationMs'>> => {
    requireAllowedHost(new URL(url), isAllowed);
    const answer = await request(url, { dispatcher, signal, method: 'POST', headers, body });
    // Only the status matters; the body is discarded, even if it never ends.
    await answer.body.dump({ limit: answerLimit, signal }).catch(() => undefined);
    const { statusCode: responseCode } = answer;
    const delivered = responseCode >= 200 && responseCode < 300;
    const error = delivered ? null : `The receiver answered ${responseCode}${noteOn(responseCode)}`;
    return { delivered, responseCode, error, retryAfterMs: retryAfterOf(answer.headers['retry-after']) };
  };

  return {
    async send(url, headers, body, stop) {
      const started = performance.now();
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = stop === undefined ? timeout : AbortSignal.any([stop, timeout]);
      const outcome = await attempt(url, headers, body, signal).catch((error: unknown) => ({
        delivered: false,
        responseCode: null,
        error: timeout.aborted ? `The receiver did not answer within ${timeoutMs / 1000} s` : sentenceOf(error),
        retryAfterMs: 0,
      }));
      return { ...outcome, durationMs: Math.round(performance.now() - started) };
    },
    close: () => dispatcher.destroy(),
  };
};

const noteOn = (status: number): string => (status >= 300 && status < 400 ? '; redirects are not followed' : '');

/** Reads `Retry-After` in seconds only: a date would depend on a foreign clock. */
const retryAfterOf = (header: string | string[] | undefined): number =>
  typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : 0;

/** One message for names that lead to private addresses and names that do not resolve (M1). */
const sentenceOf = (error: unknown): string => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (error instanceof NotPublicError || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return 'The address does not lead to a public host';
  }
  if (code === 'ECONNREFUSED') return 'The connection was refused';
  if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code)) return 'The certificate is not valid';
  return 'The connection failed';
};
