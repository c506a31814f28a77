/**
 * The JSON of an answer that is not ours to trust: read to its end only while it is small enough, so that no provider fills
 * our memory.
 *
 * @throws Error when it is larger than `mostBytes`, SyntaxError when it is no JSON.
 */
export const readJson = async (response: Response, mostBytes: number): Promise<unknown> => {
  const { headers, body } = response;
  const told = headers.get('content-length');
  // Of packed bytes the length says nothing.
  if (told !== null && Number(told) <= mostBytes && !headers.has('content-encoding')) return response.json();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    // Leaving the loop ends the connection.
    if (bytes > mostBytes) throw new Error(`the answer is larger than ${mostBytes} bytes`);
    text += decoder.decode(part, { stream: true });
  }
  return JSON.parse(text + decoder.decode());
};
