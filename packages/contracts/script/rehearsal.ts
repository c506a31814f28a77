import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, createPublicClient, createTestClient, http } from 'viem';
import { anvilBinary } from './anvilBinary.ts';

/** A copy of a chain as it is now, on this machine: what is done there is done nowhere else, and costs nothing. */
export interface Rehearsal {
  rpcUrl: string;
  /** Native base units that an account would have paid for gas there. */
  paidBy(account: Address): Promise<bigint>;
  stop(): Promise<void>;
}

/** More than any deployment costs. */
const plenty = 10n ** 24n;

/**
 * @param payer - Gets coins on the copy, so that it needs none yet on the chain.
 * @throws When the chain cannot be copied: its provider does not answer, or keeps too little.
 */
export const rehearsalOf = async (rpcUrl: string, payer: Address): Promise<Rehearsal> => {
  const port = await freePort();
  // A block a second as well: anvil now and then leaves a transaction waiting that came while it mined.
  const args = [`--fork-url=${rpcUrl}`, `--port=${port}`, '--quiet', '--block-time=1', '--mixed-mining'];
  const anvil = spawn(anvilBinary(), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  anvil.stderr.on('data', (chunk: Buffer) => (words = `${words}${chunk}`.slice(-2_000)));
  const ended = once(anvil, 'exit');
  const kill = (): void => void anvil.kill('SIGKILL');
  process.once('exit', kill); // also of a process that a signal ends meanwhile
  const stop = async (): Promise<void> => {
    process.removeListener('exit', kill);
    anvil.kill('SIGKILL');
    await ended;
  };
  const url = `http://127.0.0.1:${port}`;
  const client = createPublicClient({ transport: http(url, { retryCount: 0, timeout: 5_000 }), cacheTime: 0 });
  try {
    for (let tries = 0; ; tries += 1) {
      if (anvil.exitCode !== null) throw new Error(`The chain cannot be copied: ${words.trim()}`);
      const isUp = await client.getChainId().then(
        () => true,
        () => false, // not yet: it reads the chain first
      );
      if (isUp) break;
      if (tries === 600) throw new Error(`The chain cannot be copied: its provider ${rpcUrl} is too slow.`);
      await sleep(100);
    }
    const test = createTestClient({ mode: 'anvil', transport: http(url) });
    await test.setBalance({ address: payer, value: plenty });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    rpcUrl: url,
    paidBy: async (account) => plenty - (await client.getBalance({ address: account })),
    stop,
  };
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
};
