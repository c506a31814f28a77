import { readFileSync } from 'node:fs';
import { toolCodes, toolsOn } from '@mintage/protocol/tools';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTimeout, startToolWorld, type ToolClient, type ToolWorld } from './toolWorld.ts';

/** The examples of docs/tools.md, called as they stand. */
const page = readFileSync(new URL('../../../../docs/tools.md', import.meta.url), 'utf8');
const theTools = page.slice(page.indexOf('## The tools'));
const examples = theTools
  .split(/^### /m)
  .slice(1)
  .flatMap((section) => {
    const [name = ''] = section.split('\n');
    return [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => [name, text] as const);
  });

describe('docs/tools.md', () => {
  let world: ToolWorld;
  let client: ToolClient;
  beforeAll(async () => {
    world = await startToolWorld();
    const user = await world.newUser();
    client = await world.connect(await world.apiKey(user));
  }, startTimeout);
  afterAll(async () => {
    await client?.close();
    await world?.stop();
  });

  it.each(examples)('%s works as the page says: %s', async (name, text) => {
    const { isError, body } = await client.call(name, JSON.parse(text));
    expect(isError, JSON.stringify(body)).toBe(false);
  });

  it('has an example of each tool of the specification, and every code', () => {
    const named = new Set(examples.map(([name]) => name));
    for (const { name } of toolsOn(['base']).slice(0, 6)) expect(named).toContain(name);
    for (const code of toolCodes) expect(page).toContain(`\`${code}\``);
  });
});
