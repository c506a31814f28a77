/**
 * Writes `scripts/generated/docsCalls.ts`: every TypeScript example of the documentation as a function, so that the compiler says
 * when one no longer fits the SDK. `--check` fails when it would change.
 */
import type { Operation } from '@mintage/protocol';
import { type OperationName, operations } from '@mintage/protocol/operations';
import { readSources } from '../packages/docs/src/docs.ts';
import { typescriptForm } from '../packages/docs/src/reference/typescriptForm.ts';
import { writeGenerated } from './generated.ts';

const { examples } = readSources();
const deployment = {
  name: 'Mintage',
  publicUrl: 'http://127.0.0.1:8080',
  network: 'Testnet',
  apiPath: '/functions/v1',
  toolsPath: '/functions/v1/mcp',
  color: null,
  chainTypes: ['evm'],
  toolChains: ['base', 'base-sepolia'],
} as const;

const list: readonly Operation[] = operations;
const calls = list.map((operation) => {
  const example = examples.operations[operation.name as OperationName];
  if (example === undefined) throw new Error(`${operation.name} has no example: npm run record:examples.`);
  const [, ...lines] = typescriptForm(operation, example, deployment)
    .split('\n')
    .filter((line) => line !== '');
  const last = lines.join('\n').includes('const answer') ? '  return answer;' : '';
  const returned = lines.join('\n').includes('const response') ? '  return response;' : last;
  return `export const ${operation.name} = async () => {\n${lines.map((line) => `  ${line}`).join('\n')}\n${returned}\n};`;
});

writeGenerated(
  new URL('generated/docsCalls.ts', import.meta.url),
  `import { apiKey, createClient, session } from '@mintage/sdk';\n\n${calls.join('\n\n')}\n`,
  'scripts/generate-docs-calls.ts',
);
