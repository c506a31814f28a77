import { type CallToolResult, Server } from '@modelcontextprotocol/server';

export interface ToolServerOptions {
  name: string;
  instructions: string;
}

/** What is answered to the messages about tools. */
export interface Answers {
  list: object;
  call(params: CallParams): Promise<CallToolResult>;
}

export interface CallParams {
  name: string;
  arguments?: Record<string, unknown> | undefined;
  _meta?: Record<string, unknown> | undefined;
}

/** How long a client may cache the list, milliseconds: it changes with a deployment only. */
const listKeptMs = 300_000;

/** The protocol's server over the list of tools; one per request, so nothing is computed here. */
export const toolServer = ({ name, instructions }: ToolServerOptions, { list, call }: Answers): Server => {
  const server = new Server(
    { name, version: '1.0.0' },
    {
      capabilities: { tools: {} },
      instructions,
      cacheHints: { 'tools/list': { ttlMs: listKeptMs, cacheScope: 'private' } },
    },
  );
  server.setRequestHandler('tools/list', () => list as never);
  server.setRequestHandler('tools/call', ({ params }) => call(params));
  return server;
};
