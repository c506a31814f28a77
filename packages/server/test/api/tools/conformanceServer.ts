import type { Operation } from '@mintage/protocol';
import { type OperationName, operations } from '@mintage/protocol/operations';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { buildApp } from '../../../src/api/surfaces/rest/app.ts';
import { serveMcp } from '../../../src/api/surfaces/tools/serveMcp.ts';
import { toolHosts } from '../../../src/api/surfaces/tools/serveTools.ts';
import { createToolSet, type ServedTool } from '../../../src/api/surfaces/tools/toolSet.ts';
import { testApi } from '../testing/testApi.ts';
import { onePixel } from '../trade/tradeWorld.ts';

const image = { type: 'image', data: onePixel.split(',')[1] as string, mimeType: 'image/png' } as const;
const sound = {
  type: 'audio',
  data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=',
  mimeType: 'audio/wav',
} as const;
const text = (said: string) => ({ type: 'text', text: said }) as const;
const resource = (uri: string, mimeType: string, said: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: said } }) as const;

/** The route only needs one that is neither counted nor asks who calls. */
const health = operations.find(({ name }) => name === ('health' satisfies OperationName)) as Operation;

/** What the suite's scenarios call, with the answers that they expect. */
const fixtures: Record<string, CallToolResult> = {
  test_simple_text: { content: [text('This is a simple text response for testing.')] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [sound] },
  test_embedded_resource: {
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  },
  test_multiple_content_types: {
    content: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  },
  test_error_handling: { isError: true, content: [text('This tool intentionally returns an error for testing')] },
};

/**
 * The tool server's own transport, guard and list, for the conformance suite: with the suite's fixture tools behind our
 * own, and open to everyone, because the suite brings no credential. For tests only.
 */
export const startConformanceServer = async (): Promise<{ url: string; stop(): Promise<void> }> => {
  const api = await testApi();
  const { context } = api;
  const app = buildApp(context);
  const own = createToolSet(['base', 'base-sepolia']);
  const tools = {
    byName: new Map([
      ...own.byName,
      ...Object.keys(fixtures).map((name) => [name, { tool: { name } } as ServedTool] as const),
    ]),
    list: [
      ...own.list,
      ...Object.keys(fixtures).map((name) => ({
        name,
        description: 'A fixture of the conformance suite.',
        inputSchema: { type: 'object' as const },
      })),
    ],
  };
  const anyone = {
    userId: '',
    wallets: [],
    embedded: {},
    premium: false,
    scopes: [],
    credential: null,
    session: null,
    waitsUntilMs: null,
    newUntilMs: null,
  };
  const path = '/conformance/mcp';
  serveMcp(app, context, {
    path,
    operation: health,
    ...toolHosts(context.config),
    admit: async () => ({ ...anyone, method: 'apiKey' }),
    name: 'Conformance',
    instructions: 'For the conformance suite.',
    tools: () => tools,
    call: async (_one, { tool }) => fixtures[tool.name] ?? { isError: true, content: [text('not called here')] },
  });
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}${path}`;
  return {
    url,
    async stop() {
      await app.close();
      await api.stop();
    },
  };
};
