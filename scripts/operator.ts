import { exitCodes, Failure } from '../packages/cli/src/failure.ts';
import { createOutput, type Output, printError } from '../packages/cli/src/output/output.ts';

interface Operator {
  usage: string;
  /** @param words - Without `--json`. */
  run(words: string[], output: Output): Promise<void>;
}

/**
 * A command of who runs a deployment: in sentences, or with `--json` in documents on standard output, errors in one on standard error,
 * as all other commands of `mintage` do it. A `Failure` ends it with its own code, another error with 1.
 */
export const operator = async ({ usage, run }: Operator): Promise<void> => {
  const words = process.argv.slice(2);
  const output = createOutput(words.includes('--json'));
  const others = words.filter((word) => word !== '--json');
  if (others.includes('--help')) return output.isJson ? output.json({ usage }) : output.print(usage);
  try {
    await run(others, output);
  } catch (error) {
    // Of a chain's client the short sentence: its long one has all the bytes that were to be sent.
    const { shortMessage, message: whole } = error as Error & { shortMessage?: string };
    const message = shortMessage ?? whole;
    const [exit, next] = error instanceof Failure ? [error.exit, error.next] : (['unexpected', null] as const);
    if (output.isJson) printError({ exit, code: null, message, next, requestId: null, details: undefined }, true);
    else output.note([message, ...(next === null ? [] : [next])].join('\n'));
    process.exitCode = exitCodes[exit].code;
  }
};
