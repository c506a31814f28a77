#!/usr/bin/env node
import { CommanderError, InvalidArgumentError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { commands } from './commands.ts';
import { exitCodes, Failure, misread, told } from './failure.ts';
import { interrupt } from './interrupt.ts';
import { printError } from './output/output.ts';
import { plainLines } from './output/plain.ts';
import { endUnread } from './output/reader.ts';
import { createProgram } from './program.ts';

/** `mintage help buy` is `mintage buy --help`. */
const asked = process.argv.slice(2);
const words = asked[0] === 'help' ? [...asked.slice(1), '--help'] : asked;

const isJson = words.includes('--json');

process.stdout.on('error', endUnread);
process.stderr.on('error', endUnread);
process.once('SIGINT', interrupt);

/** Completion and manual are of all commands, everything else is about one. */
const loadedFor = (word = ''): string | null => {
  if (word === 'completion' || word === 'manual') return 'all';
  return Object.hasOwn(commands, word) ? word : null;
};

try {
  const program = await createProgram(manifest.version, loadedFor(words.find((word) => !word.startsWith('-'))), isJson);
  await (words.length === 0
    ? program.parseAsync(['--help'], { from: 'user' })
    : program.parseAsync(words, { from: 'user' }));
} catch (error) {
  if (error instanceof CommanderError && !(error instanceof InvalidArgumentError)) {
    // It has printed what is wrong already, but for JSON; help and version are no errors.
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage.code;
    if (isJson && error.exitCode !== 0) printError(misread(error), true);
  } else {
    const what = told(error);
    printError(what, isJson);
    if (what.exit === 'unexpected' && !(error instanceof Failure))
      console.error(plainLines(String(error instanceof Error ? error.stack : error)));
    process.exitCode = exitCodes[what.exit].code;
  }
}
