import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import type { Configure } from '../command/group.ts';
import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../shell.ts';

/**
 * Commands for who runs a deployment. Their code is no part of the published package, which stays small: it is loaded from the
 * checkout that the current folder lies in.
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
      const isJson = command.opts<GlobalOptions>().json && !words.includes('--json');
      process.argv = [process.argv[0] ?? 'node', path, ...(isJson ? ['--json'] : []), ...words];
      process.chdir(checkout);
      // Their own signals and exit codes are those of the script.
      process.removeAllListeners('SIGINT');
      await import(pathToFileURL(path).href);
    });
  };

const findCheckout = (folder: string): string | null => {
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest) && existsSync(join(folder, 'packages', 'devnet'))) {
    const { name } = JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string };
    if (name === 'mintage') return folder;
  }
  return dirname(folder) === folder ? null : findCheckout(dirname(folder));
};

export const dev = fromCheckout('start.mjs', 'none; variables configure it (docs/configuration.md)');
export const deploy = fromCheckout('deploy.ts', 'see --help');
export const doctor = fromCheckout('doctor.ts', 'see --help');
export const admin = fromCheckout('admin.ts', 'see docs/running.md');
