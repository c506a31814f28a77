import { setTimeout as sleep } from 'node:timers/promises';
import { rpcRequest } from './rpc.ts';

/** Far longer than a local chain takes to mine. */
const patienceMs = 5_000;

/**
 * Anvil's automine leaves a transaction waiting now and then. Mines one that has waited for long, for whoever sends: the wallet,
 * `cast`, and the deployment, which is made for real chains.
 *
 * @returns Ends it.
 */
export const mineWhatWaits = (url: string): (() => Promise<void>) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** @returns How many wait now. */
  const look = async (before: number): Promise<number> => {
    const { pending } = (await rpcRequest(url, 'txpool_status', [])) as { pending: string };
    if (before > 0 && Number(pending) > 0) await rpcRequest(url, 'evm_mine', []);
    return Number(pending);
  };
  const run = async (): Promise<void> => {
    let before = 0;
    while (!signal.aborted) {
      before = await look(before).catch(() => 0); // who sends is told by his own request that the chain is away
      await sleep(patienceMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
};
