import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@mintage/devnet/freePort';

/** A real EVM for the differential tests. */

const require = createRequire(import.meta.url);

/** The native binary, without the wrapper's extra process. */
const anvilBinary = (): string => {
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const manifest = require.resolve(`@foundry-rs/anvil-${platform}/package.json`);
  return join(manifest, '..', 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil');
};

/** With the address of the one library that it needs. */
export const linked = (creationCode: string, library: `0x${string}`): string =>
  creationCode.replaceAll(/__\$[0-9a-f]{34}\$__/g, library.slice(2));

/** Creation code of the PoolManager as Uniswap deploys it; its constructor takes the owner. */
export const poolManagerCode = (): `0x${string}` => {
  const artifact = require.resolve('@uniswap/v4-core/out/PoolManager.sol/PoolManager.json');
  return JSON.parse(readFileSync(artifact, 'utf8')).bytecode.object;
};

export interface Evm {
  rpc: <Result>(method: string, params: unknown[]) => Promise<Result>;
  /** Deploys creation code and gives the address. */
  deploy: (creationCode: string) => Promise<`0x${string}`>;
  /** `eth_call` without a gas limit to speak of. */
  call: (to: string, data: string) => Promise<string>;
  stop: () => Promise<void>;
}

const plenty = '0x2540be4000';

/** A fresh local chain that lets a call use any amount of gas and any size of code. */
export const startEvm = async (): Promise<Evm> => {
  const port = await freePort();
  const cache = mkdtempSync(join(tmpdir(), 'mintage-anvil-'));
  const args = ['--port', String(port), '--hardfork', 'cancun', '--gas-limit', BigInt(plenty).toString(), '--silent'];
  const child = spawn(
    anvilBinary(),
    [...args, '--code-size-limit', '1000000', '--prune-history', '8', '--cache-path', cache],
    { stdio: 'ignore' },
  );
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));

  const rpc = async <Result>(method: string, params: unknown[]): Promise<Result> => {
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result: Result; error?: { message: string; data?: string } };
    if (error) throw new Error(`${method}: ${error.message} ${error.data ?? ''}`);
    return result;
  };
  const stop = async (): Promise<void> => {
    process.off('exit', kill);
    kill();
    await ended;
    rmSync(cache, { recursive: true, force: true });
  };
  try {
    await answering(rpc, child);
    const [from] = await rpc<string[]>('eth_accounts', []);
    const deploy = async (creationCode: string): Promise<`0x${string}`> => {
      const hash = await rpc<string>('eth_sendTransaction', [{ from, data: creationCode, gas: '0x5f5e1000' }]);
      const receipt = await receiptOf(rpc, hash);
      if (receipt.status !== '0x1') throw new Error('The contract was not deployed.');
      return receipt.contractAddress;
    };
    const call = (to: string, data: string): Promise<string> =>
      rpc<string>('eth_call', [{ from, to, data, gas: plenty }, 'latest']);
    return { rpc, deploy, call, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const answering = async (rpc: Evm['rpc'], child: ChildProcess): Promise<void> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await rpc('eth_chainId', []);
      return;
    } catch (error) {
      if (child.exitCode !== null || attempt === 400) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
};

interface Receipt {
  status: string;
  contractAddress: `0x${string}`;
}

const receiptOf = async (rpc: Evm['rpc'], hash: string): Promise<Receipt> => {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const receipt = await rpc<Receipt | null>('eth_getTransactionReceipt', [hash]);
    if (receipt) return receipt;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`No receipt for ${hash}.`);
};
