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
 * A message as it came. The service's messages have the generated type; unknown types are passed over.
 *
 * @throws MintageError UNEXPECTED_ANSWER when it is no JSON.
 */
export const parseMessage = (text: string): StreamMessage => {
  try {
    return JSON.parse(text) as StreamMessage;
  } catch (cause) {
    throw new MintageError('UNEXPECTED_ANSWER', 'The stream sent a message that is no JSON', { cause });
  }
};
