import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testKinds } from '../testKinds.ts';
import { root } from './run.ts';
import { subjectOf } from './sets.ts';
import { setOf } from './testSet.ts';

/** The rule of CONTRIBUTING.md: beside the file that it tests and with its name, or in a folder `test`. */
const placeError = (path: string, exists: (path: string) => boolean): string | null => {
  const tested = path.replace(/(\.deep)?\.test\.ts$/, '');
  const isBeside = exists(`${tested}.ts`) || exists(`${tested}.tsx`);
  if (isBeside || path.split('/').includes('test')) return null;
  return `${path} tests no file beside it: it belongs into the folder test.`;
};

describe('where a test stands', () => {
  it('every file that is called a test is in a set', () => {
    const named = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.*'], {
      cwd: root,
      encoding: 'utf8',
    });
    const files = named.split('\n').filter((path) => path !== '' && existsSync(join(root, path)));
    expect(files.length).toBeGreaterThan(400);
    expect(new Set(files).difference(new Set(testKinds().keys()))).toEqual(new Set());
  });

  it('default: beside its file, or in a folder test', () => {
    const errors = [...testKinds().keys()].map((path) => placeError(path, (file) => existsSync(join(root, file))));
    expect(errors.filter((error) => error !== null)).toEqual([]);
  });

  it('error: a test beside other files', () => {
    const files = ['packages/server/src/lock.ts', 'packages/web/src/app.tsx'];
    const errorOf = (path: string) => placeError(path, (file) => files.includes(file));
    expect(errorOf('packages/server/src/lock.test.ts')).toBeNull();
    expect(errorOf('packages/server/src/lock.deep.test.ts')).toBeNull();
    expect(errorOf('packages/web/src/app.test.ts')).toBeNull();
    expect(errorOf('packages/server/test/api/locks.test.ts')).toBeNull();
    expect(errorOf('packages/server/src/locks.test.ts')).toContain('belongs into the folder test');
  });
});

describe('setOf and subjectOf', () => {
  it.each([
    ['packages/server/test/sign/trouble.deep.test.ts', 'deep', 'server/sign'],
    ['packages/server/src/sign/policy.test.ts', 'quick', 'server/sign'],
    ['packages/server/src/config.test.ts', 'quick', 'server'],
    ['packages/server/test/chain/solana/market.test.ts', 'quick', 'solana'],
    ['packages/web/test/solana.browser.deep.test.ts', 'deep', 'solana'],
    ['packages/web/test/trade.browser.deep.test.ts', 'deep', 'web'],
    ['scripts/backup.deep.test.ts', 'deep', 'scripts'],
  ])('default: %s', (path, set, subject) => {
    expect([setOf(path), subjectOf(path)]).toEqual([set, subject]);
  });
});
