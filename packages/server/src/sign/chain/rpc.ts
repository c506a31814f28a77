import { readJson } from '@mintage/protocol';

/** JSON-RPC over HTTP to one provider. */
export interface RpcCall {
  method: string;
  params: readonly unknown[];
}

/** The provider understood and refused: a revert, bytes that it does not take, an unknown method. */
export class RpcError extends Error {
  readonly code: number;
  /** Revert data of eth_call, as the provider sent it. */
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

/** The call itself fails, whoever is asked; any other refusal may be the provider's own trouble. */
export const isRevert = (error: RpcError): boolean =>
  revertDataOf(error) !== undefined || /revert|out of gas|intrinsic gas/i.test(error.message);

/** Providers put it into `data` or one level deeper. */
export const revertDataOf = ({ data }: RpcError): `0x${string}` | undefined => {
  const inner = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data;
  return typeof inner === 'string' && /^0x([0-9a-f]{2})*$/i.test(inner) ? (inner as `0x${string}`) : undefined;
};

/** Far more than what a signer asks for can fill. */
const mostAnswerBytes = 8 * 1024 * 1024;

interface Answer {
  id?: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/**
 * Results in the order of the calls.
 *
 * @throws RpcError when the provider refused one of the calls, any other error when it did not answer all of them within
 *   the time, to the last byte.
 */
export const callProvider = async (url: string, calls: readonly RpcCall[], timeoutMs: number): Promise<unknown[]> => {
  if (calls.length === 0) return [];
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
  const body = (await readJson(response, mostAnswerBytes)) as Answer | Answer[] | null;
  const answers = new Map((Array.isArray(body) ? body : [body]).map((answer) => [answer?.id, answer]));
  return calls.map(({ method }, id) => {
    const answer = answers.get(id);
    if (answer?.error) throw new RpcError(answer.error.code, answer.error.message, answer.error.data);
    if (answer?.result === undefined) throw new Error(`the provider left ${method} without an answer`);
    return answer.result;
  });
};

/** `fetch` says only "fetch failed"; the reason is its cause. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'it does not say why';
  return error.cause instanceof Error ? error.cause.message : error.message;
};
