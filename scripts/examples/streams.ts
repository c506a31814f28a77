import { once } from 'node:events';
import type { Recorder } from './recorder.ts';

/** Messages that are enough to see what comes. */
const enough = 4;

/** Opens a socket, signs in as nobody, subscribes from the oldest event on, and keeps both sides. */
export const recordSocket = async ({ keep }: Recorder, url: string): Promise<void> => {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/functions/v1/ws`);
  const messages: object[] = [];
  const said = Promise.withResolvers<void>();
  socket.addEventListener('message', ({ data }) => {
    messages.push({ received: JSON.parse(String(data)) });
    if (messages.filter((message) => 'received' in message).length >= enough) said.resolve();
  });
  socket.addEventListener('error', () => said.reject(new Error('The socket failed.')));
  await once(socket, 'open');
  const subscription = { topic: 'tokenActivity', cursor: 'earliest' };
  for (const sent of [{ op: 'auth' }, { op: 'subscribe', id: 'sub_1', subscription }]) {
    messages.push({ sent });
    socket.send(JSON.stringify(sent));
  }
  await said.promise;
  socket.close();
  const lines = messages.slice(0, enough + 2).map((message) => JSON.stringify(message));
  keep('ws', { input: {}, answer: lines.join('\n') });
};

/** Reads the first events of a stream. */
export const recordEvents = async ({ keep }: Recorder, url: string): Promise<void> => {
  const input = { topic: 'tokenActivity', cursor: 'earliest' };
  const stopping = new AbortController();
  const response = await fetch(`${url}/functions/v1/stream?${new URLSearchParams(input)}`, { signal: stopping.signal });
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk);
    if (text.split('\n\n').length > enough) break;
  }
  stopping.abort();
  keep('stream', { input, answer: text.split('\n\n').slice(0, enough).join('\n\n') });
};
