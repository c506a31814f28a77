/**
 * Compiles the contracts and writes `packages/contracts/artifacts/<Name>.json`: the creation bytecode of our own
 * contracts, so that starting a chain compiles nothing. `--check` fails when one would change.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeGenerated } from './generated.ts';

const root = new URL('../', import.meta.url);
const contracts = ['Create3Factory', 'DollarCheck', 'LaunchToken', 'Launchpad', 'Lens', 'PoolHook', 'TestUSD'];

execFileSync(fileURLToPath(new URL('node_modules/.bin/forge', root)), ['build', 'src'], {
  cwd: new URL('packages/contracts/', root),
  stdio: ['ignore', 'ignore', 'inherit'],
});

for (const contract of contracts) {
  const compiled = new URL(`packages/contracts/out/${contract}.sol/${contract}.json`, root);
  const { abi, bytecode } = JSON.parse(readFileSync(compiled, 'utf8'));
  const artifact = {
    contract,
    constructorInputs: abi.find((item: { type: string }) => item.type === 'constructor')?.inputs ?? [],
    creationCode: bytecode.object,
  };
  writeGenerated(
    new URL(`packages/contracts/artifacts/${contract}.json`, root),
    `${JSON.stringify(artifact, null, 2)}\n`,
    'scripts/generate-artifacts.ts',
  );
}
