import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Address, createPublicClient, createTestClient, http } from 'viem';
import { anvilBinary } from './anvilBinary.ts';
import { portOfAnvil } from './portOfAnvil.ts';

/** A copy of a chain as it is now, on this machine: what is done there is done nowhere else, and costs nothing. */
export interface Rehearsal {
  rpcUrl: string;
  /** Native base units that an account would have paid for gas there. */
  paidBy(account: Address): Promise<bigint>;
  stop(): Promise<void>;
}

/** More than any deployment costs. */
const plenty = 10n ** 24n;

/** A chain that answers is copied in seconds. */
const longestCopyMs = 120_000;

/**
 * @param payer - Gets coins on the copy, so that it needs none yet on the chain.
 * @throws When the chain cannot be copied: its provider does not answer, or keeps too little.
 */
export const rehearsalOf = async (rpcUrl: string, payer: Address): Promise<Rehearsal> => {
  // A block a second as well: anvil now and then leaves a transaction waiting that came while it mined.
  const args = [`--fork-url=${rpcUrl}`, '--port=0', '--block-time=1', '--mixed-mining'];
  const anvil = spawn(anvilBinary(), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(anvil, 'exit');
  const kill = (): void => void anvil.kill('SIGKILL');
  process.once('exit', kill); // also of a process that a signal ends meanwhile
  const stop = async (): Promise<void> => {
    process.removeListener('exit', kill);
    kill();
    await ended;
  };
  let isTooSlow = false;
  const giveUp = setTimeout(() => {
    isTooSlow = true;
    kill();
  }, longestCopyMs);
  // It reads the chain before it listens.
  const port = await portOfAnvil(anvil)
    .catch((cause: Error) => {
      process.removeListener('exit', kill);
      const reason = isTooSlow ? `its provider ${rpcUrl} is too slow.` : cause.message;
      throw new Error(`The chain cannot be copied: ${reason}`, { cause });
    })
    .finally(() => clearTimeout(giveUp));
  const url = `http://127.0.0.1:${port}`;
  const client = createPublicClient({ transport: http(url), cacheTime: 0 });
  try {
    const test = createTestClient({ mode: 'anvil', transport: http(url) });
    await test.setLoggingEnabled(false);
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
