/**
 * Compiles the contracts and writes `packages/contracts/artifacts/<Name>.json`: the creation bytecode of our own
 * contracts, so that starting a chain compiles nothing; and `packages/devnet/artifacts` those that only local chains have.
 * `--check` fails when one would change.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeGenerated } from './generated.ts';

const root = new URL('../', import.meta.url);
const contracts = [
  'Create3Factory',
  'DollarCheck',
  'ExchangeCheck',
  'LaunchToken',
  'LaunchTokenV3',
  'LaunchpadV3',
  'LaunchpadV4',
  'LensV3',
  'LensV4',
  'OpeningV3',
  'OpeningV4',
  'TestUSD',
  'TokenBridge',
  'TokenFactory',
];

/** Of `packages/contracts/test/venue`. */
const localContracts = ['PoolDeployer', 'RouterV3'];

interface LinkReference {
  start: number;
  length: number;
}

interface Bytecode {
  object: string;
  /** By source file, then library; positions in bytes. */
  linkReferences: Record<string, Record<string, [LinkReference, ...LinkReference[]]>>;
}

/** The compiler's placeholder of each library that the code has to be linked with. */
const librariesOf = ({ object, linkReferences }: Bytecode): Record<string, string> => {
  const places = Object.values(linkReferences).flatMap((libraries) => Object.entries(libraries));
  return Object.fromEntries(
    places.map(([library, [{ start, length }]]) => [library, object.slice(2 + 2 * start, 2 + 2 * (start + length))]),
  );
};

execFileSync(
  fileURLToPath(new URL('node_modules/.bin/forge', root)),
  ['build', 'src', 'test/venue/PoolDeployer.sol', 'test/venue/RouterV3.sol'],
  {
    cwd: new URL('packages/contracts/', root),
    stdio: ['ignore', 'ignore', 'inherit'],
  },
);

const places = [
  { folder: 'contracts', names: contracts },
  { folder: 'devnet', names: localContracts },
].flatMap(({ folder, names }) => names.map((contract) => ({ folder, contract })));

for (const { folder, contract } of places) {
  const compiled = new URL(`packages/contracts/out/${contract}.sol/${contract}.json`, root);
  const { abi, bytecode } = JSON.parse(readFileSync(compiled, 'utf8'));
  const artifact = {
    contract,
    constructorInputs: abi.find((item: { type: string }) => item.type === 'constructor')?.inputs ?? [],
    libraries: librariesOf(bytecode),
    creationCode: bytecode.object,
  };
  writeGenerated(
    new URL(`packages/${folder}/artifacts/${contract}.json`, root),
    `${JSON.stringify(artifact, null, 2)}\n`,
    'scripts/generate-artifacts.ts',
  );
}
