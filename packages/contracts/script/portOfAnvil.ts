import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/**
 * The port that an anvil just started listens on, as it prints it: with `--port=0` the system chooses a free one, which nobody
 * else can take in between. Its further output is dropped.
 *
 * @throws Error with anvil's own words when it ends before it listens.
 */
export const portOfAnvil = async (anvil: ChildProcessByStdio<Writable | null, Readable, Readable>): Promise<number> => {
  let words = '';
  anvil.stderr.on('data', (chunk: Buffer) => {
    words = `${words}${chunk}`.slice(-4_000);
  });
  const closed = once(anvil, 'close');
  closed.catch(() => {}); // a process that never started; awaited below
  for await (const line of createInterface(anvil.stdout)) {
    const port = /^Listening on .*:(\d+)$/.exec(line)?.[1];
    if (port === undefined) continue;
    anvil.stdout.resume();
    return Number(port);
  }
  await closed;
  throw new Error(words.trim() || 'anvil ended');
};
