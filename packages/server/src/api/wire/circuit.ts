/**
 * Asks a service that this one can do without, or not for long. After its first failure nobody waits for it any more, not even
 * who asked before: it is tried in the background until it answers.
 */
export interface Circuit {
  /** @throws What `ask` throws; at once, while the service is away, what it failed with. */
  run<T>(ask: () => Promise<T>): Promise<T>;
  /** Says that the service is away. */
  open(reason: Error): void;
  /** Tries it now rather than later, when it is away. */
  probe(): void;
  stop(): void;
}

export interface CircuitOptions {
  /** A question that the service answers when it is well; has a time limit of its own. */
  probe(): Promise<unknown>;
  everyMs: number;
  /** Which failures say that the service is away, and not that it refuses; absent: all. */
  isAway?(error: unknown): boolean;
  /** Hears that it is away, and why, and that it answers again: null. */
  onChange?(reason: Error | null): void;
}

export const createCircuit = ({ probe, everyMs, isAway = () => true, onChange }: CircuitOptions): Circuit => {
  /** Why the service is away; null while it answers. */
  let away: Error | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isProbing = false;
  let isStopped = false;
  /** Ends the waiting of everybody who has asked. */
  const waiting = new Set<(reason: Error) => void>();

  const open = (reason: Error): void => {
    if (away !== null || isStopped) return;
    away = reason;
    onChange?.(reason);
    for (const giveUp of waiting) giveUp(reason);
    waiting.clear();
    later();
  };
  const later = (): void => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(tryAgain, everyMs).unref();
  };
  const tryAgain = async (): Promise<void> => {
    if (away === null || isProbing || isStopped) return;
    isProbing = true;
    try {
      await probe();
      away = null;
      onChange?.(null);
    } catch {
      later(); // still away, for the reason that is known
    } finally {
      isProbing = false;
    }
  };

  return {
    open,
    probe: () => void tryAgain(),
    run(ask) {
      if (away !== null) return Promise.reject(away);
      return new Promise((resolve, reject) => {
        waiting.add(reject);
        ask().then(
          (answer) => {
            waiting.delete(reject);
            resolve(answer);
          },
          (error: Error) => {
            waiting.delete(reject);
            reject(error);
            if (isAway(error)) open(error);
          },
        );
      });
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
};
