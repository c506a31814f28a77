import { Failure, type Told } from '../failure.ts';
import { onError as colours } from './colours.ts';
import { plain, plainLines } from './plain.ts';

/** Where answers go (standard output), and everything that is said beside them (standard error). */
export interface Output {
  /** --json: answers are printed as the service gives them, nothing else on standard output. */
  isJson: boolean;
  print(text: string): void;
  /** One document a line on a pipe, spread out on a terminal. */
  json(value: unknown): void;
  note(text: string): void;
  /** Shows that something goes on once it takes over a second; on a terminal only. Keys stay the terminal's: Ctrl-C is a signal. */
  during<T>(what: string, work: Promise<T>): Promise<T>;
}

/** Where the line begins, with nothing on it. */
const startOfLine = '\r\x1b[K';

export const createOutput = (isJson: boolean): Output => {
  let hasProgress = false;
  const clear = (): void => {
    if (hasProgress) process.stderr.write(startOfLine);
    hasProgress = false;
  };
  return {
    isJson,
    print: (text) => process.stdout.write(`${text}\n`),
    json(value) {
      const text = JSON.stringify(value, withDigits, process.stdout.isTTY ? 2 : undefined);
      process.stdout.write(`${process.stdout.isTTY ? plainLines(text) : text}\n`);
    },
    note(text) {
      clear();
      process.stderr.write(`${text}\n`);
    },
    async during(what, work) {
      if (!process.stderr.isTTY || process.env.TERM === 'dumb') return work;
      const startMs = Date.now();
      const timer = setInterval(() => {
        const seconds = Math.round((Date.now() - startMs) / 1_000);
        process.stderr.write(`${startOfLine}${colours.dim(`${what} ${seconds} s`)}`);
        hasProgress = true;
      }, 1_000);
      try {
        return await work;
      } finally {
        clearInterval(timer);
        clear();
      }
    },
  };
};

/** Base units have no other form in JSON than text. */
const withDigits = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);

/** An error on standard error: what happened, what to do next, by which number the operator finds it. */
export const printError = ({ code, message, next, requestId, details }: Told, isJson: boolean): void => {
  if (isJson) {
    process.stderr.write(
      `${JSON.stringify({ success: false, code, error: message, next, requestId, details }, withDigits)}\n`,
    );
    return;
  }
  const lines = [`${colours.red('✗')} ${plain(message)}${code === null ? '' : colours.dim(` (${code})`)}`];
  if (next !== null && !message.includes(next)) lines.push(`  ${plain(next)}`);
  if (requestId !== null) lines.push(colours.dim(`  Request ${plain(requestId)}`));
  process.stderr.write(`${lines.join('\n')}\n`);
};

/** @throws Failure where nobody can be asked. */
export const requireTerminal = (instead: string): void => {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Failure('usage', 'There is no terminal to ask on.', instead);
};
