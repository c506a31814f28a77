import { randomUUID } from 'node:crypto';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimSlug, kebabCase } from './claimSlug.ts';
import { type RunningDatabase } from './startDatabase.ts';

let database: RunningDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.stop());

describe('kebabCase', () => {
  test.each([
    ['Doge of Mars', 'doge-of-mars'],
    ['  Ünïcödé — Straße! ', 'unicode-strasse'],
    ['Łódź Øre æther', 'lodz-ore-aether'],
    ['ﬁne ½', 'fine-1-2'],
    ['狗', 'token'],
    ['', 'token'],
    ['--a--', 'a'],
    ['0xAbCd', 'token-0xabcd'],
    ['1'.repeat(32), `token-${'1'.repeat(32)}`],
    ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'token-6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
    [`a\u0000${'b '.repeat(100)}`, `a-${'b-'.repeat(31)}`.slice(0, 63)],
  ])('%j is %j', (name, slug) => {
    expect(kebabCase(name)).toBe(slug);
  });
});

describe('claimSlug', () => {
  test('numbers the tokens of one name from the second on, and remembers', async () => {
    const ids = Array.from({ length: 12 }, () => randomUUID());
    const slugs: string[] = [];
    for (const id of ids) slugs.push(await claimSlug(database.db, id, 'Same Name'));
    expect(slugs).toEqual(['same-name', ...Array.from({ length: 11 }, (_, i) => `same-name-${i + 2}`)]);
    expect(await claimSlug(database.db, ids[4] as string, 'Another')).toBe('same-name-5');
  });

  test('behavior: claims at once never share a slug', async () => {
    const ids = Array.from({ length: 40 }, () => randomUUID());
    const slugs = await Promise.all(ids.flatMap((id) => [id, id]).map((id) => claimSlug(database.db, id, 'Rush')));
    expect(new Set(slugs).size).toBe(40);
    for (let i = 0; i < slugs.length; i += 2) expect(slugs[i]).toBe(slugs[i + 1]);
  });
});
