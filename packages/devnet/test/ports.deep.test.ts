import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChains, startSystem } from '../src/devnet.ts';

/** Another program that has a port. */
describe('ports of the local chains and the issuer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintage-ports-'));
  let other: Server;
  let taken: number;

  beforeAll(async () => {
    other = createServer();
    await once(other.listen(0, '127.0.0.1'), 'listening');
    taken = (other.address() as AddressInfo).port;
  });
  afterAll(() => {
    other.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('L15 error: a taken ISSUER_PORT is told, and no other is taken instead', async () => {
    const started = startSystem({ env: { ISSUER_PORT: String(taken), LOG_LEVEL: 'silent' } });
    await expect(started).rejects.toThrow(`Port ${taken} is taken by another program`);
    await expect(started).rejects.toThrow('another ISSUER_PORT');
  });

  it('L15 error: a taken CHAIN_PORT is told, and the chain that is kept stays as it is', async () => {
    const options = { dataDir: folder, heartbeat: false };
    const before = await startChains(['base-sepolia'], options);
    const [chain] = before.chains;
    await chain?.rpc('anvil_mine', ['0x5']);
    const height = await chain?.rpc('eth_blockNumber');
    await before.stop();
    const firstPort = { number: taken, variable: 'CHAIN_PORT' };
    await expect(startChains(['base-sepolia'], { ...options, firstPort })).rejects.toThrow(
      `Port ${taken} is taken by another program. Stop it, or start with another CHAIN_PORT.`,
    );
    expect(existsSync(join(folder, 'base-sepolia.previous'))).toBe(false);
    const after = await startChains(['base-sepolia'], options);
    expect(await after.chains[0]?.rpc('eth_blockNumber')).toBe(height);
    await after.stop();
  });

  it.each([
    ['production', { NODE_ENV: 'production', NETWORK: 'Mainnet', CHAINS: 'base' }],
    ['one chain of two real', { CHAINS: 'base,polygon', RPC_URL_BASE: 'https://base.example' }],
  ])('H15 error: %s starts neither local chains nor the issuer', async (_, env) => {
    const home = mkdtempSync(join(folder, 'home-'));
    const started = startSystem({
      env: { ...env, ISSUER_PORT: String(taken), MINTAGE_HOME: home, LOG_LEVEL: 'silent' },
    });
    await expect(started).rejects.toThrow('These chains cannot be served');
    expect(existsSync(join(home, 'chains'))).toBe(false);
  });
});
