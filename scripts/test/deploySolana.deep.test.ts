import { execFile, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type SolanaNode, startSolanaNode } from '@mintage/devnet/solana';
import { toBase58 } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../deploy-solana.ts', import.meta.url));

describe('npm run deploy:solana', () => {
  const home = mkdtempSync(join(tmpdir(), 'mintage-deploy-solana-'));
  let node: SolanaNode;
  beforeAll(async () => {
    node = await startSolanaNode({ slotMs: 20, finalAfter: 4 });
  });
  afterAll(async () => {
    await node?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  /** Writes a key pair as `solana-keygen` does. */
  const keyFile = (name: string): { file: string; address: string } => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
    const shown = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    const file = join(home, `${name}.json`);
    writeFileSync(file, JSON.stringify([...secret, ...shown]));
    return { file, address: toBase58(new Uint8Array(shown)) };
  };
  const [payer, program, buffer, dollar] = ['payer', 'program', 'buffer', 'dollar'].map(keyFile) as [
    ReturnType<typeof keyFile>,
    ReturnType<typeof keyFile>,
    ReturnType<typeof keyFile>,
    ReturnType<typeof keyFile>,
  ];
  const [owner, treasury, voucher] = ['owner', 'treasury', 'voucher'].map((name) => keyFile(name).address);
  const out = join(home, 'deployments', 'solana-devnet.json');
  const words = (changes: Record<string, string> = {}): string[] => {
    const named = {
      rpc: node.url,
      payer: payer.file,
      program: program.file,
      buffer: buffer.file,
      'test-usd': dollar.file,
      owner: owner as string,
      treasury: treasury as string,
      'voucher-signer': voucher as string,
      out,
      ...changes,
    };
    return ['solana-devnet', ...Object.entries(named).flatMap(([name, value]) => [`--${name}`, value])];
  };
  const run = async (...given: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...given]);
    return stdout.trim();
  };
  const saysOf = async (...given: string[]): Promise<[code: unknown, said: string]> => {
    try {
      return [0, await run(...given)];
    } catch (error) {
      const { code, stderr } = error as { code: unknown; stderr: string };
      return [code, stderr];
    }
  };
  const ask = async (method: string, ...params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return ((await (await fetch(node.url, { method: 'POST', body })).json()) as { result: unknown }).result;
  };

  it('S116 goes on after it was killed, checks every setting, and takes the right to upgrade from everybody', async () => {
    await ask('requestAirdrop', payer.address, 100_000_000_000);
    // Killed while the pieces are on their way.
    const child = spawn(process.execPath, [script, ...words()], { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    for (;;) {
      const { value } = (await ask('getAccountInfo', buffer.address, {
        commitment: 'processed',
        encoding: 'base64',
      })) as {
        value: unknown;
      };
      if (value !== null || child.exitCode !== null) break;
      await sleep(5);
    }
    child.kill('SIGKILL');
    await ended;

    const placed = JSON.parse(await run(...words())) as Record<string, unknown>;
    expect(placed).toMatchObject({ launchpad: program.address, usd: dollar.address, owner, usdMintable: true });
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(placed);
    expect(await run(...words())).toBe(JSON.stringify(placed, null, 2));
    expect(await run(...words(), '--check')).toContain('as it should be');
    expect(await saysOf(...words(), '--check', '--final')).toEqual([
      5,
      expect.stringContaining('Somebody can still upgrade the program'),
    ]);
    const [code, said] = await saysOf(...words({ owner: treasury as string, timelock: '7' }), '--check');
    expect(code).toBe(5);
    for (const fault of [`The owner is ${owner}`, 'Settings wait 0 s, not 7']) expect(said).toContain(fault);

    await run(...words(), '--final');
    expect(await run(...words(), '--check', '--final')).toContain('as it should be');
  });

  it('error: what is missing or makes no sense is said before anything is sent', async () => {
    expect(await saysOf('solana-devnet')).toEqual([2, expect.stringContaining('--rpc is missing')]);
    for (const [wall, what] of [
      [program.address, 'the launchpad'],
      [dollar.address, 'the contract of the dollar token'],
      ['1nc1nerator11111111111111111111111111111111', 'a burn address'],
    ] as const)
      expect(await saysOf(...words({ treasury: wall }))).toEqual([
        5,
        expect.stringContaining(`The treasury is ${what}`),
      ]);
    expect(await saysOf(...words().with(0, 'base'))).toEqual([2, expect.stringContaining('Name the chain')]);
    expect(await saysOf(...words().with(0, 'solana'))).toEqual([2, expect.stringContaining('for test clusters')]);
    expect(await saysOf(...words(), '--nonsense')).toEqual([2, expect.stringContaining('nonsense')]);
  });
});
