import type { StreamMessage } from '../generated/types.ts';
import { type Connect, type Opening, parseMessage, usualSilenceMs } from './wire.ts';

/** Messages that wait for the reader, at most. A socket cannot be told to wait, so it is closed, and the stream resumes. */
const mostWaiting = 1_000;
/** Shown again so often in the longest silence, the credential is renewed, and the answer shows that the connection lives. */
const provesInSilence = 3;

const nothing = (): void => {};

/** One WebSocket for one subscription. */
export const overSocket = (
  Socket: typeof WebSocket,
  { silenceMs = usualSilenceMs }: { silenceMs?: number } = {},
): Connect =>
  async function* ({ endpoint, subscription, authorization, signal }: Opening) {
    const waiting: StreamMessage[] = [];
    let isEnded = false;
    let isSubscribed = false;
    let heardAt = Date.now();
    let failure: unknown = null;
    let wake = nothing;
    const end = (): void => {
      isEnded = true;
      wake();
    };

    // A credential that cannot be had is told before anything is opened.
    await authorization();
    const socket = new Socket(`${endpoint.replace(/^http/, 'ws')}/ws`);
    const send = (message: object): void => {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
    };
    const prove = async (): Promise<void> => {
      try {
        const bearer = (await authorization())?.replace(/^Bearer /, '');
        send({ op: 'auth', ...(bearer !== undefined && { bearer }) });
      } catch (error) {
        failure = error;
        end();
      }
    };
    socket.addEventListener('open', () => void prove());
    socket.addEventListener('close', end);
    socket.addEventListener('error', end);
    socket.addEventListener('message', ({ data }) => {
      if (isEnded) return;
      heardAt = Date.now();
      let message: StreamMessage;
      try {
        message = parseMessage(String(data), subscription.topic);
      } catch (error) {
        failure = error; // thrown here it would end the process
        end();
        return;
      }
      if (message.type === 'authenticated' && !isSubscribed) {
        isSubscribed = true;
        send({ op: 'subscribe', id: 'stream', subscription });
      }
      waiting.push(message);
      if (waiting.length >= mostWaiting) {
        isEnded = true;
        socket.close();
      }
      wake();
    });
    signal.addEventListener('abort', end);
    const timer = setInterval(() => {
      if (Date.now() - heardAt > silenceMs) end();
      else void prove();
    }, silenceMs / provesInSilence);
    try {
      for (;;) {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) yield next;
        if (failure !== null) throw failure;
        if (isEnded || signal.aborted) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      clearInterval(timer);
      signal.removeEventListener('abort', end);
      isEnded = true;
      socket.close();
    }
  };
