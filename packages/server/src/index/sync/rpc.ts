import { readJson } from '@mintage/protocol';

/** JSON-RPC over HTTP to one provider. Only what the indexer needs; the hot path has no client library in it. */
export interface RpcCall {
  method: string;
  params: unknown[];
}

/** The provider understood and refused, e.g. because a range holds too many logs. */
export class RpcError extends Error {
  readonly code: number;

  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message} (${code})`);
    this.name = 'RpcError';
    this.code = code;
  }
}

/** The provider asks us to slow down. */
export class ThrottledError extends Error {
  /** What it asks for, milliseconds; undefined when it does not say. */
  readonly waitMs: number | undefined;

  constructor(waitMs?: number) {
    super('the provider says that it is asked too often');
    this.name = 'ThrottledError';
    this.waitMs = waitMs;
  }
}

/** No provider of the chain answered, or fewer than have to agree. */
export class ProvidersDownError extends Error {
  constructor(cause: unknown, message = 'no provider answers') {
    super(`${message}: ${reasonOf(cause)}`, { cause });
    this.name = 'ProvidersDownError';
  }
}

/** `fetch` says only "fetch failed"; the reason is its cause. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'it does not say why';
  return error.cause instanceof Error ? error.cause.message : error.message;
};

/** Several times the largest batch of logs and receipts that honest providers give. */
const mostAnswerBytes = 128 * 1024 * 1024;

export class Rpc {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /**
   * Results in the order of the calls.
   *
   * @throws RpcError when the provider refused one of the calls, ThrottledError when it is asked too often, any other
   *   error when it did not answer, or not with JSON-RPC.
   */
  async batch(calls: readonly RpcCall[], timeoutMs: number): Promise<unknown[]> {
    const requests = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(requests.length === 1 ? requests[0] : requests),
      signal: AbortSignal.timeout(timeoutMs), // until the last byte, so a trickle ends too
    });
    if (!response.ok) {
      await response.body?.cancel();
      if (response.status === 429) throw new ThrottledError(retryAfterMs(response.headers.get('retry-after')));
      throw new Error(`the provider answers with status ${response.status}`);
    }
    const body = await readJson(response, mostAnswerBytes);
    const answers = new Map((Array.isArray(body) ? body : [body]).map((answer) => [answer?.id, answer as RpcAnswer]));
    return calls.map((call, id) => {
      const answer = answers.get(id);
      if (answer?.error) throw errorOf(call.method, answer.error);
      if (answer?.result === undefined) throw new Error(`the provider left ${call.method} without an answer`);
      return answer.result;
    });
  }

  async call(method: string, params: unknown[], timeoutMs: number): Promise<unknown> {
    const [result] = await this.batch([{ method, params }], timeoutMs);
    return result;
  }
}

interface RpcAnswer {
  id: number;
  result?: unknown;
  error?: { code: number; message: string };
}

/** Some providers say "too often" with the code that others use for "too many logs": only the words tell. */
const errorOf = (method: string, { code, message }: { code: number; message: string }): Error =>
  code === 429 || /rate limit|too many requests|per second|throughput|compute units/i.test(message)
    ? new ThrottledError()
    : new RpcError(method, code, message);

const retryAfterMs = (text: string | null): number | undefined => {
  const seconds = Number(text ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
};
