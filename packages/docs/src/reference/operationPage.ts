import { type ErrorCode, errorCatalogue, errorsOf, type Operation } from '@mintage/protocol';
import { actionTypes, infoTypes } from '@mintage/protocol/operations';
import type { Tool } from '@mintage/protocol/tools';
import { z } from 'zod';
import type { Deployment } from '../deployment.ts';
import type { Example } from '../examples.ts';
import { fence, parts, slugOf, table, under } from '../markdown/text.ts';
import type { Page } from '../page.ts';
import { callForms } from './callForms.ts';
import { type Field, fieldsOf } from './fields.ts';

export interface Described {
  operation: Operation;
  deployment: Deployment;
  example: Example | undefined;
  tool: Tool | undefined;
  toolExample: object | undefined;
}

/** Of the page of named types. */
export const typesPath = 'types';
export const operationPath = (name: string): string => `reference/${name}`;
export const errorPath = (code: string): string => `errors/${code}`;

/** Everything about one operation: what it does, who may call it, what goes in and comes out, what can go wrong. */
export const operationPage = (described: Described): Page => {
  const { operation, deployment, example } = described;
  const { name, method, path, summary, description, also = [] } = operation;
  const fields = (schema: z.ZodType, io: 'input' | 'output') =>
    fieldTable(fieldsOf(schema, io, deployment.chainTypes), io);
  const routes = [{ method, path }, ...also].map((route) => `${route.method} ${deployment.apiPath}${route.path}`);
  return {
    path: operationPath(name),
    title: name,
    summary,
    markdown: () =>
      parts(
        summary,
        fence('http', routes.join('\n')),
        description?.replaceAll(/`docs\/(\w+)\.md`/g, '[$1](docs:operate/$1)'),
        under('## Types', typesOf(name)),
        under('## Who may call', whoMayCall(operation)),
        under('## Input', fields(operation.input, 'input') || 'None.'),
        example && under('## Example', callForms({ ...described, example })),
        under('## Answer', parts(example && answerOf(example), answerFields(described, fields))),
        under('## Errors', errorTable(errorsOf(operation))),
      ),
    ...(canBeSent(operation) && {
      console: {
        method,
        path,
        input: example?.input ?? operation.example ?? {},
        needsCredential: operation.access !== 'public',
      },
    }),
  };
};

/** What `/info` and `/platform-action` do is said on the pages of what they stand for. */
const typesOf = (name: string): string => {
  const all: Record<string, Readonly<Record<string, Operation | { operation: Operation }>>> = {
    info: infoTypes,
    platformAction: actionTypes,
  };
  const types = all[name] ?? {};
  return Object.entries(types)
    .map(([type, one]) => {
      const { name: page, summary } = 'operation' in one ? one.operation : one;
      return `- [${type}](docs:${operationPath(page)}): ${summary}`;
    })
    .join('\n');
};

/** A stream does not end, and a socket is no request. */
const canBeSent = ({ name, produces }: Operation): boolean => produces !== 'text/event-stream' && name !== 'ws';

const answerFields = ({ operation }: Described, fields: (schema: z.ZodType, io: 'output') => string): string =>
  operation.produces === undefined
    ? fields(operation.output, 'output') || 'No body.'
    : `A body of type \`${operation.produces}\`.`;

const answerOf = ({ answer, lengths = {} }: Example): string => {
  const cut = Object.entries(lengths).map(([path, length]) => `\`${path}\` has ${length} entries`);
  return parts(
    cut.length > 0 && `Recorded; long lists are cut to two entries here: ${cut.join(', ')}.`,
    typeof answer === 'string' ? fence('text', answer) : fence('json', JSON.stringify(answer, null, 2)),
  );
};

const whoMayCall = (operation: Operation): string => {
  const { access, scope, limit } = operation;
  const who = {
    public: 'Anyone; a credential has a larger allowance.',
    caller: `A caller with a credential that has the scope \`${scope}\`.`,
    session: 'Only a person who is signed in; no API key may do this.',
  }[access];
  const allowance = {
    write: 'Counts as a write. An `Idempotency-Key` makes a repeated call do it once.',
    writeWhenExecuted:
      'Counts as a read, and as a write as well with `execute: true`. An `Idempotency-Key` makes a repeated call do it once.',
    signIn: 'Counts in the allowance for sign-ins.',
    none: 'Never refused for its rate.',
    read: 'Counts as a read.',
  }[limit ?? 'read'];
  return parts(`${who} ${allowance}`, operation.walletSigned && 'A wallet may sign the call instead.');
};

/** Named types lead to where they are described. */
const linkedType = (type: string): string =>
  type.replaceAll(/(?<!")\b[A-Z]\w+\b(?!")/g, (name) => `[${name}](docs:${typesPath}#${slugOf(name)})`);

export const fieldTable = (fields: readonly Field[], io: 'input' | 'output'): string =>
  table(
    io === 'input' ? ['Field', 'Type', 'Required', 'Unit', 'What it is'] : ['Field', 'Type', 'Unit', 'What it is'],
    fields.map(({ name, type, required, unit, description }) => [
      `\`${name}\``,
      linkedType(type) + (io === 'output' && !required ? ', may be absent' : ''),
      ...(io === 'input' ? [required ? 'yes' : 'no'] : []),
      unit,
      description,
    ]),
  );

export const errorTable = (codes: readonly ErrorCode[]): string =>
  table(
    ['Code', 'Status', 'What to do'],
    codes.map((code) => {
      const { status, next } = errorCatalogue[code];
      return [`[${code}](docs:${errorPath(code)})`, String(status), next];
    }),
  );
