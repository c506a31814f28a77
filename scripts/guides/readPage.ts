import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { matches, type Steps } from './blocks.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Reader {
  /** What stands in a page, and what it is here: addresses of `npm start`. */
  here: Readonly<Record<string, string>>;
  /** Values of variables that a page leaves to its reader: `KEY=mintage_test_…`. */
  given: Readonly<Record<string, string>>;
  /** Opens a page of HTML that was saved in this folder, after the commands, and looks at it; by its name. */
  visits: Readonly<Record<string, (folder: string) => Promise<void>>>;
}

/**
 * Does what a page says, as its reader does: saves the files, then runs all commands in one shell, which ends at the first that fails.
 * Files are in a folder `try`, empty before, below one that stands for the project's and lies in it,
 * so that its packages are found.
 *
 * @throws Error with the line of the page and what was printed, where a command fails or prints something else than the page says.
 */
export const readPage = async ({ commands, files }: Steps, reader: Reader, signal: AbortSignal): Promise<void> => {
  const scratch = mkdtempSync(join(root, '.guides-'));
  try {
    const project = join(scratch, 'project');
    const folder = join(project, 'try');
    mkdirSync(folder, { recursive: true });
    // A refusal of the service is an error of the command, also for a reader who did not ask curl for that.
    writeFileSync(join(scratch, '.curlrc'), 'fail-with-body\n');
    for (const [name, text] of files) writeFileSync(join(folder, name), translated(text, reader));
    const script = commands.map(({ text }, index) => {
      writeFileSync(join(scratch, `${index}.sh`), translated(text, reader));
      const place = join(scratch, String(index));
      return `. '${place}.sh' > '${place}.out' 2> '${place}.err' < /dev/null`;
    });
    writeFileSync(join(scratch, 'all.sh'), `set -euo pipefail\n${script.join('\n')}\n`);
    const code = await runShell(join(scratch, 'all.sh'), project, scratch, signal);
    const said = (index: number, end: string): string => {
      const file = join(scratch, `${index}.${end}`);
      return existsSync(file) ? readFileSync(file, 'utf8') : '';
    };
    const last = commands.findLastIndex((_, index) => existsSync(join(scratch, `${index}.out`)));
    for (const [index, { prints, line }] of commands.entries()) {
      const out = Object.entries(reader.here).reduce(
        (text, [there, here]) => text.replaceAll(here, there),
        said(index, 'out'),
      );
      if (code !== 0 && index === last)
        throw new Error(`The block in line ${line} ended with ${code}:\n${out}\n${said(index, 'err')}`);
      if (prints !== null && !matches(out, prints))
        throw new Error(`The block in line ${line} printed:\n${out}\nand the page says:\n${prints}`);
    }
    if (code !== 0) throw new Error(`The shell ended with ${code} before its first command.`);
    for (const name of files.keys()) {
      if (!name.endsWith('.html')) continue;
      const visit = reader.visits[name];
      if (visit === undefined) throw new Error(`Nobody looks at ${name}.`);
      await visit(folder);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

const translated = (text: string, { here, given }: Reader): string => {
  const local = Object.entries(here).reduce((all, [there, address]) => all.replaceAll(there, address), text);
  return local.replaceAll(/^(export )?([A-Z_]+)=\S*…$/gm, (line, exported: string | undefined, name: string) => {
    const value = given[name];
    if (value === undefined) throw new Error(`Nothing is given for ${line}.`);
    return `${exported ?? ''}${name}='${value}'`;
  });
};

/** In a process group of its own: whatever a page started and did not end ends with it. */
const runShell = async (
  script: string,
  cwd: string,
  curlHome: string,
  signal: AbortSignal,
): Promise<number | string> => {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env;
  const profiles = mkdtempSync(join(tmpdir(), 'mintage-reader-')); // of this reader, not of who runs the test
  // What the project brings is on a reader's path only once the page says so.
  const path = PATH.split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const shell = spawn('bash', [script], {
    cwd,
    env: { PATH: path.join(delimiter), HOME, NODE_COMPILE_CACHE, XDG_CONFIG_HOME: profiles, CURL_HOME: curlHome },
    stdio: 'ignore',
    detached: true,
  });
  const end = (): void => {
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // all of them have ended
    }
  };
  signal.addEventListener('abort', end);
  try {
    const [code, killed] = await once(shell, 'exit');
    return code ?? killed;
  } finally {
    signal.removeEventListener('abort', end);
    end();
    rmSync(profiles, { recursive: true, force: true });
  }
};
