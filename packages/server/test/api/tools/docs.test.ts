import { readFileSync } from 'node:fs';
import { toolCodes, toolsOn } from '@mintage/protocol/tools';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startToolWorld, type ToolClient, type ToolWorld } from './toolWorld.ts';

/** The examples of docs/tools.md, called as they stand. */
const page = readFileSync(new URL('../../../../../docs/tools.md', import.meta.url), 'utf8');
const theTools = page.slice(page.indexOf('## The tools'));
/** What is called, with what, and the code that the page says it answers; without one it works. */
const examples = theTools
  .split(/^### /m)
  .slice(1)
  .flatMap((section) => {
    const [name = ''] = section.split('\n');
    const code = /Answers `([A-Z_]+)`/.exec(section)?.[1] ?? 'none';
    return [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => [name, text, code] as const);
  });

describe('docs/tools.md', () => {
  let world: ToolWorld;
  let client: ToolClient;
  beforeAll(async () => {
    world = await startToolWorld();
    const user = await world.newUser();
    client = await world.connect(await world.apiKey(user));
  });
  afterAll(async () => {
    await client?.close();
    await world?.stop();
  });

  it.each(examples)('%s works as the page says: %s error: %s', async (name, text, code) => {
    const { isError, body } = await client.call(name, JSON.parse(text));
    expect(isError ? body.details.code : 'none', JSON.stringify(body)).toBe(code);
  });

  it('has an example of every tool, and every code', () => {
    const named = examples.map(([name]) => name);
    expect(new Set(named)).toEqual(new Set(toolsOn(['base-sepolia']).map(({ name }) => name)));
    for (const code of toolCodes) expect(page).toContain(`\`${code}\``);
  });
});
