import { MintageError } from '@mintage/protocol';
import { Counts, type Sender } from './shares.ts';

export interface Share {
  /** Most running tasks; below `places`, so that no sender ever holds all of them. */
  running: number;
  /** Tasks that may wait. */
  waiting: number;
}

export interface TurnOptions {
  /** What is worked on, as a refusal names it to the caller. */
  what: 'files' | 'requests';
  /** Tasks at once. */
  places: number;
  perOwner: Share;
  /** Limits of one address, however many owners share it. */
  perAddress: Share;
  /** The clock, in milliseconds. */
  now?: () => number;
}

/** The caller for whom something costly is done. */
export interface Asker extends Sender {
  /** Aborts when nobody waits for the answer any more. */
  gone?: AbortSignal;
}

/** Called by a task that cost too much: its owner and address are served after everybody else for a minute. */
export type PutBehind = () => void;

/**
 * Shares a few places fairly: first among addresses, then among the owners of an address. Waiting tasks get the next
 * free place in rotation, so that a hundred tasks of one address, from however many accounts, delay another's task by
 * at most one. A waiting task whose asker is gone is never started. Tasks that were put behind run when nobody else
 * waits, and one place is kept for the others.
 *
 * @throws MintageError RATE_LIMIT_EXCEEDED when too many tasks of the owner or address wait already,
 * SERVICE_UNAVAILABLE to an asker who is gone.
 */
export type Turns = <T>(asker: Asker, task: (putBehind: PutBehind) => Promise<T>) => Promise<T>;

const behindMs = 60_000;

interface Waiting {
  asker: Asker;
  start: () => void;
}
type Leave = () => void;

export const createTurns = ({
  what,
  places,
  perOwner,
  perAddress,
  now = () => performance.now(),
}: TurnOptions): Turns => {
  /** The first level decides whose turn it is, ties go to the second. */
  const levels = [
    new Level(perAddress, ({ address }) => address, now),
    new Level(perOwner, ({ owner }) => owner, now),
  ] as const;
  const waiting = new Set<Waiting>();
  let running = 0;
  let runningBehind = 0;

  const isBehind = (sender: Sender): boolean => levels.some((level) => level.isBehind(sender));
  const mayStart = (sender: Sender): boolean =>
    running < places &&
    levels.every((level) => level.mayStart(sender)) &&
    (runningBehind < Math.max(1, places - 1) || !isBehind(sender));
  const comesBefore = (one: Sender, other: Sender): boolean => {
    if (isBehind(one) !== isBehind(other)) return isBehind(other);
    const level = levels.find((each) => each.turnOf(one) !== each.turnOf(other));
    return level !== undefined && level.turnOf(one) < level.turnOf(other);
  };

  const next = (): Waiting | undefined => {
    let first: Waiting | undefined;
    for (const one of waiting)
      if (mayStart(one.asker) && (first === undefined || comesBefore(one.asker, first.asker))) first = one;
    return first;
  };
  const startWaiting = (): void => {
    for (let one = next(); one !== undefined; one = next()) one.start();
  };

  const enter = (asker: Asker): Leave => {
    const behind = isBehind(asker) ? 1 : 0;
    running += 1;
    runningBehind += behind;
    for (const level of levels) level.enter(asker);
    return () => {
      running -= 1;
      runningBehind -= behind;
      for (const level of levels) level.leave(asker);
      startWaiting();
    };
  };

  const turnOf = (asker: Asker): Promise<Leave> =>
    new Promise((resolve, reject) => {
      if (!levels.every((level) => level.mayWait(asker))) throw tooMany(what);
      const { gone } = asker;
      const endWaiting = (): void => {
        waiting.delete(one);
        for (const level of levels) level.leaveLine(asker);
        gone?.removeEventListener('abort', drop);
      };
      const drop = (): void => {
        endWaiting();
        reject(goneAway());
      };
      const one: Waiting = {
        asker,
        start: () => {
          endWaiting();
          resolve(enter(asker));
        },
      };
      gone?.addEventListener('abort', drop, { once: true });
      waiting.add(one);
      for (const level of levels) level.joinLine(asker);
    });

  return async (asker, task) => {
    if (asker.gone?.aborted) throw goneAway();
    const leave = mayStart(asker) ? enter(asker) : await turnOf(asker);
    try {
      return await task(() => {
        for (const level of levels) level.putBehind(asker);
      });
    } finally {
      leave();
    }
  };
};

/** Counters of each address, or of each owner. */
class Level {
  readonly #share: Share;
  readonly #keyOf: (sender: Sender) => string;
  readonly #now: () => number;
  readonly #running = new Counts();
  readonly #waiting = new Counts();
  /** Turn numbers of the waiting keys: the one served last has the highest. */
  readonly #turns = new Map<string, number>();
  #turnsGiven = 0;
  readonly #behindUntil = new Map<string, number>();

  constructor(share: Share, keyOf: (sender: Sender) => string, now: () => number) {
    this.#share = share;
    this.#keyOf = keyOf;
    this.#now = now;
  }

  mayStart(sender: Sender): boolean {
    return this.#running.of(this.#keyOf(sender)) < this.#share.running;
  }
  mayWait(sender: Sender): boolean {
    return this.#waiting.of(this.#keyOf(sender)) < this.#share.waiting;
  }
  turnOf(sender: Sender): number {
    return this.#turns.get(this.#keyOf(sender)) ?? 0;
  }
  isBehind(sender: Sender): boolean {
    return (this.#behindUntil.get(this.#keyOf(sender)) ?? 0) > this.#now();
  }

  joinLine(sender: Sender): void {
    const key = this.#keyOf(sender);
    this.#waiting.add(key, 1);
    if (!this.#turns.has(key)) this.#giveTurn(key);
  }
  leaveLine(sender: Sender): void {
    const key = this.#keyOf(sender);
    this.#waiting.add(key, -1);
    if (this.#waiting.of(key) === 0) this.#turns.delete(key);
  }
  enter(sender: Sender): void {
    this.#run(sender, 1);
  }
  leave(sender: Sender): void {
    this.#run(sender, -1);
  }
  putBehind(sender: Sender): void {
    for (const [key, until] of this.#behindUntil) if (until <= this.#now()) this.#behindUntil.delete(key);
    this.#behindUntil.set(this.#keyOf(sender), this.#now() + behindMs);
  }

  #run(sender: Sender, change: number): void {
    const key = this.#keyOf(sender);
    this.#running.add(key, change);
    if (this.#turns.has(key)) this.#giveTurn(key);
  }
  #giveTurn(key: string): void {
    this.#turnsGiven += 1;
    this.#turns.set(key, this.#turnsGiven);
  }
}

/** The error for a caller who is gone; it reaches nobody. */
export const goneAway = (): MintageError => new MintageError('SERVICE_UNAVAILABLE', 'The answer took too long');

const tooMany = (what: TurnOptions['what']): MintageError =>
  new MintageError('RATE_LIMIT_EXCEEDED', `Too many of your ${what} are being worked on`, {
    details: { retryAfterSeconds: 2 },
  });
