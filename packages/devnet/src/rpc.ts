let lastId = 0;

/**
 * One JSON-RPC call to a local chain.
 *
 * @throws Error when the chain answers with an error, TypeError when nobody answers.
 */
export const rpcRequest = async (url: string, method: string, params: readonly unknown[]): Promise<unknown> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params }),
  });
  const answer = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
};
