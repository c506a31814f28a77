/**
 * `npm run mcp`: the tools for an assistant on this machine, over stdin and stdout. It speaks to a running API with an
 * API key, has that API's own list of tools, and reads pictures from files, which the API itself never does.
 *
 *   MINTAGE_API_KEY  the key; what it may do is what the assistant may do
 *   MINTAGE_URL      the API, http://127.0.0.1:8080 when not set
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type CallToolResult, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { failure, withFileHints, withFiles } from './mcp/files.ts';

const key = process.env.MINTAGE_API_KEY;
if (!key) {
  console.error(
    'Set MINTAGE_API_KEY to an API key: POST /functions/v1/api-keys, or the demo user’s that npm start prints.',
  );
  process.exit(1);
}
const url = new URL(`${(process.env.MINTAGE_URL || 'http://127.0.0.1:8080').replace(/\/+$/, '')}/functions/v1/mcp`);

const remote = new Client({ name: 'mintage-stdio', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
try {
  const headers = { authorization: `Bearer ${key}` };
  await remote.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
} catch (error) {
  console.error(`The tool server at ${url} cannot be used: ${(error as Error).message}`);
  process.exit(1);
}

const { name, version } = remote.getServerVersion() ?? { name: 'Mintage', version: '1.0.0' };
const instructions = remote.getInstructions();

serveStdio(() => {
  const server = new Server(
    { name, version },
    { capabilities: { tools: {} }, ...(instructions === undefined ? {} : { instructions }) },
  );
  server.setRequestHandler('tools/list', async () => ({ tools: withFileHints((await remote.listTools()).tools) }));
  server.setRequestHandler('tools/call', async ({ params }): Promise<CallToolResult> => {
    try {
      return await remote.callTool({ ...params, arguments: await withFiles(params.arguments ?? {}) });
    } catch (error) {
      return failure(error);
    }
  });
  return server;
});
