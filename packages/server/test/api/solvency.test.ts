import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type DevChain, startSystem } from '@mintage/devnet';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { encodeMint, newLedger, readSolvency } from '@mintage/protocol';
import { encodeFunctionData, erc20Abi, numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { solvency } from '../../src/api/handlers/solvency.ts';
import type { RunningApi } from '../../src/api/main.ts';

/** Seeded chains with tokens in every stage, dollars of 6 and of 18 decimals: the API and the script read the same books. */

const slugs = ['base-sepolia', 'bnb-testnet'] as const;
const script = fileURLToPath(new URL('../../../../scripts/solvency.ts', import.meta.url));

let closers: (() => Promise<void>)[] = [];
let chains: DevChain[];
let api: RunningApi;

beforeAll(async () => {
  const database = await testDatabase();
  closers = [database.stop];
  const env = { CHAINS: slugs.join(','), DATABASE_URL: database.url, LOG_LEVEL: 'silent' };
  const system = await startSystem({ env, heartbeat: false });
  closers.unshift(system.stop);
  chains = system.chains;
  api = system.api as RunningApi;
});
afterAll(async () => {
  for (const close of closers) await close();
});

const ask = async (query = '') => {
  const answer = await api.app.inject({ method: 'GET', url: `/functions/v1/solvency${query}` });
  return { status: answer.statusCode, body: answer.json() };
};
const booksOf = async (chain: DevChain) => (await ask(`?chainSlug=${chain.chain.slug}`)).body.chains[0].books;

/** The script, as anyone runs it. */
const fromOutside = ({ rpcUrl, deployment }: DevChain, ...more: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const args = [script, '--rpc', rpcUrl, '--launchpad', deployment.launchpad, ...more];
    execFile(process.execPath, args, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });

const surplusIn = (output: string): string | undefined => /^surplus +(\S+)/m.exec(output)?.[1];

describe('solvency', () => {
  it('default: every dollar of every chain is owed to somebody, and none is missing', async () => {
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(body.chains.map(({ slug }: { slug: string }) => slug)).toEqual(slugs);
    for (const [index, { books, dollarToken }] of body.chains.entries()) {
      const { deployment } = chains[index] as DevChain;
      expect(dollarToken).toMatchObject({ address: deployment.usd, decimals: deployment.usdDecimals });
      expect(books).toMatchObject({ surplusUsd: '0', surplusUsdRaw: '0', solvent: true });
      const { heldUsdRaw, reserveUsdRaw, floorUsdRaw, treasuryShareUsdRaw, creditsUsdRaw } = books;
      const owed = [reserveUsdRaw, floorUsdRaw, treasuryShareUsdRaw, creditsUsdRaw].map(BigInt);
      expect(owed.reduce((sum, part) => sum + part)).toBe(BigInt(heldUsdRaw));
      // The seed leaves something in every part, so that none is forgotten unseen.
      for (const part of owed) expect(part).toBeGreaterThan(0n);
      const stages = books.tokens.map(({ graduated }: { graduated: boolean }) => graduated);
      expect(stages).toEqual(expect.arrayContaining([true, false]));
      const reserves = books.tokens.map((token: { reserveUsdRaw: string }) => BigInt(token.reserveUsdRaw));
      expect(reserves.reduce((sum: bigint, part: bigint) => sum + part)).toBe(BigInt(reserveUsdRaw));
    }
  });

  it('behavior: the block is the one that the sums are of', async () => {
    for (const chain of chains) {
      const { blockNumber, blockHash } = await booksOf(chain);
      const block = await chain.rpc('eth_getBlockByNumber', [numberToHex(blockNumber), false]);
      expect(block).toMatchObject({ hash: blockHash });
    }
  });

  it('behavior: a page of tokens, sums of all', async () => {
    const all = await booksOf(chains[0] as DevChain);
    const { body } = await ask('?chainSlug=base-sepolia&limit=2&offset=1');
    const [{ books }] = body.chains;
    expect(books).toEqual({ ...all, tokens: all.tokens.slice(1, 3) });
    expect(books.tokenCount).toBe(all.tokens.length);
  });

  it('behavior: the database has no say', async () => {
    const { context } = api;
    const blind = { chains: context.chains, log: context.log, now: context.now } as typeof context;
    const answer = await solvency.handle(
      blind,
      { limit: 100, offset: 0 },
      { caller: null, requestId: 'blind', address: '' },
    );
    expect(answer).toEqual((await ask()).body);
  });

  it('behavior: the logs may come in pages of any size, and be read once more', async () => {
    const { rpc, deployment } = chains[0] as DevChain;
    const request = (method: string, params: readonly unknown[]) => rpc(method, params);
    const [whole, pieces] = [newLedger(0), newLedger(0)];
    const options = { request, launchpad: deployment.launchpad };
    const books = await readSolvency({ ...options, ledger: whole });
    expect(await readSolvency({ ...options, ledger: pieces, pageBlocks: 7 })).toEqual(books);
    expect(await readSolvency({ ...options, ledger: pieces, pageBlocks: 3 })).toEqual(books);
  });

  it('behavior: a provider that refuses long ranges is asked for shorter ones', async () => {
    const { rpc, deployment } = chains[0] as DevChain;
    const lengths: number[] = [];
    const request = (method: string, params: readonly unknown[]): Promise<unknown> => {
      const [{ fromBlock = '0x0', toBlock = '0x0' }] = params as [{ fromBlock?: string; toBlock?: string }];
      const blocks = Number(toBlock) - Number(fromBlock) + 1;
      if (method === 'eth_getLogs') lengths.push(blocks);
      return method === 'eth_getLogs' && blocks > 30 ? Promise.reject(new Error('range')) : rpc(method, params);
    };
    const books = await readSolvency({ request, launchpad: deployment.launchpad, ledger: newLedger(0) });
    expect(books.surplusUsd).toBe(0n);
    expect(lengths[0]).toBeGreaterThan(30);
    expect(lengths.at(-1)).toBeLessThanOrEqual(30);
  });

  it('behavior: anyone computes the same from outside', async () => {
    for (const chain of chains) {
      const books = await booksOf(chain);
      const { code, output } = await fromOutside(chain, '--tokens');
      expect({ code, surplus: surplusIn(output) }).toEqual({ code: 0, surplus: '0' });
      expect(output).toContain(`block ${books.blockNumber} ${books.blockHash}`);
      for (const sum of ['heldUsd', 'reserveUsd', 'floorUsd', 'treasuryShareUsd', 'creditsUsd'])
        expect(output).toContain(` ${books[sum]} `);
      for (const { token } of books.tokens) expect(output).toContain(token.slice(0, 36));
    }
  });

  it('behavior: a donation is surplus, to the wei', async () => {
    for (const chain of chains) {
      const { wallet, accounts, deployment } = chain;
      await wallet.send(accounts.alice, { to: deployment.usd, data: encodeMint(deployment.launchpad, 7n) });
      expect(await booksOf(chain)).toMatchObject({ surplusUsdRaw: '7', solvent: true });
      expect(surplusIn((await fromOutside(chain)).output)).toBe(
        deployment.usdDecimals === 6 ? '0.000007' : '0.000000000000000007',
      );
    }
  });

  it('error: one wei too little is a red light', async () => {
    for (const chain of chains) {
      const { rpc, deployment, accounts } = chain;
      // No code path does this: the chain is told to let the Launchpad itself send.
      const data = encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [accounts.bob.address, 8n],
      });
      await rpc('anvil_setBalance', [deployment.launchpad, numberToHex(10n ** 18n)]);
      await rpc('anvil_impersonateAccount', [deployment.launchpad]);
      await rpc('eth_sendTransaction', [{ from: deployment.launchpad, to: deployment.usd, data }]);
      await expect.poll(async () => (await booksOf(chain)).surplusUsdRaw).toBe('-1');
      expect(await booksOf(chain)).toMatchObject({ solvent: false });
      const { code, output } = await fromOutside(chain);
      expect(code).toBe(1);
      expect(output).toContain('NOT SOLVENT');
    }
  });

  it('error: a chain that is not served, a page that is none, a script without arguments', async () => {
    expect((await ask('?chainSlug=monad')).body).toMatchObject({ code: 'UNSUPPORTED_CHAIN' });
    expect((await ask('?limit=many')).body).toMatchObject({ code: 'INVALID_PARAMETERS', details: [{ path: 'limit' }] });
    const { rpcUrl } = chains[0] as DevChain;
    const nowhere = { rpcUrl, deployment: { launchpad: '0x' } } as unknown as DevChain;
    expect(await fromOutside(nowhere)).toMatchObject({ code: 1, output: expect.stringContaining('--rpc URL') });
  });

  it('error: a chain that does not answer has no books', async () => {
    const [chain, other] = chains as [DevChain, DevChain];
    await chain.stop();
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(body.chains[0].books).toBeNull();
    expect(body.chains[1].books.blockNumber).toBe(Number(await other.rpc('eth_blockNumber')));
  });
});
