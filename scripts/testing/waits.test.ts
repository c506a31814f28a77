import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sizes } from './sizes.ts';
import { hastyIn } from './waits.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const ours = globSync(['{packages,scripts}/**/*.test.ts', 'packages/*/test/**/*.ts'], {
  cwd: root,
  exclude: (path) => path.includes('node_modules') || path.startsWith('scripts/testing'),
});

const hastyOf = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => hastyIn(readFileSync(`${root}${path}`, 'utf8')).map((line) => `${path}:${line}`));

describe('tests on a busy machine', () => {
  it('none has a limit of its own: a machine may be busy, and what hangs ends soon', () => {
    expect(ours.length).toBeGreaterThan(400);
    expect(hastyOf(ours)).toEqual([]);
  });

  it('no server that tests talk to closes idle connections', () => {
    const helpers = globSync('{scripts/{attack,examples,guides},packages/devnet/src}/**/*.ts', { cwd: root });
    expect(helpers.length).toBeGreaterThan(20);
    expect(hastyOf(helpers).filter((line) => line.includes('patientServer'))).toEqual([]);
  });

  it('every variable by which a campaign grows takes the limits away', () => {
    const read = ours.flatMap((path) =>
      [...readFileSync(`${root}${path}`, 'utf8').matchAll(/Number\(process\.env\.(\w+)/g)].map(([, name]) => name),
    );
    const grows = read.filter((name) => !name?.endsWith('SEED'));
    expect(new Set(grows).difference(new Set(sizes))).toEqual(new Set());
  });

  it.each([
    'await vi.waitFor(() => seen());',
    'await vi.waitUntil(seen, 5_000);',
    'for (let attempt = 0; attempt < 300; attempt++) {\n  if (await seen()) return;\n  await sleep(100);\n}',
    'expect(performance.now() - began).toBeLessThan(1_900);',
    '  }, 60_000);',
    '  }, 240_000);',
    '  }, 60000);',
    '  }, 5 * 60_000);',
    '  }, startLimit);',
    'it("a", { retry: 3 }, () => {});',
    'vi.setConfig({ testTimeout: 5_000 });',
    'await expect.poll(seen, { timeout: 5000 }).toBe(true);',
    'describe("long", { timeout: 600_000 }, () => {});',
    'await expect.poll(seen, { timeout: 20_000 }).toBe(true);',
    "import { createServer, type Server } from 'node:http';\nconst server = createServer(answer);",
    "import https from 'node:https';\nconst server = https.createServer(certificate, answer);",
  ])('error: %j', (source) => {
    expect(hastyIn(source)).toHaveLength(1);
  });

  it.each([
    'await expect.poll(seen).toBe(true);',
    'await until(seen);',
    'for (let attempt = 0; attempt < 3; attempt++) await send();',
    'const client = createFetcher({ timeoutMs: 50 });',
    "import { createServer } from 'node:net';\nconst server = createServer(answer);",
    "import { createServer } from 'node:http';\nconst server = createServer(\n  patientServer,\n  answer);",
    "import { createServer } from 'node:https';\nconst server = createServer({ ...certificate, ...patientServer }, answer);",
  ])('default: %j', (source) => {
    expect(hastyIn(source)).toEqual([]);
  });
});
