import { spinner } from '@clack/prompts';
import { Failure, type Told } from '../failure.ts';
import { onError as colours } from './colours.ts';
import { plain } from './plain.ts';

/** Where answers go (standard output), and everything that is said beside them (standard error). */
export interface Output {
  /** --json: answers are printed as the service gives them, nothing else on standard output. */
  isJson: boolean;
  print(text: string): void;
  /** One document a line on a pipe, spread out on a terminal. */
  json(value: unknown): void;
  note(text: string): void;
  /** Shows that something goes on once it takes over a second; on a terminal only. */
  during<T>(what: string, work: Promise<T>): Promise<T>;
}

export const createOutput = (isJson: boolean): Output => ({
  isJson,
  print: (text) => process.stdout.write(`${text}\n`),
  json(value) {
    process.stdout.write(`${JSON.stringify(value, withDigits, process.stdout.isTTY ? 2 : undefined)}\n`);
  },
  note: (text) => process.stderr.write(`${text}\n`),
  async during(what, work) {
    if (!process.stderr.isTTY) return work;
    const shown = spinner({ output: process.stderr, indicator: 'timer', delay: 80 });
    const timer = setTimeout(() => shown.start(what), 1_000);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
      shown.clear();
    }
  },
});

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
