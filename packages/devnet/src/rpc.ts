import { noAnswer } from './noAnswer.ts';

let lastId = 0;

/** Far longer than a local chain takes for anything: what is not answered by then never is. */
const longestMs = 100_000;

export interface RpcAnswer {
  result?: unknown;
  error?: { message: string; data?: unknown };
}

/**
 * One JSON-RPC call to a local chain, answered by it with a result or an error.
 *
 * @throws Error with the chain's address when nothing answers there, or not in time.
 */
export const askChain = async (url: string, method: string, params: readonly unknown[]): Promise<RpcAnswer> => {
  const signal = AbortSignal.timeout(longestMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params }),
      signal,
    });
    return (await response.json()) as RpcAnswer;
  } catch (cause) {
    throw noAnswer(`${url} to ${method}`, cause);
  }
};

/** @throws Error as `askChain`, and when the chain answers with an error. */
export const rpcRequest = async (url: string, method: string, params: readonly unknown[]): Promise<unknown> => {
  const { result, error } = await askChain(url, method, params);
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
};
