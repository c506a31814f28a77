import { type ErrorCode, invalid, MintageError } from '@mintage/protocol/errors';
import type { Auth } from './auth/auth.ts';
import type { CallOptions, Send } from './callOptions.ts';
import { textOf } from './textOf.ts';

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
export const longestRetryAfterMs = 30_000;
const firstWaitMs = 250;
/** Longest that a timer counts. */
const longestTimeoutMs = 2 ** 31 - 1;

/**
 * Where the operations are, below the address of the service.
 *
 * @throws MintageError INVALID_PARAMETERS when this is no address. One with a password is not repeated in the sentence.
 */
export const endpointOf = (baseUrl: string): string => {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url?.username || url?.password) throw invalid('baseUrl', 'holds a password; a credential goes into `auth`');
  if (!/^https?:$/.test(url?.protocol ?? '') || url?.search || url?.hash) {
    throw invalid('baseUrl', 'must be the address of a service, as https://example.com');
  }
  const trimmed = baseUrl.trim().replace(/\/+$/, '');
  return trimmed.endsWith('/functions/v1') ? trimmed : `${trimmed}/functions/v1`;
};

/** Sends a call for this caller; null: for nobody. */
export type SendAs = (auth: Auth | null, ...call: Parameters<Send>) => Promise<unknown>;

/**
 * Sends calls: with the caller's credential, writes under an idempotency key, and again when that can help and does nothing
 * twice. All attempts are for one caller, because a key names a write of one account only.
 *
 * @throws MintageError At once, INVALID_PARAMETERS for a wrong setting. From a call: with the code, sentence and request id of
 * the service; UNREACHABLE, UNEXPECTED_ANSWER.
 */
export const createSend = ({ retries = 2, ...settings }: Settings): SendAs => {
  const endpoint = endpointOf(settings.baseUrl);
  if (!Number.isSafeInteger(retries) || retries < 0) throw invalid('retries', 'must be a whole number from 0 on');
  const send: SendAs = async (auth, route, input = {}, options = {}) => {
    const [method = '', path = '', ...marks] = route.split(' ');
    const isOnce = marks.includes('once');
    const isWrite =
      isOnce || marks.includes('write') || (marks.includes('execute') && 'execute' in input && input.execute === true);
    const key = isWrite && !isOnce && auth?.isAccount ? (options.idempotencyKey ?? randomKey()) : null;
    const attempt = attemptOf(endpoint, settings, { method, path, input, options, key, marks });
    let renewed = false;
    for (let tried = 0; ; tried += 1) {
      const headers = (await auth?.authorize({ path, input }, asNobody)) ?? {};
      try {
        return await attempt(headers);
      } catch (error) {
        if (!(error instanceof MintageError)) throw error;
        if (error.code === 'AUTHENTICATION_FAILED' && !renewed && (await auth?.renew?.(asNobody, headers))) {
          renewed = true;
          continue;
        }
        const isSafe = !isWrite || key !== null || error.code === 'RATE_LIMIT_EXCEEDED';
        const waitMs = error.retryAfterMs ?? firstWaitMs * 2 ** tried * (1 + Math.random());
        if (!mayPass(error) || !isSafe || tried >= retries || waitMs > longestRetryAfterMs) throw error;
        await wait(waitMs, options.signal);
      }
    }
  };
  const asNobody: Send = (...call) => send(null, ...call);
  return send;
};

/** Whether it may pass within seconds and by itself. What else is retryable wants a decision, or more time, of the caller. */
const mayPass = ({ kind }: MintageError): boolean => kind.retryable && ![400, 403, 404].includes(kind.status);

interface Attempt {
  method: string;
  path: string;
  input: object;
  options: CallOptions;
  /** Names a write; null for what needs no name, or whose caller is not known by then. */
  key: string | null;
  marks: readonly string[];
}

const attemptOf = (
  endpoint: string,
  settings: AttemptSettings,
  { method, path, input, options, key, marks }: Attempt,
) => {
  const isRead = method === 'GET';
  const { url, body } = written(endpoint + path, input, isRead);
  const limitMs = options.timeoutMs ?? settings.timeoutMs ?? 30_000;
  requireMs('timeoutMs', limitMs);
  const named = key === null ? {} : { idempotencyKey: key };
  return async (credential: Record<string, string>): Promise<unknown> => {
    const headers = headersOf({
      ...credential,
      ...(!isRead && { 'content-type': 'application/json' }),
      ...(key !== null && { 'idempotency-key': key }),
    });
    const request: RequestInit = {
      method,
      redirect: 'error', // credentials and signatures are for this address alone
      headers,
      signal: AbortSignal.any([AbortSignal.timeout(limitMs), ...(options.signal ? [options.signal] : [])]),
      ...(!isRead && { body }),
    };
    let response: Response;
    let text: string;
    try {
      response = await (settings.fetch ?? fetch)(url, request);
      if (response.ok && marks.includes('content')) return response;
      text = await textOf(response);
    } catch (error) {
      if (options.signal?.aborted || error instanceof MintageError) throw error;
      const why = (error as Error).name === 'TimeoutError' ? `did not answer within ${limitMs} ms` : 'does not answer';
      throw unreachable(`${endpoint}${path}`, error, why, named);
    }
    const answer = objectIn(text);
    if (response.ok && answer !== null) return answer;
    throw errorOf(response, text, `${endpoint}${path}`, named);
  };
};

/** @throws MintageError INVALID_PARAMETERS for what no timer counts: it would fire at once, or never. */
export const requireMs = (name: string, ms: number): void => {
  if (!(ms >= 0 && ms <= longestTimeoutMs)) throw invalid(name, `must be from 0 to ${longestTimeoutMs} milliseconds`);
};

/** What an answer says that is no success, or no object. */
export const errorOf = (response: Response, text: string, url: string, named: Named = {}): MintageError => {
  const answer = objectIn(text);
  const more = {
    ...named,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: waitOf(response.headers.get('retry-after')),
  };
  if (!response.ok && typeof answer?.code === 'string' && typeof answer.error === 'string') {
    // A newer service may know more codes; `kind` says then what is known of them.
    const known = new MintageError(answer.code as ErrorCode, answer.error, { ...more, details: answer.details });
    // The service says both in one sentence: here what to do stands apart, as in errors that are made here.
    known.message = withoutEnd(answer.error, ` ${known.kind.next}`);
    return known;
  }
  const code = codesOfOthers[response.status] ?? 'UNEXPECTED_ANSWER';
  return new MintageError(code, `${url} answered ${response.status} as no service of ours does`, more);
};

const withoutEnd = (text: string, end: string): string => (text.endsWith(end) ? text.slice(0, -end.length) : text);

/** By what a write is found again. */
interface Named {
  idempotencyKey?: string;
}

/** Nobody answers there. */
export const unreachable = (url: string, cause: unknown, why = 'does not answer', named: Named = {}): MintageError =>
  new MintageError('UNREACHABLE', `${url} ${why}`, { ...named, cause });

type AttemptSettings = Pick<Settings, 'fetch' | 'timeoutMs'>;

/** What a proxy in front of the service means by a status of its own. */
const codesOfOthers: Readonly<Record<number, ErrorCode>> = {
  429: 'RATE_LIMIT_EXCEEDED',
  502: 'UNREACHABLE',
  503: 'UNREACHABLE',
  504: 'UNREACHABLE',
};

/**
 * Fields that the path names go there, the others into the query or the body.
 *
 * @throws MintageError INVALID_PARAMETERS when the input cannot be written, as a bigint in it.
 */
const written = (address: string, input: object, isRead: boolean): { url: string; body: string } => {
  try {
    const rest: Record<string, unknown> = { ...input };
    const url = address.replace(/\/:(\w+)/g, (_, name: string) => {
      const value = String(rest[name] ?? '');
      delete rest[name];
      // A URL takes these for a way to elsewhere, however they are written.
      if (['', '.', '..'].includes(value)) throw invalid(name, 'must be a name that a path can have');
      return `/${encodeURIComponent(value)}`;
    });
    return isRead ? { url: `${url}${queryOf(rest)}`, body: '' } : { url, body: JSON.stringify(rest) };
  } catch (error) {
    if (error instanceof MintageError) throw error;
    throw new MintageError('INVALID_PARAMETERS', `The input cannot be sent: ${(error as Error).message}`, {
      cause: error,
    });
  }
};

const queryOf = (fields: Record<string, unknown>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) query.append(name, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
};

/** @throws MintageError INVALID_PARAMETERS for a value that no header can have; it may be a secret, and is not repeated. */
const headersOf = (fields: Record<string, string>): Record<string, string> => {
  for (const [name, value] of Object.entries(fields)) {
    if (!/^[\x20-\x7e]+$/.test(value)) throw invalid(name, 'is empty, or has a character that no header can have');
  }
  return fields;
};

/** The JSON object of a text, null when it holds none. */
const objectIn = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null; // the caller says what was expected
  }
};

/** What `Retry-After` says, milliseconds: it has seconds or a time. */
const waitOf = (text: string | null): number | undefined => {
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
};

const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @throws The signal's reason. */
export const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
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
