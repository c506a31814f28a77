/** Writes `packages/protocol/src/generated/abi.ts` from the compiled contracts. `--check` fails when it would change. */
import { readFileSync } from 'node:fs';
import { writeGenerated } from './generated.ts';

const root = new URL('../', import.meta.url);
const contracts = { launchpadAbi: 'ILaunchpad', lensAbi: 'ILens', launchTokenAbi: 'ILaunchToken' };

const abis = Object.entries(contracts).map(([name, contract]) => {
  const artifact = new URL(`packages/contracts/out/${contract}.sol/${contract}.json`, root);
  const { abi } = JSON.parse(readFileSync(artifact, 'utf8'));
  return `export const ${name} = ${JSON.stringify(abi, null, 2)} as const;`;
});

writeGenerated(
  new URL('packages/protocol/src/generated/abi.ts', root),
  `${abis.join('\n\n')}\n`,
  'scripts/generate-abi.ts',
);
