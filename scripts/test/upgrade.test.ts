import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@mintage/devnet/freePort';
import { keepDeployments } from '@mintage/devnet/keepDeployments';
import { rpcRequest } from '@mintage/devnet/rpc';
import { emptyDatabase } from '@mintage/devnet/testDatabase';
import type { OperationName } from '@mintage/protocol/operations';
import { createClosers } from '@mintage/server';
import { configFromEnv } from '@mintage/server/config';
import { encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { devAccounts } from '../../packages/devnet/src/accounts.ts';
import { type Anvil, startAnvil } from '../../packages/devnet/src/anvil.ts';
import { createWallet } from '../../packages/devnet/src/wallet.ts';
import { roleProcess } from '../../packages/devnet/test/scaleOut/roleProcess.ts';
import { fileOf, loadRelease, releases } from '../../packages/server/test/db/release.ts';
import { sealAccess } from '../adminKeys.ts';
import { openService, type Service } from '../demo/service.ts';

/** What `npm run record:release` wrote of what it asked. */
interface Before {
  chain: string;
  apiKey: string;
  wallet: string;
  kek: string;
  answers: { operation: OperationName; input: object; answer: object }[];
}

const read = (release: string, file: 'answers.json' | 'deployment.json') =>
  JSON.parse(readFileSync(fileOf(release, file), 'utf8'));

/** Without addresses, which begin with the service's own, and what every call changes. */
const lasting = (answer: object): object =>
  JSON.parse(JSON.stringify(answer), (key, value) =>
    ['logo', 'logo_url', 'lastUsedAt'].includes(key) ? undefined : value,
  );

/** This version on the database of an earlier one, which it brings up to date when it starts, and on the chain as that one left it. */
describe.each(releases)('the service on what %s has left', (release) => {
  const closers = createClosers();
  const before: Before = read(release, 'answers.json');
  let anvil: Anvil;
  let service: Service;
  const deployment = read(release, 'deployment.json');
  const token = 'paper-boat';

  beforeAll(async () => {
    const home = mkdtempSync(join(tmpdir(), 'mintage-upgrade-'));
    closers.add(() => rmSync(home, { recursive: true, force: true }));
    const database = await emptyDatabase();
    closers.add(database.stop);
    await loadRelease(database.db, release);
    keepDeployments(home, [deployment]);
    writeFileSync(join(home, 'kek'), before.kek, { mode: 0o600 });
    const stateFile = fileOf(release, 'chain.json');
    anvil = await startAnvil({
      chainId: deployment.chainId,
      stateFile,
      frozen: true,
      cacheDir: join(home, 'cache'),
      heartbeat: true,
    });
    closers.add(anvil.stop);
    await rpcRequest(anvil.url, 'evm_mine', []);

    const port = await freePort();
    const process = roleProcess('service', {
      DEVNET: '0',
      DATABASE_URL: database.url,
      MINTAGE_HOME: home,
      CHAINS: before.chain,
      RPC_URL_BASE_SEPOLIA: anvil.url,
      PORT: String(port),
      KEK_FILE: join(home, 'kek'),
      LOG_LEVEL: 'error',
    });
    closers.add(async () => {
      await process.end('SIGKILL');
    });
    await process.start();
    await sealAccess(database.db.withTables(), ['unsealed'], configFromEnv({ MINTAGE_HOME: home }));
    service = openService(`http://127.0.0.1:${port}`);
  });
  afterAll(() => closers.closeAll());

  it.each(before.answers)('$operation answers as it did before', async ({ operation, input, answer }) => {
    const now = await service(operation, input, before.apiKey);
    expect(lasting(now)).toMatchObject(lasting(answer));
  });

  it('its API key has the wallet sign that was sealed before', async () => {
    const to = `0x${randomBytes(20).toString('hex')}`;
    const { intentId } = await service('sendTransaction', { to, amount: '1', chainSlug: before.chain }, before.apiKey);
    const status = async () => (await service('transactionStatus', { intentId }, before.apiKey)).status;
    await expect.poll(status).toMatch(/^(mined|final)$/);
    expect(await rpcRequest(anvil.url, 'eth_getBalance', [to, 'latest'])).toBe('0x1');
  });
  it('its index goes on: a buy is added to what was held', async () => {
    const { carol } = devAccounts();
    const held = async () => {
      const { data } = await service('getUserPortfolio', {}, before.apiKey);
      return data.tokens.find(({ slug }) => slug === token)?.chainBalances[0];
    };
    const earlier = await held();
    const order = {
      tokenId: token,
      chainSlug: before.chain,
      direction: 'buy',
      buyAmountUSD: 10,
      userAddress: carol.address,
    };
    const { transactions } = await service('tradeToken', order, before.apiKey);
    const wallet = createWallet(anvil.url, deployment.chainId);
    for (const { to, data } of transactions) await wallet.send(carol, { to: to as Hex, data: data as Hex });
    const balanceOf = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [carol.address] });
    const balance = await rpcRequest(anvil.url, 'eth_call', [{ to: earlier?.tokenAddress, data: balanceOf }, 'latest']);
    expect(BigInt(balance as Hex)).toBeGreaterThan(BigInt(earlier?.balance ?? 0));
    await expect.poll(async () => (await held())?.balance).toBe(String(BigInt(balance as Hex)));
  });
});
