import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { compilerVersion } from './flags.ts';

const run = promisify(execFile);

/** The compiler's answer when it is asked for its version. */
const rustcSays = 'rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)';

/** Debian's packages for browsers; where they put things does not depend on a path variable. */
export const rustPackages = ['rustc-web', 'rust-web-src', 'rustfmt-web', 'rust-web-clippy'];
export const rustc = '/usr/bin/rustc';
export const rustfmt = '/usr/bin/rustfmt';
export const clippy = '/usr/bin/clippy-driver';

/** Where the sources of Rust's own crates are. */
export const rustLibrary = '/usr/src/rustc-1.96.0/library';

/** Whether this machine has exactly the compiler of the committed program, the sources of its `core`, its formatter and its linter. */
export const isCompilerHere = (): boolean => {
  const query = ['--show', '--showformat=${db:Status-Status} ${Version}\n', ...rustPackages];
  const installed = ask('dpkg-query', query);
  return (
    installed === `installed ${compilerVersion}\n`.repeat(rustPackages.length) &&
    existsSync(rustLibrary) &&
    ask(rustc, ['--version']).trim() === rustcSays
  );
};

const ask = (program: string, args: readonly string[]): string =>
  spawnSync(program, args, { encoding: 'utf8' }).stdout ?? '';

/** By Debian's package manager, which wants to be run as root. */
export const installCompiler = async (): Promise<void> => {
  const wanted = rustPackages.map((name) => `${name}=${compilerVersion}`);
  try {
    await run('apt-get', ['update'], { maxBuffer: 2 ** 26 });
    await run('apt-get', ['install', '--yes', '--no-install-recommends', ...wanted], { maxBuffer: 2 ** 26 });
  } catch (cause) {
    throw new Error(`apt-get could not install ${wanted.join(' ')}, which Debian 12 has.`, { cause });
  }
  if (!isCompilerHere()) throw new Error(`apt-get installed the compiler, and it is not ${rustcSays}.`);
};

/**
 * Runs one of the compiler's programs and returns what it prints. Of the environment it gets only what it needs: the unstable options
 * of a released compiler, and a path that begins with this Node, which runs the linker.
 *
 * @throws Without the pinned compiler, with the command that installs it; with what the program said of its input.
 */
export const runRust = async (program: string, args: readonly string[], folder?: string): Promise<string> => {
  if (!isCompilerHere())
    throw new Error(`Rust ${compilerVersion} of Debian 12 is not here: npm run build:solana -- --install`);
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, LC_ALL: 'C', RUSTC_BOOTSTRAP: '1' };
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd: folder, env, maxBuffer: 2 ** 26 }, (failure, stdout, stderr) => {
      const said = `${stdout}${stderr}`;
      if (failure === null) resolve(said);
      else reject(new Error(`${program} refused its input:\n${said === '' ? failure.message : said}`));
    });
  });
};
