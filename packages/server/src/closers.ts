/** Closes what was opened, the last first. */
export interface Closers {
  add(close: () => Promise<void> | void): void;
  /** Runs every closer although one fails, then throws the first failure. Once: a second call waits for the first. */
  closeAll(): Promise<void>;
  readonly isClosing: boolean;
}

export const createClosers = (): Closers => {
  const closers: (() => Promise<void> | void)[] = [];
  let closing: Promise<void> | null = null;
  const run = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const close of closers.toReversed()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  return {
    add: (close) => {
      closers.push(close);
    },
    closeAll: () => {
      closing ??= run();
      return closing;
    },
    get isClosing() {
      return closing !== null;
    },
  };
};
