import { type ErrorCode, MintageError } from '@mintage/protocol/errors';
import type { Auth } from './auth/auth.ts';
import type { CallOptions, Send } from './callOptions.ts';

/** Settings of a client. */
export interface Settings {
  /** Where the service is, with or without `/functions/v1`. */
  baseUrl: string;
  /** Who calls; absent: anybody. */
  auth?: Auth;
  /** Absent: the global one. */
  fetch?: typeof fetch;
  /** How often a call that may succeed later is sent again; absent: 2. */
  retries?: number;
  /** Milliseconds until an attempt is given up; absent: 30,000. The service itself answers within 25 s. */
  timeoutMs?: number;
}

/** Longest that `Retry-After` is obeyed; beyond it the caller decides. */
const longestWaitMs = 30_000;
const firstWaitMs = 250;

/** @throws MintageError INVALID_PARAMETERS when this is no address. */
export const endpointOf = (baseUrl: string): string => {
  if (!/^https?:\/\/./.test(baseUrl)) {
    throw new MintageError(
      'INVALID_PARAMETERS',
      `baseUrl: ${baseUrl} is no address: it begins with https:// or http://`,
    );
  }
  const trimmed = baseUrl.replace(/\/+$/, '');
  return trimmed.endsWith('/functions/v1') ? trimmed : `${trimmed}/functions/v1`;
};

/**
 * Sends calls: with the caller's credential, writes under an idempotency key, and again when that can help and does nothing
 * twice.
 *
 * @throws MintageError With the code, sentence and request id of the service; UNREACHABLE, UNEXPECTED_ANSWER.
 */
export const createSend = (settings: Settings, whoCalls: () => Auth | null): Send => {
  const { retries = 2 } = settings;
  const asNobody = (...asked: Parameters<Send>) => createSend(settings, () => null)(...asked);
  return async (route, input = {}, options = {}) => {
    const [method = '', path = '', ...marks] = route.split(' ');
    const writes =
      marks.includes('write') || (marks.includes('execute') && 'execute' in input && input.execute === true);
    const attempt = attemptOf(settings, { method, path, input, options, isContent: marks.includes('content') });
    const ownKey = options.idempotencyKey ?? randomKey();
    // One caller for all attempts: a key names a write of one account only.
    const auth = whoCalls();
    let renewed = false;
    for (let tried = 0; ; tried += 1) {
      const key = writes && auth?.isAccount ? ownKey : undefined;
      try {
        return await attempt({
          ...(await auth?.authorize({ path, input }, asNobody)),
          ...(key && { 'idempotency-key': key }),
        });
      } catch (error) {
        if (!(error instanceof MintageError)) throw error;
        if (error.code === 'AUTHENTICATION_FAILED' && !renewed && (await auth?.renew?.(asNobody))) {
          renewed = true;
          continue;
        }
        const isSafe = !writes || key !== undefined || error.code === 'RATE_LIMIT_EXCEEDED';
        const waitMs = error.retryAfterMs ?? firstWaitMs * 2 ** tried * (1 + Math.random());
        if (!error.kind.retryable || !isSafe || tried >= retries || waitMs > longestWaitMs) throw error;
        await wait(waitMs, options.signal);
      }
    }
  };
};

interface Attempt {
  method: string;
  path: string;
  input: object;
  options: CallOptions;
  isContent: boolean;
}

const attemptOf = (settings: Settings, { method, path, input, options, isContent }: Attempt) => {
  const { url, rest } = filledIn(endpointOf(settings.baseUrl) + path, input);
  const isRead = method === 'GET';
  const target = isRead ? `${url}${queryOf(rest)}` : url;
  const limitMs = options.timeoutMs ?? settings.timeoutMs ?? 30_000;
  return async (headers: Record<string, string>): Promise<unknown> => {
    const request: RequestInit = {
      method,
      redirect: 'error', // credentials and signatures are for this address alone
      headers: isRead ? headers : { ...headers, 'content-type': 'application/json' },
      signal: AbortSignal.any([AbortSignal.timeout(limitMs), ...(options.signal ? [options.signal] : [])]),
      ...(!isRead && { body: JSON.stringify(rest) }),
    };
    try {
      const response = await (settings.fetch ?? fetch)(target, request);
      if (!response.ok) throw await errorOf(response);
      return isContent ? response : await response.json();
    } catch (error) {
      if (error instanceof MintageError || options.signal?.aborted) throw error;
      if (error instanceof SyntaxError) throw unexpected(`${url} answered something that is no JSON`, error);
      const why = (error as Error).name === 'TimeoutError' ? `did not answer within ${limitMs} ms` : 'does not answer';
      throw new MintageError('UNREACHABLE', `${url} ${why}`, { cause: error });
    }
  };
};

/** Fields that the path names go there, the others stay. */
const filledIn = (path: string, input: object): { url: string; rest: Record<string, unknown> } => {
  const rest: Record<string, unknown> = { ...input };
  const url = path.replace(/\/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return `/${encodeURIComponent(String(value))}`;
  });
  return { url, rest };
};

const queryOf = (fields: Record<string, unknown>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) query.append(name, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
};

const errorOf = async (response: Response): Promise<MintageError> => {
  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== 'object' || body === null || !('code' in body) || !('error' in body)) {
    return unexpected(`${response.url} answered ${response.status} without saying why`);
  }
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new MintageError(body.code as ErrorCode, String(body.error), {
    details: 'details' in body ? body.details : null,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : undefined,
  });
};

const unexpected = (message: string, cause?: unknown): MintageError =>
  new MintageError('UNEXPECTED_ANSWER', message, { cause });

const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @throws The signal's reason. */
const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
