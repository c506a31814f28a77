import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The one compiler that makes the committed bytes: another version may make others of the same sources. */
export const compilerVersion = '1.96.0+dfsg1-1~deb12u2';
const rustcSays = 'rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)';

/** Debian's packages for browsers; where they put things does not depend on a path variable. */
const packages = ['rustc-web', 'rust-web-src', 'rustfmt-web', 'rust-web-clippy'];
const [rustc, rustfmt, clippy] = ['/usr/bin/rustc', '/usr/bin/rustfmt', '/usr/bin/clippy-driver'];

/** Where the sources of Rust's own crates are. */
export const rustLibrary = '/usr/src/rustc-1.96.0/library';

export interface Compiler {
  rustc: string;
  /** Null where only the compiler is installed. */
  rustfmt: string | null;
  clippy: string | null;
}

/** Null on a machine without exactly this compiler and the sources of its `core`. */
export const findCompiler = async (): Promise<Compiler | null> => {
  const [compiler, sources, formatter, linter] = await Promise.all(packages.map(isInstalled));
  if (!compiler || !sources || !existsSync(rustLibrary)) return null;
  const said = await runRust(rustc, ['--version']).catch(() => '');
  if (said.trim() !== rustcSays) return null;
  return { rustc, rustfmt: formatter ? rustfmt : null, clippy: linter ? clippy : null };
};

const isInstalled = async (name: string): Promise<boolean> => {
  const query = ['--show', '--showformat=${db:Status-Status} ${Version}', name];
  const { stdout } = await run('dpkg-query', query).catch(() => ({ stdout: '' }));
  return stdout === `installed ${compilerVersion}`;
};

/** By Debian's package manager, which wants to be run as root. */
export const installCompiler = async (): Promise<void> => {
  const wanted = packages.map((name) => `${name}=${compilerVersion}`);
  try {
    await run('apt-get', ['update'], { maxBuffer: 2 ** 26 });
    await run('apt-get', ['install', '--yes', '--no-install-recommends', ...wanted], { maxBuffer: 2 ** 26 });
  } catch (cause) {
    throw new Error(`apt-get could not install ${wanted.join(' ')}, which Debian 12 has.`, { cause });
  }
  if ((await findCompiler()) === null) throw new Error(`apt-get installed the compiler, and it is not ${rustcSays}.`);
};

/**
 * Runs one of the compiler's programs and returns what it prints. Of the environment it gets only what it needs: the unstable options
 * of a released compiler, and a path that begins with this Node, which runs the linker.
 *
 * @throws With what it said of its input.
 */
export const runRust = (program: string, args: readonly string[], folder?: string): Promise<string> => {
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, LC_ALL: 'C', RUSTC_BOOTSTRAP: '1' };
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd: folder, env, maxBuffer: 2 ** 26 }, (failure, stdout, stderr) => {
      const said = `${stdout}${stderr}`;
      if (failure === null) resolve(said);
      else reject(new Error(`${program} refused its input:\n${said === '' ? failure.message : said}`));
    });
  });
};
