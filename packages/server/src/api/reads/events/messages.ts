import { platformIdKeys } from '@mintage/protocol/operations';
import type { StreamEvent } from './streamEvent.ts';

/** Messages to a client, and their encoding on the wire. Source: wire contract, section 9.2. */

/** An event's data with the platform id under the deployment's own key too. */
export const wireData = (
  platformName: string,
  { data, shown }: Pick<StreamEvent, 'data' | 'shown'>,
): Record<string, unknown> => {
  if (shown !== undefined) return shown;
  return 'platform_id' in data
    ? { ...data, ...platformIdKeys(platformName, data.platform_id as string | null) }
    : { ...data };
};

/** Encodes events and other messages for one kind of connection. */
export interface Encoding {
  readonly kind: 'socket' | 'events';
  event(id: string, event: StreamEvent): Buffer;
  message(message: object): Buffer;
}

/** One encoding per kind of connection; the text shared by all clients of an event is made once. */
export const createEncodings = (platformName: string): { socket: Encoding; events: Encoding } => {
  const tails = new WeakMap<StreamEvent, string>();
  /** The part of the message after the id, which is equal for all clients. */
  const tailOf = (event: StreamEvent): string => {
    const known = tails.get(event);
    if (known !== undefined) return known;
    const { topic, seq, retracts } = event;
    const data = wireData(platformName, event);
    const tail = JSON.stringify(retracts === null ? { topic, seq, data } : { topic, seq, retracts, data }).slice(1);
    tails.set(event, tail);
    return tail;
  };
  return {
    socket: {
      kind: 'socket',
      event: (id, event) => textFrame(`{"type":"${typeOf(event)}","id":${JSON.stringify(id)},${tailOf(event)}`),
      message: (message) => textFrame(JSON.stringify(message)),
    },
    events: {
      kind: 'events',
      event: (_id, event) => Buffer.from(`id: ${event.seq}\ndata: {"type":"${typeOf(event)}",${tailOf(event)}\n\n`),
      message: (message) => Buffer.from(`data: ${JSON.stringify(message)}\n\n`),
    },
  };
};

const typeOf = ({ retracts }: StreamEvent): string => (retracts === null ? 'event' : 'retract');

const finalText = 0x81;

/** One whole text message as a server sends it: not masked, not compressed (RFC 6455, 5.2). */
export const textFrame = (text: string): Buffer => {
  const length = Buffer.byteLength(text);
  const headLength = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headLength + length);
  frame[0] = finalText;
  if (headLength === 2) frame[1] = length;
  else if (headLength === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, headLength);
  return frame;
};
