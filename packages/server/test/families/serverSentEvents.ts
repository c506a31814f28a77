/** Any message of the server. */
// oxlint-disable-next-line typescript/no-explicit-any -- the shape differs from type to type and is what the tests assert
export type Message = any;

/** A client of server-sent events, which keeps what it hears. */
export interface ServerSentEvents {
  messages: Message[];
  close(): void;
}

/** Resolves with the first message, which says that the subscription stands. */
export const listenTo = async (address: string, bearer?: string): Promise<ServerSentEvents> => {
  const ending = new AbortController();
  const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const answer = await fetch(address, { headers, signal: ending.signal });
  if (answer.status !== 200 || answer.body === null) throw new Error(`${answer.status} ${await answer.text()}`);
  const messages: Message[] = [];
  const first = Promise.withResolvers<void>();
  const read = async (lines: AsyncIterable<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of lines) {
      const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) if (line.startsWith('data: ')) messages.push(JSON.parse(line.slice(6)));
      if (messages.length > 0) first.resolve();
    }
  };
  read(answer.body).catch(first.reject); // closing it is an error too, after the first message
  await first.promise;
  return { messages, close: () => ending.abort() };
};
