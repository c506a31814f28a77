import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '@mintage/devnet/patientServer';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { testChain } from '../../../test/api/testing/testApi.ts';
import { createEvmClient } from './evmClient.ts';

it('W7 error: a provider of the chain that a wrong deployment file names is not believed', async () => {
  const server = createServer(patientServer, (_, response) => response.end(JSON.stringify({ result: '0x14a34' })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options = { log: pino({ level: 'silent' }), voucherKey: null, now: Date.now };
  const real = createEvmClient(testChain('base-sepolia', url), options);
  const wrong = createEvmClient(testChain('base', url, { chainId: 84_532 }), options);
  try {
    await real.check();
    await expect(wrong.check()).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect([real.up, wrong.up]).toEqual([true, false]);
  } finally {
    await Promise.all([real.stop(), wrong.stop()]);
    server.closeAllConnections();
    server.close();
  }
});
