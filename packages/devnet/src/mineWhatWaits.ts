import { setTimeout as sleep } from 'node:timers/promises';
import { rpcRequest } from './rpc.ts';

/**
 * Anvil's automine leaves a transaction waiting now and then, until the next one comes. Mines one that has waited for long, whoever
 * sent it: a test, a browser, the signer. While automine is switched off it mines nothing: then blocks are the test's own.
 *
 * @param patienceMs - Between two looks; far longer than a local chain takes to mine.
 * @returns Ends it.
 */
export const mineWhatWaits = (url: string, patienceMs = 5_000): (() => Promise<void>) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** @returns Whether something waits now. */
  const look = async (hasWaited: boolean): Promise<boolean> => {
    const { pending } = (await rpcRequest(url, 'txpool_status', [])) as { pending: string };
    const isWaiting = Number(pending) > 0 && (await rpcRequest(url, 'anvil_getAutomine', [])) === true;
    if (hasWaited && isWaiting) await rpcRequest(url, 'evm_mine', []);
    return isWaiting;
  };
  const run = async (): Promise<void> => {
    let hasWaited = false;
    while (!signal.aborted) {
      hasWaited = await look(hasWaited).catch(() => false); // who sends is told by his own request that the chain is away
      await sleep(patienceMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
};
