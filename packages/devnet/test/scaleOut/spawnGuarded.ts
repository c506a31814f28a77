import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/**
 * Becomes the command (`$@`), and leaves a watcher behind that kills it when our end of the pipe breaks. A line in the pipe
 * tells the watcher that the command has ended already.
 */
const watched = 'exec 3<&0; { read -r line <&3 || kill -KILL $$; } >/dev/null 2>&1 & exec "$@" 3<&- </dev/null';

/** A child that does not outlive us, however we end. */
export const spawnGuarded = (
  command: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): ChildProcessWithoutNullStreams => {
  const child = spawn('sh', ['-c', watched, 'sh', command, ...words], { env, stdio: 'pipe' });
  child.stdin.on('error', () => undefined); // the watcher may be gone before us
  child.once('exit', () => child.stdin.end('\n'));
  return child;
};
