import type { Operation } from '@mintage/protocol';
import type { Tool } from '@mintage/protocol/tools';
import { type Deployment } from '../deployment.ts';
import type { Example } from '../examples.ts';
import { fence, parts } from '../markdown/text.ts';
import { commandForm, quoted } from './commandForm.ts';
import { needsCredential, typescriptForm } from './typescriptForm.ts';

/** An operation's example as a reader copies it: curl, TypeScript, command line, tool call. */
export interface Shown {
  operation: Operation;
  example: Example;
  deployment: Deployment;
  /** Undefined where the operation is no tool. */
  tool: Tool | undefined;
  toolExample: object | undefined;
}

export const callForms = (shown: Shown): string => {
  if (shown.operation.name === 'ws') return socketForms(shown);
  const { operation, tool, toolExample } = shown;
  return parts(
    '### curl',
    fence('bash', curl(shown)),
    '### TypeScript',
    fence('ts', typescriptForm(shown.operation, shown.example, shown.deployment)),
    '### Command line',
    fence('bash', commandForm(operation, shown.example)),
    tool && parts('### Tool call', fence('json', toolCall(tool, toolExample ?? parametersOf(shown.example)))),
  );
};

/** A socket is opened by a program: neither curl nor a call of the command line does it. */
const socketForms = ({ operation, example, deployment }: Shown): string => {
  const address = deployment.publicUrl.replace(/^http/, 'ws') + deployment.apiPath + operation.path;
  const lines = [
    `const socket = new WebSocket('${address}');`,
    'socket.onmessage = ({ data }) => console.log(JSON.parse(data));',
    'socket.onopen = () => {',
    `  socket.send('{"op":"auth"}');`,
    `  socket.send('{"op":"subscribe","id":"sub_1","subscription":{"topic":"tokenActivity","cursor":"earliest"}}');`,
    '};',
  ];
  return parts(
    '### WebSocket',
    fence('js', lines.join('\n')),
    '### TypeScript',
    fence('ts', typescriptForm(operation, example, deployment)),
  );
};

const curl = ({ operation, example, deployment }: Shown): string => {
  const { method, access, produces } = operation;
  const base = deployment.publicUrl + deployment.apiPath;
  const address = quoted(base + pathWith(operation, example.input));
  const variable = access === 'session' ? 'MINTAGE_ACCESS_TOKEN' : 'MINTAGE_API_KEY';
  const bearer = needsCredential(operation, example) ? [`-H "authorization: Bearer $${variable}"`] : [];
  const body =
    method === 'GET'
      ? []
      : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(example.input, null, 2))}`];
  const command = produces === 'text/event-stream' ? 'curl -N' : 'curl';
  return [`${command} ${address}`, ...bearer, ...body].join(' \\\n  ');
};

/** Of a GET, with its input in path and query. */
export const pathWith = ({ method, path }: Operation, input: Readonly<Record<string, unknown>>): string => {
  if (method !== 'GET') return path;
  const query = new URLSearchParams();
  let full = path;
  for (const [name, value] of Object.entries(input)) {
    if (full.includes(`:${name}`)) full = full.replace(`:${name}`, encodeURIComponent(String(value)));
    else query.set(name, String(value));
  }
  return query.size === 0 ? full : `${full}?${query}`;
};

/** Of a tool that has the fields of its operation. */
const parametersOf = ({ input }: Example): object => {
  const { execute, ...fields } = input;
  return execute === undefined ? fields : { ...fields, autoExecute: execute };
};

const toolCall = ({ name }: Tool, parameters: object): string =>
  JSON.stringify({ name, arguments: parameters }, null, 2);
