import { Remembered } from '../../wire/remembered.ts';
import type { PlainMessage } from './plainMessage.ts';

/**
 * What the protocol's library puts around a result, by the form of the message: always the same, so it is learnt from the
 * library's own answer, and the next message of that form is answered without it. A form that the library refuses, or
 * answers in any other way, is never learnt.
 */
export interface Frames {
  /** @param result - Its JSON. */
  learn(message: PlainMessage, result: string, answer: string): void;
  /** Null where nothing was learnt of this form. */
  of(message: PlainMessage): ((result: string) => string) | null;
}

const mostForms = 2_000;

export const createFrames = (): Frames => {
  /** From the end of the result to the id of the message, which ends every answer. */
  const closings = new Remembered<string>(mostForms);
  /** The few that there are, each kept once: a part of a text keeps all of it. */
  const different = new Map<string, string>();
  return {
    learn(message, result, answer) {
      const [opening, end] = [opened(result), ended(message)];
      if (!answer.startsWith(opening) || !answer.endsWith(end)) return;
      const closing = answer.slice(opening.length, -end.length);
      if (!different.has(closing)) different.set(closing, closing);
      closings.set(message.form, different.get(closing) as string);
    },
    of(message) {
      const closing = closings.get(message.form);
      return closing === undefined ? null : (result) => opened(result) + closing + ended(message);
    },
  };
};

/** The library adds its own fields after those of the result, so the result's last brace is left out. */
const opened = (result: string): string => `{"result":${result.slice(0, -1)}`;
const ended = ({ id }: PlainMessage): string => `${JSON.stringify(id)}}`;
