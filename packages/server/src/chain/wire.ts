import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Agent, type Dispatcher, request } from 'undici';

/** One JSON-RPC request. */
export interface RpcCall<Result = unknown> {
  method: string;
  params: readonly unknown[];
  /** What the answer says; throws when it does not have the form. Absent: the answer as it came. */
  parse?: (answer: unknown) => Result;
}

/** One call. @param timeoutMs - Absent: the client's own. */
export type Ask = <Result>(call: RpcCall<Result>, timeoutMs?: number) => Promise<Result>;

/** The results of several calls, in their order. */
export type ResultsOf<Calls extends readonly RpcCall[]> = {
  -readonly [Index in keyof Calls]: Calls[Index] extends RpcCall<infer Result> ? Result : never;
};

/** The provider understood and refused: a revert, a range with too many logs, bytes that it does not take, an unknown method. */
export class RpcError extends Error {
  readonly method: string;
  readonly code: number;
  /** What a call reverted with, as the provider sent it. */
  readonly data: unknown;

  constructor(method: string, code: number, message: string, data?: unknown) {
    super(`${method}: ${message} (${code})`);
    this.name = 'RpcError';
    this.method = method;
    this.code = code;
    this.data = data;
  }
}

/** The provider asks us to slow down. */
export class ThrottledError extends Error {
  /** Requested pause, milliseconds; undefined when the provider names none. */
  readonly waitMs: number | undefined;

  constructor(waitMs?: number) {
    super('the provider says that it is asked too often');
    this.name = 'ThrottledError';
    this.waitMs = waitMs;
  }
}

/** Why something failed, for a log: what caused an error says more than what came of it. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'it does not say why';
  const { message, code } = (error.cause instanceof Error ? error.cause : error) as NodeJS.ErrnoException;
  return message || code || error.name;
};

/** An answer that is longer counts as none, so that no provider fills our memory. */
export const answerBytes = {
  /** Far more than what the api and the signer ask for can fill. */
  usual: 8 * 1024 * 1024,
  /** Several times the largest batch of logs and receipts that honest providers give. */
  logs: 128 * 1024 * 1024,
};

/** JSON-RPC over HTTP to one provider. */
export class Wire {
  readonly #url: string;
  readonly #mostBytes: number;
  readonly #agent: Agent;

  /** @param mostBytes - Of one answer, unpacked. */
  constructor(url: string, mostBytes = answerBytes.usual) {
    this.#url = url;
    this.#mostBytes = mostBytes;
    this.#agent = new Agent({ connect: { timeout: 2_000 }, keepAliveTimeout: 30_000, maxResponseSize: mostBytes });
  }

  /**
   * Results in the order of the calls.
   *
   * @param timeoutMs - Until the last byte, so a trickle ends too.
   * @throws RpcError when the provider refused one of the calls, ThrottledError when it is asked too often, any other
   *   error when it did not answer all of them, or not in the form of their results.
   */
  async batch<const Calls extends readonly RpcCall[]>(calls: Calls, timeoutMs: number): Promise<ResultsOf<Calls>> {
    const answers = calls.length === 0 ? [] : await this.#post(calls, timeoutMs);
    return calls.map(({ method, parse = asItCame }, i) => parse(resultOf(method, answers[i]))) as ResultsOf<Calls>;
  }

  async request<Result>(call: RpcCall<Result>, timeoutMs: number): Promise<Result> {
    const [result] = await this.batch([call], timeoutMs);
    return result;
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #post(calls: readonly RpcCall[], timeoutMs: number): Promise<(Answer | undefined)[]> {
    const requests = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
    const response = await request(this.#url, {
      dispatcher: this.#agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' },
      body: JSON.stringify(requests.length === 1 ? requests[0] : requests),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { statusCode, headers } = response;
    if (statusCode === 429) {
      await response.body.dump();
      throw new ThrottledError(retryAfterMs(headers['retry-after']));
    }
    const text = await this.#textOf(response);
    if (statusCode !== 200 && !(refusalStatuses.has(statusCode) && isRefusal(text)))
      throw new Error(`the provider answers with status ${statusCode}`);
    const said = [JSON.parse(text) as Answer | Answer[] | null].flat();
    if (calls.length === 1) return [said[0] ?? undefined];
    const byId = new Map(said.map((answer) => [answer?.id, answer ?? undefined]));
    return calls.map((_, id) => byId.get(id));
  }

  async #textOf({ headers, body }: Dispatcher.ResponseData): Promise<string> {
    if (headers['content-encoding'] !== 'gzip') return body.text();
    return String(await unpacked(await body.bytes(), { maxOutputLength: this.#mostBytes }));
  }
}

const unpacked = promisify(gunzip);

interface Answer {
  id?: unknown;
  result?: unknown;
  /** A `CallError`, unless a gateway speaks of itself: `{"error": "invalid api key"}`. */
  error?: unknown;
}

/** As JSON-RPC writes it. */
interface CallError {
  code: number;
  message: string;
  data?: unknown;
}

const isError = (error: unknown): error is CallError =>
  typeof error === 'object' &&
  error !== null &&
  typeof (error as CallError).code === 'number' &&
  typeof (error as CallError).message === 'string';

/** With any other status than these, or 200, it is the gateway that speaks: nothing was asked of the chain. */
const refusalStatuses = new Set([400, 422, 500]);

const asItCame = (answer: unknown): never => answer as never;

const resultOf = (method: string, answer: Answer | undefined): unknown => {
  if (isError(answer?.error)) throw errorOf(method, answer.error);
  if (answer?.error) throw new Error(`the provider answers ${method} with an error that has no form`);
  if (answer?.result === undefined) throw new Error(`the provider left ${method} without an answer`);
  return answer.result;
};

/**
 * Some providers say "too often" with the code that others use for "too many logs": only the words tell. What a contract
 * says when it reverts is not the provider's word.
 */
const errorOf = (method: string, { code, message, data }: CallError): Error => {
  const isTheirs = !/0x/i.test(JSON.stringify(data ?? null)) && !/revert/i.test(message);
  const saysTooOften = /rate limit|too many requests|per second|throughput|compute units/i.test(message);
  return code === 429 || (isTheirs && saysTooOften) ? new ThrottledError() : new RpcError(method, code, message, data);
};

/** Some providers refuse a call with a status of their own beside the words. */
const isRefusal = (text: string): boolean => {
  try {
    return [JSON.parse(text) as Answer | Answer[]].flat().some((answer) => isError(answer?.error));
  } catch {
    return false;
  }
};

const retryAfterMs = (text: string | string[] | undefined): number | undefined => {
  const seconds = Number(text ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
};
