/**
 * `npm run build:solana`: compiles the Solana program and writes it beside its sources, with a record of what it was made of. With
 * `-- --check` nothing is written: exits 1 when the committed program is not that of the sources, as far as this machine can tell.
 * With `-- --install` only the compiler is installed, by Debian's package manager.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checkStyle } from './build.ts';
import { installCompiler, isCompilerHere } from './compiler.ts';
import { compilerVersion } from './flags.ts';
import { launchpadFile, launchpadSource, readRecord, sourcesHash } from './launchpad.ts';
import { rebuild, writeLaunchpad } from './rebuild.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean' }, install: { type: 'boolean' } } });

const check = async (): Promise<void> => {
  const errors: string[] = [];
  if (readRecord().sourcesSha256 !== sourcesHash()) errors.push('The sources are not those of the committed program.');
  if (!isCompilerHere()) {
    console.log(`The bytes were not compared: Rust ${compilerVersion}, with rustfmt and Clippy, is not all here.`);
  } else {
    const { program, record } = await rebuild();
    if (!program.equals(readFileSync(launchpadFile)))
      errors.push('The sources make another program than the committed one.');
    if (record.sha256 !== readRecord().sha256) errors.push('The record is not that of the program.');
    await checkStyle(launchpadSource, 'launchpad');
  }
  for (const error of errors) console.error(`${error} Run \`npm run build:solana\`.`);
  if (errors.length > 0) process.exitCode = 1;
  else console.log('The committed program is that of the sources.');
};

const run = async (): Promise<void> => {
  if (values.check) return check();
  if (values.install) {
    if (!isCompilerHere()) await installCompiler();
    return console.log(`Rust ${compilerVersion} is installed.`);
  }
  const { size, sha256 } = await writeLaunchpad();
  console.log(`packages/solana/program/launchpad.so: ${size} bytes, sha256 ${sha256}`);
};

try {
  await run();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
