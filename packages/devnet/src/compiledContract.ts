import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Abi } from 'viem';

const contracts = new URL('../../contracts/', import.meta.url);

/** What tests read of forge's output for a contract. */
export interface CompiledContract {
  abi: Abi;
  /** With a placeholder for each library that it is linked with. */
  bytecode: { object: `0x${string}` };
  metadata: { compiler: { version: string }; settings: { viaIR?: boolean } };
}

/**
 * A contract of `packages/contracts` as its sources are now, by the name of its file. Compiles what has changed, unless the runner of the
 * tests has done so (TEST_CONTRACTS=compiled).
 */
export const compiledContract = (name: string): CompiledContract => {
  if (!isCompiled)
    execFileSync('npx', ['forge', 'build', '--quiet'], { cwd: fileURLToPath(contracts), stdio: 'inherit' });
  isCompiled = true;
  return JSON.parse(readFileSync(new URL(`out/${name}.sol/${name}.json`, contracts), 'utf8'));
};

let isCompiled = process.env.TEST_CONTRACTS === 'compiled';
