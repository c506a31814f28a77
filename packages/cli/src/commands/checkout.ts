import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import type { Configure } from '../command/group.ts';
import { Failure } from '../failure.ts';
import { onError } from '../output/colours.ts';
import { plain } from '../output/plain.ts';
import type { GlobalOptions } from '../shell.ts';

/**
 * Commands for who runs a deployment. Their code is no part of the published package, which stays small: it is loaded from the
 * checkout that the current folder is or lies in, which is told on a terminal: it is code, as `npm run` runs it.
 */
const fromCheckout =
  (script: string, about: string): Configure =>
  (command: Command) => {
    command.argument('[words...]', about).allowUnknownOption().passThroughOptions().helpOption(false);
    command.action(async (words: string[]) => {
      const checkout = findCheckout(process.cwd());
      if (checkout === null) {
        throw new Failure(
          'usage',
          'This runs from a checkout of Mintage, and there is none here.',
          'Go into the folder of the repository, run `npm ci` once, then `npx mintage` there.',
        );
      }
      const needed = 24;
      if (Number(process.versions.node.split('.')[0]) < needed) {
        throw new Failure(
          'usage',
          `A checkout needs Node ${needed}, this is ${process.versions.node}.`,
          'Run it as `npx mintage` there: `npm ci` brings that Node.',
        );
      }
      const path = join(checkout, 'scripts', script);
      if (process.stderr.isTTY) process.stderr.write(onError.dim(`Of the checkout ${plain(checkout)}\n`));
      const isJson = command.opts<GlobalOptions>().json && !words.includes('--json');
      process.argv = [process.argv[0] ?? 'node', path, ...(isJson ? ['--json'] : []), ...words];
      process.chdir(checkout);
      // Their own signals and exit codes are those of the script.
      process.removeAllListeners('SIGINT');
      await import(pathToFileURL(path).href);
    });
  };

/**
 * The current folder, or the nearest one above that is ours and belongs to who runs this: above may lie what others wrote, as in /tmp.
 * Exported for its test.
 */
export const findCheckout = (folder: string): string | null => {
  if (isCheckout(folder)) return folder;
  for (let above = dirname(folder); above !== dirname(above); above = dirname(above)) {
    if (!isCheckout(above)) continue;
    if (isOwn(above) && isOwn(join(above, 'scripts'))) return above;
    throw new Failure(
      'refused',
      `${above} is a checkout of somebody else: its scripts are not run from a folder below it.`,
      `If you trust it: cd ${above}`,
    );
  }
  return null;
};

const isCheckout = (folder: string): boolean => {
  if (!existsSync(join(folder, 'packages', 'devnet'))) return false;
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return (manifest as { name?: unknown } | null)?.name === 'mintage';
  } catch {
    return false; // none, or of something else
  }
};

/** On Windows folders have no such owner; what lies above is mostly one's own there. */
const isOwn = (path: string): boolean =>
  process.getuid === undefined || statSync(path, { throwIfNoEntry: false })?.uid === process.getuid();

export const dev = fromCheckout('start.mjs', 'none; variables configure it (docs/configuration.md)');
export const deploy = fromCheckout('deploy.ts', 'see --help');
export const doctor = fromCheckout('doctor.ts', 'see --help');
export const admin = fromCheckout('admin.ts', 'see docs/running.md');
export const backup = fromCheckout('backup.ts', 'see --help');
export const restore = fromCheckout('restore.ts', 'see --help');
