/**
 * One Ctrl-C may arrive twice: from the terminal, and from npm, which forwards the signal. Signals within this time
 * count as one, milliseconds.
 */
const samePressMs = 500;
const endWithinMs = 10_000;

/**
 * Runs what was started until a signal: ends in order on the first, at once on the second. An error that nobody caught ends
 * the process too, with code 1, so that a supervisor starts it again: what it left in memory cannot be trusted, what is in
 * the database can.
 *
 * @param welcome - Text to print once it runs; null: none.
 */
export const runUntilStopped = async <Started extends { stop(): Promise<void> }>(
  starting: Promise<Started>,
  welcome: (started: Started) => Promise<string | null> | string | null,
): Promise<void> => {
  const signals = stopOnSignals(starting);
  try {
    const words = await welcome(await starting);
    if (words !== null) console.log(words);
  } catch (error) {
    if (!signals.stopping) fail(error); // during an orderly stop, parts that are still starting may fail
  }
};

const stopOnSignals = (starting: Promise<{ stop(): Promise<void> }>): { stopping: boolean } => {
  const state = { stopping: false };
  let firstMs = 0;
  const stop = async (code: number): Promise<void> => {
    if (state.stopping) {
      if (performance.now() - firstMs > samePressMs) process.exit(1);
      return;
    }
    state.stopping = true;
    firstMs = performance.now();
    try {
      await (await starting).stop();
      process.exit(code);
    } catch (error) {
      fail(error);
    }
  };
  process.on('SIGINT', () => void stop(0));
  process.on('SIGTERM', () => void stop(0));
  process.on('uncaughtException', (error) => {
    console.error('An error that nobody caught; Mintage ends:', error);
    setTimeout(() => process.exit(1), endWithinMs).unref();
    void stop(1);
  });
  return state;
};

/** Prints one sentence and ends the process; with LOG_LEVEL `debug` or `trace` the whole error. */
export const fail = (error: unknown): never => {
  console.error(sentenceOf(error));
  if (process.env.LOG_LEVEL === 'debug' || process.env.LOG_LEVEL === 'trace') console.error(error);
  process.exit(1);
};

const sentenceOf = (error: unknown): string => {
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
    return `Port ${process.env.PORT || 8080} is taken by another program. Stop it, or start with another PORT.`;
  return error instanceof Error ? error.message : String(error);
};
