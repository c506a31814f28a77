import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as EarlierStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../packages/server/src/api/surfaces/rest/app.ts';
import { type TestApi, testApi } from '../packages/server/test/api/testing/testApi.ts';

const script = fileURLToPath(new URL('./mcp.ts', import.meta.url));

describe('npm run mcp', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'mintage-mcp-'));
  let api: TestApi;
  let app: ReturnType<typeof buildApp>;
  let env: Record<string, string>;
  beforeAll(async () => {
    api = await testApi();
    app = buildApp(api.context);
    const user = await api.signIn();
    const { body } = await api.call('createApiKey', { name: 'desktop' }, { bearer: user.accessToken });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    env = { MINTAGE_API_KEY: body.key, MINTAGE_URL: url, PATH: process.env.PATH ?? '' };
  });
  afterAll(async () => {
    await app?.close();
    await api?.stop();
    rmSync(scratch, { recursive: true, force: true });
  });

  const started = async () => {
    const client = new Client({ name: 'desktop', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [script], env }));
    return client;
  };

  it('default: has the list of the API, and calls its tools', async () => {
    const client = await started();
    const { tools } = await client.listTools();
    const create = tools.find(({ name }) => name === 'create_token');
    expect(tools.length).toBeGreaterThan(30);
    expect(JSON.stringify(create?.inputSchema.properties)).toContain('Or the path of a file.');
    const { structuredContent } = await client.callTool({ name: 'get_tokens', arguments: { filter: 'new' } });
    expect(structuredContent).toMatchObject({ tokens: [], total: 0 });
    await client.close();
  });

  it('default: a client of the earlier era too', async () => {
    const client = new EarlierClient({ name: 'desktop', version: '1' });
    await client.connect(new EarlierStdio({ command: process.execPath, args: [script], env }));
    const { structuredContent } = await client.callTool({ name: 'get_tokens', arguments: { filter: 'new' } });
    expect(structuredContent).toMatchObject({ tokens: [], total: 0 });
    await client.close();
  });

  it('T7 a picture may be a file here: read, sent as data, and judged by the API', async () => {
    const client = await started();
    const picture = join(scratch, 'logo.png');
    writeFileSync(picture, 'not a picture');
    writeFileSync(join(scratch, 'secret.txt'), 'secret');
    const make = async (image: string) => {
      const parameters = {
        name: 'X',
        symbol: 'XX',
        description: 'x',
        image,
        chainSlug: 'base',
        userAddress: `0x${'1'.repeat(40)}`,
      };
      const { isError, content } = await client.callTool({ name: 'create_token', arguments: parameters });
      expect(isError).toBe(true);
      return JSON.parse((content as { text: string }[])[0]?.text ?? '');
    };
    // The test's API serves no chain: that the picture was read is seen from its being asked for that first.
    expect((await make(picture)).details.code).toBe('UNSUPPORTED_CHAIN');
    expect(await make(join(scratch, 'secret.txt'))).toMatchObject({ code: 'INVALID_PARAMETERS' });
    expect(await make(join(scratch, 'missing.png'))).toMatchObject({ error: 'image: the file cannot be read' });
    await client.close();
  });

  it('error: without a key, or with a wrong one, it says so and ends', async () => {
    const { spawn } = await import('node:child_process');
    for (const [key, said] of [
      ['', 'MINTAGE_API_KEY'],
      ['mintage_test_wrong', 'cannot be used'],
    ] as const) {
      const child = spawn(process.execPath, [script], { env: { ...env, MINTAGE_API_KEY: key }, stdio: 'pipe' });
      let error = '';
      child.stderr.on('data', (chunk: Buffer) => {
        error += chunk;
      });
      const [code] = await once(child, 'close');
      expect([code, error]).toEqual([1, expect.stringContaining(said)]);
    }
  });
});
