import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Base58, toBase58 } from '@mintage/protocol';
import { type AccountOf, decodeAccount, launchpadAddress, tokenAccountOf } from '@mintage/protocol/solana';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { type SeedToken, seedTokensOn } from '../../src/devnet.ts';
import { type LocalSolana, startLocalSolana } from '../../src/solana/localSolana.ts';

/** How far along a token's curve is, and whether it left it. */
const stageOf = ({ tokensLeft, graduated, poolType }: AccountOf<'Launch'>): SeedToken['stage'] => {
  const onCurve = (poolType === 8n ? 800_000_000n : 750_000_000n) * 10n ** 6n;
  if (graduated) return 'graduated';
  return (onCurve - tokensLeft) * 100n >= onCurve * 75n ? 'graduating' : 'new';
};

describe('a local chain in the place of a Solana cluster', () => {
  const home = mkdtempSync(join(tmpdir(), 'mintage-local-solana-'));
  const folder = join(home, 'solana-devnet');
  const log = pino({ level: 'silent' });
  let running: LocalSolana | undefined;
  afterAll(async () => {
    await running?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const ask = async <Result>({ rpcUrl }: LocalSolana, method: string, ...params: unknown[]): Promise<Result> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = (await (await fetch(rpcUrl, { method: 'POST', body })).json()) as { result: Result };
    return answer.result;
  };
  const newest = { commitment: 'confirmed' };
  const wallet = toBase58(new Uint8Array(32).fill(7));
  const dollarsOf = async (chain: LocalSolana): Promise<string> => {
    const account = tokenAccountOf(wallet, chain.deployment.usd, 'token');
    return (await ask<{ value: { amount: string } }>(chain, 'getTokenAccountBalance', account, newest)).value.amount;
  };

  it('default: is filled with tokens in every stage, an hour and more ago', async () => {
    const filled = await startLocalSolana('solana-devnet', { folder: join(home, 'filled'), log, seed: {} });
    running = filled;
    const tokens = seedTokensOn(filled);
    const stages = [];
    for (const token of tokens) {
      const { address, creator } = await filled.seeds.placeOf(token);
      const { address: at } = launchpadAddress(filled.deployment.launchpad, 'launch', { mint: address as Base58 });
      const { value } = await ask<{ value: { data: [string] } }>(filled, 'getAccountInfo', at, {
        encoding: 'base64',
        ...newest,
      });
      const launch = decodeAccount('Launch', Buffer.from(value.data[0], 'base64'));
      expect(launch?.creator).toBe(creator);
      expect(Number(launch?.created)).toBeLessThan(Date.now() / 1000 - 3_600);
      stages.push(stageOf(launch as AccountOf<'Launch'>));
    }
    expect(stages).toEqual(tokens.map(({ stage }) => stage));
    await filled.stop();
  });

  it('default: has the launchpad, fills a wallet once, and goes on where it stopped', async () => {
    const first = await startLocalSolana('solana-devnet', { folder, log });
    running = first;
    const program = await ask<{ value: { executable: boolean } }>(first, 'getAccountInfo', first.deployment.launchpad, {
      encoding: 'base64',
    });
    expect(program.value.executable).toBe(true);
    expect(await first.hashOf(1)).toBe((await ask<{ blockhash: string }>(first, 'getBlock', 1, newest)).blockhash);
    expect(await first.hashOf(10_000)).toBeNull();
    await first.fill(wallet, 5_000_000n);
    await first.fill(wallet, 5_000_000n);
    expect(await dollarsOf(first)).toBe('5000000');
    expect((await ask<{ value: number }>(first, 'getBalance', wallet, newest)).value).toBe(1_000_000_000);
    await first.stop();

    const again = await startLocalSolana('solana-devnet', { folder, log });
    running = again;
    expect(again.deployment).toEqual(first.deployment);
    expect(await dollarsOf(again)).toBe('5000000');
  });
});
