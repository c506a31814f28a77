import {
  type Eid,
  type EthRequest,
  type EvmDeployment,
  newCrossedTokens,
  newLedger,
  readSolvency,
  readSupplies,
  type Solvency,
  type SupplyReading,
} from '@mintage/protocol';
import type { Rpc } from '../rpc.ts';
import { getBlock } from './calls.ts';

/** `ChainClient.solvency`: what is known of the accounts is kept from reading to reading. */
export const booksReader = (rpc: Rpc, { launchpad, startBlock }: EvmDeployment): (() => Promise<Solvency>) => {
  const ledger = newLedger(startBlock);
  return oncePerBlock(rpc, (request) => readSolvency({ request, launchpad, ledger }));
};

/** `Bridge.supplies`, likewise. */
export const suppliesReader = (
  rpc: Rpc,
  eid: Eid,
  { startBlock }: EvmDeployment,
  tokenBridge: `0x${string}`,
): (() => Promise<SupplyReading>) => {
  const crossed = newCrossedTokens(startBlock);
  return oncePerBlock(rpc, (request) => readSupplies({ request, eid, tokenBridge, crossed }));
};

/** A reading at the latest block, kept while that is the latest; one at a time, shared by concurrent requests. */
const oncePerBlock = <Read>(rpc: Rpc, read: (request: EthRequest) => Promise<Read>): (() => Promise<Read>) => {
  let last: { hash: string | undefined; read: Read } | null = null;
  let reading: Promise<Read> | null = null;

  const request: EthRequest = (method, params) =>
    rpc.first((node) => node.request({ method, params }), { stays: true });

  const readNow = async (): Promise<Read> => {
    const newest = await rpc.request(getBlock('latest'));
    // A block that comes meanwhile has the next reading begin anew.
    if (last === null || last.hash !== newest?.hash) last = { hash: newest?.hash, read: await read(request) };
    return last.read;
  };

  return () => {
    reading ??= readNow().finally(() => {
      reading = null;
    });
    return reading;
  };
};
