/**
 * Writes the list of handlers from the list of operations: each is in the file of its operation's name. Types fail when there
 * is no such file, or when it answers another operation. `--check` fails when the list is stale.
 */
import { operations } from '@mintage/protocol/operations';
import { writeGenerated } from './generated.ts';

const names = operations.map(({ name }) => name).toSorted();
const body = `import type { OperationName } from '@mintage/protocol/operations';
import type { HandlerOf } from '../handler.ts';
${names.map((name) => `import { ${name} } from '../${name}.ts';`).join('\n')}

/** Who answers each operation. */
export const handlers: { readonly [Name in OperationName]: HandlerOf<Name> } = {
${names.map((name) => `  ${name},`).join('\n')}
};
`;
const list = new URL('../packages/server/src/api/handlers/generated/handlers.ts', import.meta.url);
writeGenerated(list, body, 'scripts/generate-handlers.ts');
