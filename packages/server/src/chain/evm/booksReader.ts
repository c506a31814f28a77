import { type EthRequest, type EvmDeployment, newLedger, readSolvency, type Solvency } from '@mintage/protocol';
import type { Rpc } from '../rpc.ts';
import { getBlock } from './calls.ts';

/** `ChainClient.solvency`: what is known of the accounts is kept from reading to reading. */
export const booksReader = (rpc: Rpc, { launchpad, startBlock }: EvmDeployment): (() => Promise<Solvency>) => {
  const ledger = newLedger(startBlock);
  /** The last reading, valid while its block is the latest. */
  let last: Solvency | null = null;
  /** The reading in progress, shared by concurrent requests. */
  let reading: Promise<Solvency> | null = null;

  const request: EthRequest = (method, params) =>
    rpc.first((node) => node.request({ method, params }), { stays: true });

  const read = async (): Promise<Solvency> => {
    const newest = await rpc.request(getBlock('latest'));
    if (last === null || last.block.hash !== newest?.hash) last = await readSolvency({ request, launchpad, ledger });
    return last;
  };

  return () => {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  };
};
