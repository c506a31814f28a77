import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { numberToHex } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { devAccounts } from '../src/accounts.ts';
import { type Anvil, startAnvil } from '../src/anvil.ts';
import { freePort } from '../src/freePort.ts';
import { mineWhatWaits } from '../src/mineWhatWaits.ts';
import { changing, startProxy } from '../src/proxy.ts';
import { rpcRequest } from '../src/rpc.ts';

const cacheDir = mkdtempSync(join(tmpdir(), 'mintage-waits-'));
const { alice, bob } = devAccounts();
let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 84_532, cacheDir, heartbeat: false });
  await rpc('anvil_setBalance', alice.address, numberToHex(10n ** 20n));
});
afterAll(async () => {
  await anvil.stop();
  rmSync(cacheDir, { recursive: true, force: true });
});

const rpc = (method: string, ...params: unknown[]): Promise<unknown> => rpcRequest(anvil.url, method, params);
const height = async (): Promise<number> => Number(await rpc('eth_blockNumber'));
/** Sends without automine, as if the chain had left it waiting. */
const leaveOneWaiting = async (): Promise<void> => {
  await rpc('evm_setAutomine', false);
  const fees = { type: 'eip1559', maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 0n } as const;
  const nonce = Number(await rpc('eth_getTransactionCount', alice.address, 'pending'));
  const transfer = { ...fees, chainId: 84_532, to: bob.address, value: 1n, gas: 21_000n, nonce };
  await rpc('eth_sendRawTransaction', await alice.signTransaction(transfer));
};

it('error: a chain that is away is told to those who send to it: here nothing rejects that nobody listens to', async () => {
  const end = mineWhatWaits(`http://127.0.0.1:${await freePort()}`);
  await expect(end()).resolves.toBeUndefined();
});

/** The chain, which says that it mines by itself, and how often it was asked what waits. */
const startWatched = async (isMining: boolean) => {
  const proxy = await startProxy(anvil.url);
  let looks = 0;
  proxy.intercept = (calls, forward) => {
    if (calls[0]?.method === 'txpool_status') looks += 1;
    return changing('anvil_getAutomine', () => isMining)(calls, forward);
  };
  const end = mineWhatWaits(proxy.url, 5);
  const stop = async (): Promise<void> => {
    await end();
    await proxy.stop();
  };
  return { looks: () => looks, stop };
};

it('default: a transaction that a chain leaves waiting is mined', async () => {
  const before = await height();
  await leaveOneWaiting();
  const { stop } = await startWatched(true);
  await expect.poll(height).toBe(before + 1);
  await stop();
});

it('behavior: without automine it waits for the test', async () => {
  const before = await height();
  await leaveOneWaiting();
  const { looks, stop } = await startWatched(false);
  await expect.poll(looks).toBeGreaterThan(5);
  await stop();
  expect(await height()).toBe(before);
});
