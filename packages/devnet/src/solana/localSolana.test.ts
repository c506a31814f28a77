import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Base58 } from '@mintage/protocol';
import { launchpadAddress } from '@mintage/protocol/solana';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedTokensOn } from '../seedTokens.ts';
import { type LocalSolana, startLocalSolana } from './localSolana.ts';

describe('startLocalSolana', () => {
  const home = mkdtempSync(join(tmpdir(), 'mintage-local-solana-'));
  let chain: LocalSolana;
  beforeAll(async () => {
    chain = await startLocalSolana('solana-devnet', { folder: join(home, 'empty'), log: pino({ level: 'silent' }) });
  });
  afterAll(async () => {
    await chain?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const newest = { commitment: 'confirmed', encoding: 'base64' };
  const ask = async <Result>(method: string, ...params: unknown[]): Promise<Result> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = (await (await fetch(chain.rpcUrl, { method: 'POST', body })).json()) as { result: Result };
    return answer.result;
  };
  const isThere = async (account: Base58): Promise<boolean> =>
    (await ask<{ value: object | null }>('getAccountInfo', account, newest)).value !== null;

  it('default: the launchpad is there, and without a seed no token', async () => {
    const { launchpad } = chain.deployment;
    expect([await isThere(launchpad), await isThere(launchpadAddress(launchpad, 'config', {}).address)]).toEqual([
      true,
      true,
    ]);
    const [token] = seedTokensOn(chain);
    if (token === undefined) throw new Error('nothing would be seeded');
    const { address: mint } = await chain.seeds.placeOf(token);
    expect(await isThere(launchpadAddress(launchpad, 'launch', { mint: mint as Base58 }).address)).toBe(false);
  });
});
