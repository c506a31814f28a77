import type { IncomingHttpHeaders } from 'node:http';
import type { CallParams } from './toolServer.ts';

/** A message of the newer era that asks for one answer: a list, or one call of a tool. */
export interface PlainMessage {
  method: 'tools/list' | 'tools/call';
  params: CallParams;
  id: string | number;
  /** All that the protocol's library looks at, but for the id and the arguments, whose types are checked here. */
  form: string;
}

const mostForm = 1_024;
const ofMessage = new Set(['jsonrpc', 'id', 'method', 'params']);
const ofParams = new Set(['name', 'arguments', '_meta']);

/** Null for every other message, and for one whose form is too long to be kept. */
export const plainMessageOf = (headers: IncomingHttpHeaders, body: unknown): PlainMessage | null => {
  if (!hasOnly(body, ofMessage)) return null;
  const { jsonrpc, id, method, params } = body;
  if (method !== 'tools/list' && method !== 'tools/call') return null;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null;
  if (!hasOnly(params, ofParams)) return null;
  const { name, arguments: given, _meta: meta } = params;
  if (method === 'tools/call' && typeof name !== 'string') return null;
  if (!isObject(meta) || (given !== undefined && !isObject(given))) return null;
  const seen = [
    headers['content-type'],
    headers['mcp-protocol-version'],
    headers['mcp-method'],
    headers['mcp-name'],
    jsonrpc,
    method,
    name,
    given === undefined,
    meta,
  ];
  const form = JSON.stringify(seen);
  return form.length > mostForm
    ? null
    : { method, params: params as unknown as CallParams, id: id as string | number, form };
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasOnly = (value: unknown, keys: ReadonlySet<string>): value is Record<string, unknown> => {
  if (!isObject(value)) return false;
  for (const key in value) if (!keys.has(key)) return false;
  return true;
};
