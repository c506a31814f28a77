import type { Example, Examples } from '@mintage/docs/examples';
import type { Operation } from '@mintage/protocol';
import { type AnswerOf, definitions, type OperationName } from '@mintage/protocol/operations';
import { firstLines, shorten } from './shorten.ts';

/** Calls operations of a running service and keeps what was sent and what came back. */
export interface Recorder {
  /**
   * @param bearer - Whose call it is; absent: anybody's.
   * @throws When the service answers with an error.
   */
  record<Name extends OperationName>(name: Name, input: object, bearer?: string): Promise<AnswerOf<Name>>;
  /** Keeps a call that is more than one request. */
  keep(name: OperationName, example: Example): void;
  /** Calls a tool and keeps its parameters. */
  recordTool(name: string, parameters: object, bearer: string): Promise<void>;
  examples(): Examples;
}

/** @param url - Where the service is, without the base path. */
export const createRecorder = (url: string): Recorder => {
  const kept = new Map<OperationName, Example>();
  const tools: Record<string, object> = {};
  return {
    async record(name, input, bearer) {
      const { text, type } = await send(url, definitions[name], input, bearer);
      const isJson = type.startsWith('application/json') && name !== 'openapi';
      const answer: unknown = isJson ? JSON.parse(text) : undefined;
      kept.set(name, {
        input: { ...input },
        ...(bearer !== undefined && definitions[name].access === 'public' ? { credential: true as const } : {}),
        ...(isJson ? shorten(answer) : { answer: firstLines(shownText(text, type)) }),
      });
      // The service checks its answers by these schemas itself.
      return answer as AnswerOf<typeof name>;
    },
    keep: (name, example) => kept.set(name, example),
    async recordTool(name, parameters, bearer) {
      const response = await fetch(`${url}/functions/v1/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${bearer}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-06-18',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: parameters },
        }),
      });
      // One message, as an event.
      const [, message = '{}'] = /^data: (.+)$/m.exec(await response.text()) ?? [];
      const { result, error } = JSON.parse(message) as { result?: { isError?: boolean }; error?: unknown };
      if (result === undefined || result.isError === true)
        throw new Error(`The tool ${name} answered ${JSON.stringify(result ?? error)}`);
      tools[name] = parameters;
    },
    examples: () => ({
      operations: Object.fromEntries(
        Object.keys(definitions).flatMap((name) => {
          const example = kept.get(name as OperationName);
          return example === undefined ? [] : [[name, example]];
        }),
      ),
      tools,
    }),
  };
};

const send = async (
  url: string,
  { name, method, path }: Operation,
  input: object,
  bearer: string | undefined,
): Promise<{ text: string; type: string }> => {
  const query = new URLSearchParams();
  let full = path;
  for (const [key, value] of method === 'GET' ? Object.entries(input) : []) {
    if (full.includes(`:${key}`)) full = full.replace(`:${key}`, String(value));
    else query.set(key, String(value));
  }
  const response = await fetch(`${url}/functions/v1${full}${query.size === 0 ? '' : `?${query}`}`, {
    method,
    headers: {
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    ...(method === 'POST' ? { body: JSON.stringify(input) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${name} answered ${response.status}: ${text}`);
  return { text, type: response.headers.get('content-type') ?? '' };
};

/** A picture has no lines; a long document is laid out in lines. */
const shownText = (text: string, type: string): string => {
  if (type.startsWith('application/json')) return JSON.stringify(JSON.parse(text), null, 2);
  return /^(text|application\/openmetrics)/.test(type) ? text : `A file of type ${type}.`;
};
