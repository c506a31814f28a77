import { describe, expect, test } from 'vitest';
import { arrowErrors, circleErrors } from './arrows.ts';

const manifests = {
  protocol: {
    exports: { '.': './src/protocol.ts', './operations': './src/operations/operations.ts' },
    dependencies: { zod: '1' },
  },
  server: {
    exports: { '.': './src/server.ts', './db': './src/db/db.ts' },
    dependencies: { fastify: '1' },
    devDependencies: { vitest: '1' },
  },
  web: { exports: { '.': './src/web.ts' } },
  cli: {},
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
      import { migrate } from '../../db/migrate.ts';
      export { x } from './other.ts';
      // import { y } from '@mintage/devnet';
    `;
    expect(errorsOf('packages/server/src/api/wire/server.ts', text)).toEqual([]);
  });

  test('error: W3 a role knows nothing of another', () => {
    expect(errorsOf('packages/server/src/api/trade/a.ts', `import '../../sign/signer.ts';`)).toEqual([
      'packages/server/src/api/trade/a.ts: packages/server/src/api may not import packages/server/src/sign',
    ]);
    expect(errorsOf('packages/server/src/sign/a.ts', `import type { X } from '../index/indexer.ts';`)).toHaveLength(1);
    expect(errorsOf('packages/server/src/db/a.ts', `await import('../sign/signer.ts');`)).toHaveLength(1);
    expect(errorsOf('packages/server/src/roles.ts', `await import('./sign/signer.ts');`)).toEqual([]);
  });

  test('error: nothing points back, also not by a dynamic import', () => {
    expect(errorsOf('packages/protocol/src/a.ts', `const db = await import('@mintage/server/db');`)).toHaveLength(1);
    expect(errorsOf('packages/web/src/a.ts', `export * from '@mintage/server';`)).toHaveLength(1);
  });

  test('error: no reach into the files of another package', () => {
    expect(errorsOf('packages/devnet/src/a.ts', `import { x } from '../../server/src/db/db.ts';`)).toHaveLength(1);
    expect(errorsOf('packages/server/src/a.ts', `import { x } from '@mintage/protocol/src/curve.ts';`)).toHaveLength(1);
  });

  test('error: an undeclared dependency', () => {
    expect(errorsOf('packages/server/src/a.ts', `import sharp from 'sharp';`)).toEqual([
      'packages/server/src/a.ts: sharp is not a dependency in packages/server/package.json',
    ]);
  });

  test('error: protocol is pure', () => {
    expect(errorsOf('packages/protocol/src/a.ts', `import { readFileSync } from 'node:fs';`)).toHaveLength(1);
    expect(errorsOf('packages/protocol/src/a.ts', `export const now = () => Date.now();`)).toHaveLength(1);
  });

  test('behavior: a folder imports itself and those before it; a file beside the folders imports all of them', () => {
    const curve = `import { invalid } from '../schemas/errors.ts'; import { ceilDiv } from './rounding.ts';`;
    expect(errorsOf('packages/protocol/src/maths/curve.ts', curve)).toEqual([]);
    expect(errorsOf('packages/protocol/src/protocol.ts', `export * from './tools/tools.ts';`)).toEqual([]);
  });

  test('error: a folder imports one that comes after it, or the file that exports them all', () => {
    expect(errorsOf('packages/protocol/src/maths/curve.ts', `import '../operations/operation.ts';`)).toEqual([
      'packages/protocol/src/maths/curve.ts: maths comes before operations in packages/protocol/src, so may not import it',
    ]);
    expect(errorsOf('packages/protocol/src/maths/pool/swap.ts', `import '../../evm/calldata.ts';`)).toHaveLength(1);
    expect(errorsOf('packages/protocol/src/tools/tools.ts', `import '../protocol.ts';`)).toHaveLength(1);
  });

  test('behavior: only handlers and what lies above them know the context of a handler', () => {
    const context = `import type { Context } from '../handlers/context.ts';`;
    expect(errorsOf('packages/server/src/api/trade/a.ts', context)).toEqual([
      'packages/server/src/api/trade/a.ts: trade comes before handlers in packages/server/src/api, so may not import it',
    ]);
    expect(errorsOf('packages/server/src/api/handlers/a.ts', `import { call } from '../call.ts';`)).toHaveLength(1);
    expect(errorsOf('packages/server/src/api/surfaces/a.ts', `import { call } from '../call.ts'; ${context}`)).toEqual(
      [],
    );
  });

  test('error: what differs between families of chains is reached by its folder and the list of families only', () => {
    const path = 'packages/server/src/chain/deployments.ts';
    expect(errorsOf(path, `import { createEvmClient } from './evm/evmClient.ts';`)).toEqual([
      `${path}: only folders called evm may import packages/server/src/chain/evm`,
    ]);
    const follower = `await import('./index/evm/evmFollower.ts');`;
    expect(errorsOf('packages/server/src/families.ts', follower)).toEqual([]);
    expect(errorsOf('packages/server/src/roles.ts', follower)).toHaveLength(1);
    const heads = `import { listenForHeads } from '../../chain/evm/newHeads.ts';`;
    expect(errorsOf('packages/server/src/index/evm/follower.ts', heads)).toEqual([]);
    expect(errorsOf('packages/server/src/index/evm/follower.test.ts', heads)).toEqual([]);
    expect(errorsOf('packages/server/src/index/store/store.ts', heads)).toHaveLength(1);
    expect(errorsOf('packages/protocol/src/tools/tools.ts', `import '../evm/calldata.ts';`)).toEqual([]);
  });

  test('behavior: only what takes a signature of a wallet reaches the files of the API for it', () => {
    const text = `import { recoverSigner } from '../accounts/evm/recoverSigner.ts';`;
    expect(errorsOf('packages/server/src/api/handlers/platformAction.ts', text)).toEqual([]);
    expect(errorsOf('packages/server/src/api/handlers/tradeToken.ts', text)).toEqual([
      'packages/server/src/api/handlers/tradeToken.ts: only folders called evm may import packages/server/src/api/accounts/evm',
    ]);
    const client = `import { createEvmClient } from '../../chain/evm/evmClient.ts';`;
    expect(errorsOf('packages/server/src/api/handlers/platformAction.ts', client)).toHaveLength(1);
  });

  test("behavior: an event's file reads the words of a family's log, and nothing else of that family", () => {
    const path = 'packages/server/src/index/handlers/Trade.ts';
    expect(errorsOf(path, `import { uintAt } from '../events/evm/words.ts';`)).toEqual([]);
    expect(errorsOf(path, `import { erc20Abi } from '../../chain/evm/calls.ts';`)).toHaveLength(1);
    expect(errorsOf('packages/server/src/index/page/page.ts', `import '../events/evm/words.ts';`)).toHaveLength(1);
  });

  test('error: folders that import each other, directly or round a corner', () => {
    const ring = (paths: Record<string, string>) =>
      arrowErrors(
        Object.entries(paths).map(([path, to]) => ({ path: `packages/cli/src/${path}`, text: `import '${to}';` })),
        manifests,
      );
    const error = (name: string) => `packages/cli/src/${name}: is in a ring of folders: what it imports imports it`;
    expect(ring({ 'a/one.ts': '../b/two.ts', 'b/two.ts': '../c/three.ts', 'c/three.ts': '../d.ts' })).toEqual([]);
    expect(ring({ 'a/one.ts': '../b/two.ts', 'b/two.ts': '../c.ts', 'c.ts': './a/four.ts' })).toEqual([
      error('a'),
      error('b'),
    ]);
    expect(ring({ 'x/a/one.ts': '../b/two.ts', 'x/b/two.ts': '../a/four.ts' })).toEqual([error('x/a'), error('x/b')]);
    expect(ring({ 'a/one.ts': './two.ts', 'a/two.ts': './one.ts' })).toEqual([]);
  });

  test('error: files that import each other, directly or round a corner, be it for types or in tests', () => {
    const circles = (paths: Record<string, string>) =>
      circleErrors(Object.entries(paths).map(([path, text]) => ({ path, text })));
    const types = (path: string) => `import type { X } from '${path}';`;
    expect(circles({ 'a/one.ts': types('../b/two.ts'), 'b/two.ts': types('./three.tsx'), 'b/three.tsx': '' })).toEqual(
      [],
    );
    expect(circles({ 'a/one.ts': types('./two.ts'), 'a/two.ts': `export * from './one.ts';` })).toEqual([
      'circle of files: a/one.ts → a/two.ts → a/one.ts',
    ]);
    const test = `import { x } from './two.ts';`;
    const corner = { 'a/two.ts': types('../b/three.ts'), 'b/three.ts': `load([import('../a/one.test.ts')]);` };
    expect(circles({ 'c/zero.ts': `import '../a/one.test.ts';`, 'a/one.test.ts': test, ...corner })).toEqual([
      'circle of files: a/one.test.ts → a/two.ts → b/three.ts → a/one.test.ts',
    ]);
    expect(circles({ 'a/one.ts': types('./one.ts') })).toHaveLength(1);
  });

  test('error: one feature of the web app imports another', () => {
    expect(errorsOf('packages/web/src/features/market/Market.tsx', `import '../trade/TradeBox.tsx';`)).toEqual([
      'packages/web/src/features/market/Market.tsx: market and trade know nothing of each other',
    ]);
    expect(errorsOf('packages/web/src/features/market/Market.tsx', `import './Row.tsx';`)).toEqual([]);
  });

  test('error: a feature says words of another, or what every page loads says words of a feature', () => {
    const says = (name: string) => `import * as t from '../../messages/en/${name}.ts';`;
    expect(errorsOf('packages/web/src/features/market/Market.tsx', says('market'))).toEqual([]);
    expect(errorsOf('packages/web/src/features/market/Market.tsx', says('trade'))).toEqual([
      'packages/web/src/features/market/Market.tsx: its words are those of market.ts, not of trade.ts',
    ]);
    expect(errorsOf('packages/web/src/shell/foot/Foot.tsx', says('market'))).toHaveLength(1);
    expect(errorsOf('packages/web/src/shell/foot/Foot.tsx', says('common'))).toEqual([]);
    expect(errorsOf('packages/web/src/ui/a.tsx', `import * as t from '../messages/en/trade.ts';`)).toHaveLength(1);
    expect(errorsOf('packages/web/src/routes/a.tsx', `import * as t from '../messages/en/trade.ts';`)).toEqual([]);
  });

  test('error: a folder without a place in the order', () => {
    expect(errorsOf('packages/protocol/src/helpers/a.ts', `import '../maths/curve.ts';`)).toEqual([
      'packages/protocol/src/helpers/a.ts: folder packages/protocol/src/helpers has no place in the order of scripts/arrows.ts',
    ]);
  });

  test('behavior: only tests import devnet', () => {
    const text = `import { startSystem } from '@mintage/devnet';`;
    expect(errorsOf('packages/server/src/a.test.ts', text)).toEqual([]);
    expect(errorsOf('packages/server/src/a.ts', text)).toHaveLength(1);
  });
});
