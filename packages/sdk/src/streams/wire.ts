import { MintageError } from '@mintage/protocol/errors';
import type { StreamMessage, Subscription } from '../generated/types.ts';

/** What a connection is opened with. */
export interface Opening {
  /** Of the API, `https://…/functions/v1`. */
  endpoint: string;
  subscription: Subscription;
  /** The header `Authorization`, newest credential; undefined: anybody. */
  authorization(): Promise<string | undefined>;
  signal: AbortSignal;
}

/**
 * One connection: the messages of one subscription until it ends, for whatever reason. It closes when the reader stops.
 *
 * @throws MintageError Why it could not be opened.
 */
export type Connect = (opening: Opening) => AsyncIterable<StreamMessage>;

/** A connection that is silent for so long is lost, milliseconds, where the settings say nothing else. */
export const usualSilenceMs = 45_000;

/**
 * A message as it came. Of the service's messages only that is looked at by which a stream goes on, unknown types are passed over.
 *
 * @throws MintageError UNEXPECTED_ANSWER when it is no message of a stream of this topic.
 */
export const parseMessage = (text: string, topic: Subscription['topic']): StreamMessage => {
  try {
    const message: unknown = JSON.parse(text);
    if (isMessage(message, topic)) return message;
  } catch (cause) {
    throw new MintageError('UNEXPECTED_ANSWER', 'The stream sent a message that is no JSON', { cause });
  }
  throw new MintageError('UNEXPECTED_ANSWER', `The stream sent what is no message of the topic ${topic}`);
};

/** The rest is as the generated type says. */
const isMessage = (value: unknown, topic: Subscription['topic']): value is StreamMessage => {
  if (!isObject(value)) return false;
  if (value.type === 'subscribed') return Number.isSafeInteger(value.watermark);
  if (value.type === 'error') return typeof value.code === 'string' && typeof value.message === 'string';
  if (value.type !== 'event' && value.type !== 'retract') return typeof value.type === 'string';
  const isWhole = value.topic === topic && Number.isSafeInteger(value.seq) && isObject(value.data);
  return isWhole && (value.type === 'event' || Number.isSafeInteger(value.retracts));
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
