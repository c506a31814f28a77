import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toBase58 } from '@mintage/protocol';
import { tokenAccountOf } from '@mintage/protocol/solana';
import { afterAll, describe, expect, it } from 'vitest';
import { type LocalSolana, startLocalSolana } from '../../src/solana/localSolana.ts';

describe('a local chain in the place of a Solana cluster', () => {
  const home = mkdtempSync(join(tmpdir(), 'mintage-local-solana-'));
  const folder = join(home, 'solana-devnet');
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

  it('default: has the launchpad, fills a wallet once, and goes on where it stopped', async () => {
    const first = await startLocalSolana('solana-devnet', { folder });
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

    const again = await startLocalSolana('solana-devnet', { folder });
    running = again;
    expect(again.deployment).toEqual(first.deployment);
    expect(await dollarsOf(again)).toBe('5000000');
  });
});
