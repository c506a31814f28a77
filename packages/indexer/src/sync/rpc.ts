/** JSON-RPC over HTTP with several providers. Only what the indexer needs; the hot path has no client library in it. */
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

/** No provider of the chain answered. */
export class ProvidersDownError extends Error {
  constructor(cause: unknown) {
    super(`no provider answers: ${cause instanceof Error ? reasonOf(cause) : String(cause)}`, { cause });
    this.name = 'ProvidersDownError';
  }
}

/** `fetch` says only "fetch failed"; the reason is its cause. */
const reasonOf = (error: Error): string => (error.cause instanceof Error ? error.cause.message : error.message);

const circuitOpenMs = 30_000;

export class Rpc {
  readonly #providers: { url: string; openUntil: number }[];

  constructor(urls: readonly string[]) {
    if (urls.length === 0) throw new Error('a chain needs at least one RPC URL');
    this.#providers = urls.map((url) => ({ url, openUntil: 0 }));
  }

  /**
   * Results in the order of the calls, all from one provider. A provider that fails is left alone for 30 seconds while
   * there is another.
   *
   * @throws RpcError when the provider refused one of the calls, ProvidersDownError when none answered.
   */
  async batch(calls: readonly RpcCall[], timeoutMs: number): Promise<unknown[]> {
    const now = performance.now();
    const rested = this.#providers.filter((provider) => provider.openUntil <= now);
    let failure: unknown;
    for (const provider of rested.length > 0 ? rested : this.#providers) {
      try {
        return await post(provider.url, calls, timeoutMs);
      } catch (error) {
        if (error instanceof RpcError) throw error;
        provider.openUntil = performance.now() + circuitOpenMs;
        failure = error;
      }
    }
    throw new ProvidersDownError(failure);
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

const post = async (url: string, calls: readonly RpcCall[], timeoutMs: number): Promise<unknown[]> => {
  const requests = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(requests.length === 1 ? requests[0] : requests),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the provider answers with status ${response.status}`);
  }
  const body = (await response.json()) as RpcAnswer | RpcAnswer[];
  const answers = new Map((Array.isArray(body) ? body : [body]).map((answer) => [answer.id, answer]));
  return calls.map((call, id) => {
    const answer = answers.get(id);
    if (answer?.error) throw new RpcError(call.method, answer.error.code, answer.error.message);
    if (answer?.result === undefined) throw new Error(`the provider left ${call.method} without an answer`);
    return answer.result;
  });
};
