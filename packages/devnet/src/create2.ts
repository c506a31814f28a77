import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create2Proxy } from '@mintage/contracts/deploy';
import { type Address, concat, getCreate2Address, type Hex, zeroHash } from 'viem';
import type { DevAccounts } from './accounts.ts';
import { rpcRequest } from './rpc.ts';
import type { Wallet } from './wallet.ts';

/** Contracts of others by the keyless CREATE2 proxy: at the same addresses on every local chain. */

/** Where this creation code is, lower case. */
export const create2AddressOf = (bytecode: Hex): Address =>
  getCreate2Address({ from: create2Proxy, salt: zeroHash, bytecode }).toLowerCase() as Address;

/** Deploys those of these contracts that are missing, in their order. */
export const deployMissing = async (
  url: string,
  wallet: Wallet,
  accounts: DevAccounts,
  codes: readonly Hex[],
): Promise<void> => {
  for (const code of codes) {
    if ((await rpcRequest(url, 'eth_getCode', [create2AddressOf(code), 'latest'])) !== '0x') continue;
    await wallet.send(accounts.deployer, { to: create2Proxy, data: concat([zeroHash, code]), gas: 20_000_000n });
  }
};

/** An artifact out of a package: licensed for development, so never copied into ours. */
export const publishedArtifact = <Artifact>(path: string): Artifact =>
  JSON.parse(readFileSync(createRequire(import.meta.url).resolve(path), 'utf8')) as Artifact;
