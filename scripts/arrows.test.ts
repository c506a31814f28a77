import { describe, expect, test } from 'vitest';
import { arrowErrors } from './arrows.ts';

const manifests = {
  protocol: {
    exports: { '.': './src/protocol.ts', './operations': './src/operations/operations.ts' },
    dependencies: { zod: '1' },
  },
  indexer: { exports: { '.': './src/indexer.ts', './db': './src/db/db.ts' }, dependencies: { pg: '1' } },
  api: { exports: { '.': './src/api.ts' }, dependencies: { fastify: '1' }, devDependencies: { vitest: '1' } },
  devnet: { exports: { '.': './src/devnet.ts' } },
  contracts: {},
};
const errorsOf = (path: string, text: string) => arrowErrors([{ path, text }], manifests);

describe('arrowErrors', () => {
  test('default: arrows of the table, own files and declared dependencies pass', () => {
    const text = `
      import { readFileSync } from 'node:fs';
      import Fastify from 'fastify';
      import type { Chain } from '@mintage/protocol';
      import { operations } from '@mintage/protocol/operations';
      import { startDatabase } from '@mintage/indexer/db';
      export { x } from './other.ts';
      // import { y } from '@mintage/devnet';
    `;
    expect(errorsOf('packages/api/src/http/server.ts', text)).toEqual([]);
  });

  test('error: api sees only the database entry of the indexer', () => {
    expect(errorsOf('packages/api/src/a.ts', `import { startIndexer } from '@mintage/indexer';`)).toEqual([
      'packages/api/src/a.ts: api may not import @mintage/indexer',
    ]);
  });

  test('error: nothing points back, also not by a dynamic import', () => {
    expect(errorsOf('packages/protocol/src/a.ts', `const db = await import('@mintage/indexer/db');`)).toHaveLength(1);
    expect(errorsOf('packages/indexer/src/a.ts', `export * from '@mintage/api';`)).toHaveLength(1);
  });

  test('error: no reach into the files of another package', () => {
    expect(errorsOf('packages/api/src/a.ts', `import { x } from '../../indexer/src/db/db.ts';`)).toHaveLength(1);
    expect(errorsOf('packages/api/src/a.ts', `import { x } from '@mintage/protocol/src/curve.ts';`)).toHaveLength(1);
  });

  test('error: an undeclared dependency', () => {
    expect(errorsOf('packages/indexer/src/a.ts', `import sharp from 'sharp';`)).toEqual([
      'packages/indexer/src/a.ts: sharp is not a dependency in packages/indexer/package.json',
    ]);
  });

  test('error: protocol is pure', () => {
    expect(errorsOf('packages/protocol/src/a.ts', `import { readFileSync } from 'node:fs';`)).toHaveLength(1);
    expect(errorsOf('packages/protocol/src/a.ts', `export const now = () => Date.now();`)).toHaveLength(1);
  });

  test('behavior: only tests import devnet', () => {
    const text = `import { startSystem } from '@mintage/devnet';`;
    expect(errorsOf('packages/api/src/a.test.ts', text)).toEqual([]);
    expect(errorsOf('packages/api/src/a.ts', text)).toHaveLength(1);
  });
});
