import { toolsOn } from '@mintage/protocol/tools';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApi, testApi } from '../../../test/api/testing/testApi.ts';

describe('llms', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
  });
  afterAll(() => api?.stop());

  it('default: is served at the root and below the base path, and names every tool', async () => {
    const get = (url: string) => api.inject({ method: 'GET', url });
    const [root, below] = [await get('/llms.txt'), await get('/functions/v1/llms.txt')];
    expect([root.statusCode, root.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(below.body).toBe(root.body);
    expect(root.body).toMatch(/^# Mintage\n/);
    expect(root.body).toContain('http://127.0.0.1:8080/functions/v1/mcp');
    expect(root.body.match(/^- [a-z0-9_]+: /gm)).toHaveLength(toolsOn(['base-sepolia']).length);
  });
});
