import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { System } from '@mintage/devnet';
import { testSystem } from '@mintage/devnet/testSystem';
import { packCli } from '../../../scripts/pack-cli.ts';
import { seal, unseal } from '../src/profile/sealed.ts';

/** A folder of somebody who installed the published package, and a service on this machine. */
export interface World {
  /** Where it is installed; the profiles are in `config`. */
  folder: string;
  system: System;
  /** Runs a command as a script does: no terminal, secrets in a file. */
  run(words: string[], options?: RunOptions): Promise<Ran>;
  /** Starts it, to be ended by the caller. */
  start(words: string[], env?: Record<string, string>): ChildProcess & { stdout: NodeJS.ReadableStream };
  /** Runs it on a terminal, with keys pressed one after the other, each once its sentence is on the screen. */
  onTerminal(
    words: string[],
    presses: readonly (readonly [after: string, keys: string])[],
    env?: Record<string, string>,
  ): Promise<Ran>;
  stop(): Promise<void>;
}

export interface RunOptions {
  env?: Record<string, string>;
  stdin?: string;
}

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/**
 * Seals a file of secrets again, so that a guess costs nothing: tests open it hundreds of times. The program seals at the usual cost
 * whenever it writes.
 *
 * @param isUnused - Whether no command runs that may write it too.
 */
const cheapen = async (folder: string, isUnused: () => boolean): Promise<void> => {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  for (const file of names) {
    const path = join(folder, file);
    const sealed = readFileSync(path, 'utf8');
    if (!sealed.includes('"N": 131072')) continue;
    const name = basename(file, '.json');
    const text = await unseal(sealed, password, name).catch(() => null); // a test has broken it, and wants it as it is
    if (text === null) continue;
    const cheap = await seal(text, password, name, { N: 2 ** 4, r: 8, p: 1 });
    if (isUnused()) writeFileSync(path, cheap);
  }
};

const password = 'a password';

/** @param chains - As `CHAINS` names them. */
export const startWorld = async (chains = 'base-sepolia'): Promise<World> => {
  const folder = mkdtempSync(join(tmpdir(), 'mintage-cli-'));
  const children = new Set<ChildProcess>();
  const [system, tarball] = await Promise.all([
    testSystem({ env: { CHAINS: chains, LOG_LEVEL: 'error' } }),
    packCli(folder),
  ]);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  // The keychain's library is native, and the file is what is used here.
  execFileSync('npm', ['install', '--offline', '--ignore-scripts', '--omit=optional', tarball], { cwd: folder });
  const program = join(folder, 'node_modules/.bin/mintage');
  const work = join(folder, 'work');
  mkdirSync(work);
  const environment = (env: Record<string, string> = {}) => ({
    PATH: process.env.PATH,
    XDG_CONFIG_HOME: join(folder, 'config'),
    MINTAGE_URL: system.url ?? '',
    MINTAGE_PASSWORD: password,
    ...env,
  });
  const start = (words: string[], env?: Record<string, string>) => {
    const child = spawn(process.execPath, [program, ...words], { cwd: work, env: environment(env), stdio: 'pipe' });
    children.add(child);
    return child;
  };
  const ended = async (child: ReturnType<typeof start>): Promise<Ran> => {
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    children.delete(child);
    const isUnused = () => children.size === 0;
    if (isUnused()) await cheapen(join(folder, 'config/mintage/secrets'), isUnused);
    return { code, out, err };
  };
  return {
    folder,
    system,
    start,
    async run(words, { env, stdin = '' } = {}) {
      const child = start(words, env);
      child.stdin.end(stdin);
      return ended(child);
    },
    async onTerminal(words, presses, env) {
      const command = [process.execPath, program, ...words].map((word) => `'${word}'`).join(' ');
      const child = spawn('script', ['-qefc', `stty cols 100 rows 40; exec ${command}`, '/dev/null'], {
        cwd: work,
        env: { ...environment(env), TERM: 'xterm' },
        stdio: 'pipe',
      });
      children.add(child);
      let seen = '';
      let from = 0;
      const waiting = [...presses];
      child.stdout.on('data', (chunk: Buffer) => {
        seen += chunk;
        const [next] = waiting;
        const at = next === undefined ? -1 : seen.indexOf(next[0], from);
        if (next === undefined || at === -1) return;
        waiting.shift();
        from = at + next[0].length;
        child.stdin.write(next[1]);
      });
      return ended(child);
    },
    async stop() {
      for (const child of children) child.kill('SIGKILL');
      await system.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
