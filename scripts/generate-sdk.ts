/**
 * Writes the SDK's types, calls and table of routes from the list of operations, so that its users need neither the schemas
 * nor their library. `--check` fails when they are stale.
 */
import { type Operation, ofFamilies } from '@mintage/protocol';
import {
  type ActionTypeName,
  actionInputOf,
  actionTypes,
  infoTypes,
  operations,
  StreamMessage,
  Subscription,
} from '@mintage/protocol/operations';
import { z } from 'zod';
import { writeGenerated } from './generated.ts';
import { printTypes } from './sdk/printTypes.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** These are more than a call: `info` and `actions` of a client, and its streams. */
const notCalls: readonly string[] = ['info', 'platformAction', 'ws', 'stream'];
const called = (operations as readonly Operation[]).filter(({ name }) => !notCalls.includes(name));
const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Every type by its name, a schema's named parts before itself. */
const named: Record<string, Schema> = {};
const inputs = new Set<string>();
const show = ofFamilies(['evm', 'solana']);
const declare = (name: string, schema: z.ZodType, io: 'input' | 'output'): string => {
  const { $schema: _, $defs = {}, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: show });
  for (const [part, its] of [...Object.entries($defs), [name, json] as const]) {
    if (io === 'input' && !(part in named)) inputs.add(part);
    named[part] ??= its as Schema;
  }
  return `types.${name}`;
};

const mayBeEmpty = (schema: z.ZodType): boolean => schema.safeParse({}).success;

interface Call {
  name: string;
  summary: string;
  input: z.ZodType;
  inputType: string;
  answerType: string;
}

const method = ({ name, summary, input, inputType, answerType }: Call): string =>
  `  /** ${summary} */
  ${name}(input${mayBeEmpty(input) ? '?' : ''}: ${inputType}, options?: CallOptions): Promise<${answerType}>;
`;

const calls = called.map(({ name, summary, input, output, produces }) =>
  method({
    name,
    summary,
    input,
    inputType: declare(`${pascal(name)}Input`, input, 'input'),
    answerType: produces === undefined ? declare(`${pascal(name)}Answer`, output, 'output') : 'Response',
  }),
);

const infoCalls = Object.entries(infoTypes).map(([name, { operation, input, output }]) => {
  const whole = declare(`Info${pascal(name)}`, input, 'input');
  const answerType = declare(`Info${pascal(name)}Answer`, output, 'output');
  return method({
    name,
    summary: operation.summary,
    input: operation.input,
    inputType: `Omit<${whole}, 'type'>`,
    answerType,
  });
});

const actionCalls = Object.entries(actionTypes).map(([name, { summary, output }]) => {
  const input = actionInputOf(name as ActionTypeName);
  const inputType = declare(`${pascal(name)}Action`, input, 'input');
  const answerType = `ActionAnswer<'${name}', ${declare(`${pascal(name)}ActionAnswer`, output, 'output')}>`;
  return method({ name, summary, input, inputType, answerType });
});

declare('Subscription', Subscription, 'input');
declare('StreamMessage', StreamMessage, 'output');

/** As `Send` of the SDK reads it. */
const routeOf = (operation: Operation): string => {
  const { method, path, limit, produces, usesUp } = operation;
  const writes = limit === 'write' ? ['write'] : limit === 'writeWhenExecuted' ? ['execute'] : [];
  return [method, path, ...writes, ...(usesUp ? ['once'] : []), ...(produces === undefined ? [] : ['content'])].join(
    ' ',
  );
};
const routes = called.map((operation) => `  ${operation.name}: '${routeOf(operation)}',\n`);

const into = (file: string) => new URL(`../packages/sdk/src/generated/${file}`, import.meta.url);
const by = 'scripts/generate-sdk.ts';
writeGenerated(
  into('types.ts'),
  printTypes(named, (name) => inputs.has(name)),
  by,
);
writeGenerated(
  into('calls.ts'),
  `import type { ActionAnswer, CallOptions } from '../callOptions.ts';
import type * as types from './types.ts';

/** Every operation over its own route. */
export interface Calls {
${calls.join('\n')}}

/** The reads of \`POST /info\`, in the form in which it answers; a wallet may sign those of its own account. */
export interface InfoCalls {
${infoCalls.join('\n')}}

/** The actions of \`POST /platform-action\` beside \`register\`. */
export interface ActionCalls {
${actionCalls.join('\n')}}
`,
  by,
);
writeGenerated(
  into('routes.ts'),
  `/** Method and path of every call, and what is special about it (\`Send\`). */
export const routes = {
${routes.join('')}} as const;

/** What \`POST /info\` answers, by \`type\`. */
export const infoTypes = [${Object.keys(infoTypes)
    .map((name) => `'${name}'`)
    .join(', ')}] as const;

/** What \`POST /platform-action\` does beside \`register\`, by \`action.type\`. */
export const actionTypes = [${Object.keys(actionTypes)
    .map((name) => `'${name}'`)
    .join(', ')}] as const;
`,
  by,
);
