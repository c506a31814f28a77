import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { devAccounts } from '../src/accounts.ts';
import { startAnvil } from '../src/anvil.ts';
import { freePort } from '../src/freePort.ts';
import { mineWhatWaits } from '../src/mineWhatWaits.ts';
import { rpcRequest } from '../src/rpc.ts';
import { createWallet } from '../src/wallet.ts';

it('error: a chain that is away is told to those who send to it: here nothing rejects that nobody listens to', async () => {
  const end = mineWhatWaits(`http://127.0.0.1:${await freePort()}`);
  await expect(end()).resolves.toBeUndefined();
});

it('default: a transaction of a wallet that the chain leaves waiting is mined', async () => {
  const cacheDir = mkdtempSync(join(tmpdir(), 'mintage-waits-'));
  const anvil = await startAnvil({ chainId: 84_532, cacheDir, heartbeat: false });
  try {
    const { alice, bob } = devAccounts();
    await rpcRequest(anvil.url, 'anvil_setBalance', [alice.address, '0x56bc75e2d63100000']);
    await rpcRequest(anvil.url, 'evm_setAutomine', [false]);
    const sent = createWallet(anvil.url, 84_532).send(alice, { to: bob.address, data: '0x', value: 1n });
    expect(await sent).toMatchObject({ status: 'success', blockNumber: 1 });
  } finally {
    await anvil.stop();
    rmSync(cacheDir, { recursive: true, force: true });
  }
}, 25_000);
