import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAnvil } from '@mintage/devnet/anvil';
import { askChain } from '@mintage/devnet/rpc';
import { until } from '@mintage/devnet/until';

/** A real EVM for the differential tests. */

const require = createRequire(import.meta.url);

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
  const cacheDir = mkdtempSync(join(tmpdir(), 'mintage-anvil-'));
  const flags = ['--gas-limit', BigInt(plenty).toString(), '--code-size-limit', '1000000'];
  const anvil = await startAnvil({ chainId: 31_337, cacheDir, keptStates: 8, heartbeat: false, flags });

  const rpc = async <Result>(method: string, params: unknown[]): Promise<Result> => {
    const { result, error } = await askChain(anvil.url, method, params);
    if (error) throw new Error(`${method}: ${error.message} ${error.data ?? ''}`);
    return result as Result;
  };
  const stop = async (): Promise<void> => {
    await anvil.stop();
    rmSync(cacheDir, { recursive: true, force: true });
  };
  const [from] = await rpc<string[]>('eth_accounts', []);
  const deploy = async (creationCode: string): Promise<`0x${string}`> => {
    const hash = await rpc<string>('eth_sendTransaction', [{ from, data: creationCode, gas: '0x5f5e1000' }]);
    const receipt = await until(() => rpc<Receipt | null>('eth_getTransactionReceipt', [hash]));
    if (receipt.status !== '0x1') throw new Error('The contract was not deployed.');
    return receipt.contractAddress;
  };
  const call = (to: string, data: string): Promise<string> =>
    rpc<string>('eth_call', [{ from, to, data, gas: plenty }, 'latest']);
  return { rpc, deploy, call, stop };
};

interface Receipt {
  status: string;
  contractAddress: `0x${string}`;
}
