import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Script, type ScriptedProvider, startScriptedProvider } from '@mintage/devnet/scriptedProvider';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { chainBySlug, type EvmDeployment } from '@mintage/protocol';
import { createClient, session, signIn } from '@mintage/sdk';
import { configFromEnv, createLog, type RunningApi, type ServedChain, startApi } from '@mintage/server/api';
import type { RunningDatabase } from '@mintage/server/db';
import { clientsOf } from '@mintage/server/families';
import { memoryKek } from '@mintage/server/keys';
import { type Hex, keccak256, numberToHex, parseTransaction } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const slug = 'base-sepolia';
const chain = chainBySlug(slug);
const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const word = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`;
const usd = address('1');
const deployment: EvmDeployment = {
  chainId: chain.chainId as number,
  startBlock: 1,
  launchpad: address('a'),
  poolHook: address('a'),
  tokenFactory: address('b'),
  lens: address('c'),
  tokenImplementation: address('d'),
  tokenBridge: null,
  layerZeroEndpoint: null,
  usd,
  usdDecimals: 6,
  usdSymbol: 'USDC',
  usdMintable: true,
  poolManager: address('2'),
  venue: 'uniswap_v4',
  exchange: null,
  create3Factory: address('3'),
  owner: address('4'),
  codeHashes: {},
};

const program = fileURLToPath(new URL('../src/mintage.ts', import.meta.url));
const minedAt = 40;

/** A wallet of one's own on a chain whose provider says that it takes and holds whatever is sent to it. */
describe('a wallet of one’s own', () => {
  const home = mkdtempSync(join(tmpdir(), 'mintage-cli-own-'));
  const privateKey = generatePrivateKey();
  const account = privateKeyToAccount(privateKey);
  let database: RunningDatabase;
  let provider: ScriptedProvider;
  let api: RunningApi;
  let apiKey: string;
  /** Signed bytes that the provider got. */
  const sent: Hex[] = [];
  /** The newest block that is never undone; it moves once the service was asked about the transaction so often. */
  const finality = { finalized: minedAt - 1, asked: 0, after: 2 };
  const setFinalized = async (finalized: number): Promise<void> => {
    finality.finalized = finalized;
    await database.db.updateTable('chain').set({ finalized }).execute();
  };

  const block = { number: numberToHex(minedAt), hash: word(4), parentHash: word(3), timestamp: '0x64' };
  const script: Script = {
    eth_chainId: numberToHex(deployment.chainId),
    eth_blockNumber: numberToHex(minedAt),
    eth_getBlockByNumber: { ...block, baseFeePerGas: '0x64', gasLimit: '0x1c9c380', transactions: [] },
    eth_getTransactionCount: '0x0',
    eth_maxPriorityFeePerGas: '0x1',
    eth_estimateGas: '0x10000',
    eth_call: '0x',
    eth_sendRawTransaction: (raw: Hex) => {
      sent.push(raw);
      return keccak256(raw);
    },
    eth_getTransactionReceipt: (hash: Hex) => ({
      transactionHash: hash,
      transactionIndex: '0x0',
      blockNumber: block.number,
      blockHash: block.hash,
      from: account.address,
      to: usd,
      cumulativeGasUsed: '0xa',
      gasUsed: '0xa',
      effectiveGasPrice: '0x3',
      status: '0x1',
      contractAddress: null,
      logsBloom: '0x',
      logs: [],
      type: '0x2',
    }),
    // The command asks for the receipt alone: this is asked by the service.
    eth_getTransactionByHash: async (hash: Hex) => {
      finality.asked += 1;
      if (finality.asked === finality.after) await setFinalized(minedAt);
      return {
        hash,
        from: account.address,
        to: usd,
        input: '0x',
        value: '0x0',
        gas: '0x10000',
        nonce: '0x0',
        blockHash: block.hash,
        blockNumber: block.number,
        transactionIndex: '0x0',
        type: '0x2',
        gasPrice: '0x3',
        v: '0x0',
        r: word(1),
        s: word(1),
      };
    },
  };

  beforeAll(async () => {
    database = await testDatabase();
    provider = await startScriptedProvider(script);
    const served: ServedChain = { chain, deployment, rpcUrls: [provider.url], local: true };
    const { eid, slug: name } = chain;
    await database.db
      .insertInto('chain')
      .values({ eid, slug: name, usd, usd_decimals: 6, launchpad: deployment.launchpad, finalized: minedAt - 1 })
      .execute();
    const rates = JSON.stringify({ anonymous: 1e6, authenticated: 1e6, signIn: 1e6 });
    api = await startApi({
      config: configFromEnv({ PORT: '0', LOG_LEVEL: 'silent', RATE_LIMITS: rates, NETWORK: 'Testnet' }),
      db: database.db,
      chains: [served],
      createClient: await clientsOf([served]),
      keys: memoryKek(randomBytes(32)),
      log: createLog('silent'),
    });
    const client = createClient({ baseUrl: api.url, network: 'Testnet' });
    client.use(session(await signIn(client, account)));
    ({ key: apiKey } = await client.createApiKey({ name: 'cli' }));
  });
  afterAll(async () => {
    await api?.stop();
    provider?.stop();
    await database?.stop();
    rmSync(home, { recursive: true, force: true });
  });
  afterEach(async () => {
    sent.splice(0);
    finality.asked = 0;
    await setFinalized(minedAt - 1);
  });

  const run = (...words: string[]) => runWith({ MINTAGE_API_KEY: apiKey, MINTAGE_PRIVATE_KEY: privateKey }, ...words);
  const runWith = async (own: Record<string, string>, ...words: string[]) => {
    const env = { MINTAGE_URL: api.url, ...own };
    const child = spawn(process.execPath, [program, ...words], {
      env: { PATH: process.env.PATH, XDG_CONFIG_HOME: home, MINTAGE_CHAIN: slug, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { out, err, code: code as number };
  };

  it.each([['mint-usd'], ['send', account.address, '0.1']])(
    'error: %s without a profile says how to make one, not how to confirm',
    async (...words) => {
      const { code, err } = await runWith({}, ...words);
      expect(code).not.toBe(0);
      expect(err).toContain('mintage init');
      expect(err).not.toContain('--yes');
    },
  );

  it('error: quote says what comes first', async () => {
    const { code, err } = await runWith({}, 'quote', 'paper-boat', 'buy', '10');
    expect([code, err]).toEqual([2, expect.stringContaining('Allowed choices are buy, sell')]);
  });

  it('default: signs what was shown, sends it, and ends once it is mined', async () => {
    const { code, out, err } = await run('mint-usd', '25', '--yes');
    expect([code, err]).toEqual([0, expect.stringContaining('Transaction 0x')]);
    expect(out).toMatch(/Minted +25 test dollars/);
    expect(sent.map((raw) => parseTransaction(raw))).toEqual([
      expect.objectContaining({ to: usd, chainId: deployment.chainId, nonce: 0 }),
    ]);
    expect(finality.finalized).toBeLessThan(minedAt);
  });

  it('behavior: with --wait final it ends once the block is never undone any more', async () => {
    const { code, err } = await run('mint-usd', '--yes', '--wait', 'final');
    expect([code, err]).toEqual([0, expect.stringContaining('Transaction 0x')]);
    expect([sent.length, finality.finalized]).toEqual([1, minedAt]);
  });

  it('behavior: a dry run sends nothing, and nothing is sent that nobody confirmed', async () => {
    expect(await run('mint-usd', '25', '--dry-run')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Mints +25/),
    });
    expect(await run('mint-usd', '25')).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    expect(sent).toEqual([]);
  });
});
