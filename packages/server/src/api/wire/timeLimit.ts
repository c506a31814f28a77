import { MintageError } from '@mintage/protocol';

/** Returns the answer; rejects with SERVICE_UNAVAILABLE when it takes too long, without waiting for it any longer. */
export type TimeLimit = <T>(answer: Promise<T>) => Promise<T>;

interface Waiting {
  /** On the clock of `performance.now()`. */
  untilMs: number;
  reject: (error: MintageError) => void;
}

/**
 * One limit for all answers, with one timer for all: setting and clearing one for each costs more than most answers.
 * Fastify's own limit makes an abort controller and an exception per request, which costs more still.
 */
export const createTimeLimit = (limitMs: number): TimeLimit => {
  /** Sorted by deadline, because all have the same limit. */
  const waiting = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;

  const rejectOverdue = (): void => {
    timer = undefined;
    const nowMs = performance.now();
    for (const answer of waiting) {
      if (answer.untilMs > nowMs) {
        timer = setTimeout(rejectOverdue, Math.ceil(answer.untilMs - nowMs)).unref();
        return;
      }
      waiting.delete(answer);
      answer.reject(new MintageError('SERVICE_UNAVAILABLE', 'The answer took too long'));
    }
  };

  return (answer) =>
    new Promise((resolve, reject) => {
      const entry: Waiting = { untilMs: performance.now() + limitMs, reject };
      waiting.add(entry);
      timer ??= setTimeout(rejectOverdue, limitMs).unref();
      answer.then(
        (value) => {
          waiting.delete(entry);
          resolve(value);
        },
        (error: unknown) => {
          waiting.delete(entry);
          reject(error);
        },
      );
    });
};
