import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { keptBuild } from '../build/kept.ts';
import { heldSizes, sizesOf } from '../build/sizes.ts';

it('invariant: no page loads more than it may', async () => {
  const held = heldSizes(sizesOf(await keptBuild('plain')));
  expect(held.filter(({ size, limit }) => !(size > 0 && size <= limit))).toEqual([]);
  expect(held.map(({ what }) => what)).toContain('script of the page home');
});

it('invariant: framed pages load no wallet, and no page loads React itself', async () => {
  const folder = await keptBuild('plain');
  const texts = (pattern: string): string[] =>
    globSync(pattern, { cwd: `${folder}/client` }).map((name) => readFileSync(`${folder}/client/${name}`, 'utf8'));
  const framed = texts('embed*.js').join('\n');
  expect(framed).not.toMatch(/eip6963|eth_sendTransaction|personal_sign/);
  const all = texts('*.js');
  expect(all.length).toBeGreaterThan(5);
  // Said in the messages of React's own code, and of the operations' schemas.
  for (const text of all) expect(text).not.toMatch(/react\.dev\/errors|Base units as text/);
});
