import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { ServedTool, ToolSet } from './toolSet.ts';

export interface ToolServerOptions {
  /** Name of the platform, shown to the user of the assistant. */
  name: string;
  instructions: string;
  tools: ToolSet;
  /** @param key - Idempotency key of the call, as the Idempotency-Key header is over HTTP. */
  call(served: ServedTool, given: unknown, key: string | undefined): Promise<CallToolResult>;
}

/** How long a client may cache the list, milliseconds: it changes with a deployment only. */
const listKeptMs = 300_000;

/** The protocol's server over the list of tools; one per request, so nothing is computed here. */
export const toolServer = ({ name, instructions, tools, call }: ToolServerOptions): Server => {
  const server = new Server(
    { name, version: '1.0.0' },
    {
      capabilities: { tools: {} },
      instructions,
      cacheHints: { 'tools/list': { ttlMs: listKeptMs, cacheScope: 'private' } },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: tools.list as never }));
  server.setRequestHandler('tools/call', ({ params }) => {
    const served = tools.byName.get(params.name);
    if (served === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no tool of this name');
    }
    const { _meta: meta } = params;
    const key = meta?.idempotencyKey;
    return call(served, params.arguments ?? {}, typeof key === 'string' ? key : undefined);
  });
  return server;
};
