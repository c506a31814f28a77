/**
 * Calls a service that this one can do without for a while. After its first failure nobody waits for it any more,
 * including earlier callers; it is probed in the background until it answers.
 */
export interface Circuit {
  /** @throws What `ask` throws; while the service is unavailable, at once the error that made it so. */
  run<T>(ask: () => Promise<T>): Promise<T>;
  /** Marks the service as unavailable. */
  open(reason: Error): void;
  /** Probes an unavailable service now rather than at the next interval. */
  probe(): void;
  stop(): void;
}

export interface CircuitOptions {
  /** A request that a working service answers; has a time limit of its own. */
  probe(): Promise<unknown>;
  /** Pause between two probes of an unavailable service. */
  everyMs: number;
  /** Which errors mean that the service is unavailable, rather than that it refused; absent: all. */
  isAway?(error: unknown): boolean;
  /** Called with the reason when the service becomes unavailable, and with null when it answers again. */
  onChange?(reason: Error | null): void;
}

export const createCircuit = ({ probe, everyMs, isAway = () => true, onChange }: CircuitOptions): Circuit => {
  /** The error that made the service unavailable; null while it answers. */
  let away: Error | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isProbing = false;
  let isStopped = false;
  /** Rejects every caller that is waiting. */
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
    if (!isStopped) timer = setTimeout(() => void tryAgain(), everyMs).unref();
  };
  const tryAgain = async (): Promise<void> => {
    if (away === null || isProbing || isStopped) return;
    isProbing = true;
    try {
      await probe();
      away = null;
      onChange?.(null);
    } catch {
      later(); // still unavailable, for the known reason
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
