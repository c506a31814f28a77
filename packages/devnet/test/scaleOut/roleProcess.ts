import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnGuarded } from './spawnGuarded.ts';

const ownCheckout = fileURLToPath(new URL('../../../../', import.meta.url));

/** One process of a deployment, as an operator starts it; it may be killed and started again. */
export interface RoleProcess {
  name: string;
  /**
   * Resolves once it says that it is ready.
   *
   * @param checkout - Root of the checkout that it runs from now on; absent: the one of before.
   * @throws With its last words when it ends instead.
   */
  start(checkout?: string): Promise<void>;
  /** Resolves with the exit code, null after SIGKILL. */
  end(signal: 'SIGKILL' | 'SIGTERM' | 'SIGUSR2'): Promise<number | null>;
  /** Null while it does not run. */
  pid(): number | null;
  /** Everything that it said, in all its lives. */
  said(): string;
}

/** @param firstCheckout - Folder that it is started from, by the Node that is installed there; absent: this one. */
export const roleProcess = (
  name: string,
  env: Readonly<Record<string, string>>,
  firstCheckout = ownCheckout,
): RoleProcess => {
  let running = firstCheckout;
  let child: ChildProcess | null = null;
  let words = '';
  return {
    name,
    pid: () => (child === null || child.exitCode !== null || child.signalCode !== null ? null : (child.pid as number)),
    said: () => words,
    async start(checkout = running) {
      running = checkout;
      const node = running === ownCheckout ? process.execPath : join(running, 'node_modules/.bin/node');
      const started = spawnGuarded(node, [join(running, 'scripts/start.mjs')], { ...process.env, ...env });
      child = started;
      const exited = once(started, 'exit');
      const ready = new Promise<void>((resolve) => {
        let life = '';
        const hear = (chunk: Buffer): void => {
          words += chunk;
          life += chunk;
          if (life.includes('Mintage is ready')) resolve();
        };
        started.stdout.on('data', hear);
        started.stderr.on('data', hear);
      });
      const ended = exited.then(([code, signal]) => {
        throw new Error(`${name} ended with ${code ?? signal}: ${words.slice(-2_000)}`);
      });
      ended.catch(() => undefined); // once it is ready, its end is no error of the start
      await Promise.race([ready, ended]);
    },
    async end(signal) {
      const ending = child;
      if (ending === null) return null;
      if (ending.exitCode === null && ending.signalCode === null) {
        const exited = once(ending, 'exit');
        ending.kill(signal);
        await exited;
      }
      return ending.exitCode;
    },
  };
};
