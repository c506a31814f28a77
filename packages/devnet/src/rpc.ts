let lastId = 0;

/** Far longer than a local chain takes for anything: what is not answered by then never is. */
const longestMs = 60_000;

/**
 * One JSON-RPC call to a local chain.
 *
 * @throws Error when the chain answers with an error, or not within a minute; TypeError when nobody answers.
 */
export const rpcRequest = async (url: string, method: string, params: readonly unknown[]): Promise<unknown> => {
  const signal = AbortSignal.timeout(longestMs);
  const ask = async (): Promise<{ result?: unknown; error?: { message: string } }> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params }),
      signal,
    });
    return (await response.json()) as never;
  };
  const answer = await ask().catch((cause: unknown) => {
    throw signal.aborted ? new Error(`${method}: no answer from ${url} within a minute`, { cause }) : cause;
  });
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
};
