import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../packages/sdk/test/service.ts';
import { outside, packSdk } from './pack-sdk.ts';

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'mintage-sdk-user-'));
const write = (files: Record<string, string | object>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(project, name, '..'), { recursive: true });
    writeFileSync(join(project, name), typeof text === 'string' ? text : JSON.stringify(text));
  }
};
/** The service, which it calls, is in this process: so this one must not wait idly. */
const inBackground = async (args: string[], env: Record<string, string> = {}): Promise<string> =>
  (await promisify(execFile)(process.execPath, args, { cwd: project, env: { ...process.env, ...env } })).stdout;
/** What the compiler says of the project and of the package; of the types of other packages nothing. */
const typeErrors = (): string[] =>
  spawnSync(join(modules, '.bin/tsc'), ['-p', '.'], { cwd: project, encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.trim() !== '' && !/node_modules\/(viem|ox|abitype|zod)\//.test(line));

let service: TestService;
beforeAll(async () => {
  service = await startService();
  const tarball = await packSdk(project);
  // The same files as everywhere in this tree, so that the test asks no registry.
  const ours = Object.fromEntries(Object.keys(outside).map((name) => [name, `file:${modules}${name}`]));
  write({
    'package.json': {
      name: 'user',
      private: true,
      type: 'module',
      dependencies: { '@mintage/sdk': `file:${tarball}`, ...ours },
      overrides: ours,
    },
  });
  execFileSync('npm', ['install', '--offline', '--ignore-scripts'], { cwd: project });
});
afterAll(async () => {
  await service?.stop();
  rmSync(project, { recursive: true, force: true });
});

describe('the packed SDK', () => {
  it('default: an empty project calls the service, and checks an input by the schemas', async () => {
    write({
      'call.js': `
        import { createClient, MintageError } from '@mintage/sdk';
        import { definitions } from '@mintage/sdk/schemas';
        const client = createClient({ baseUrl: process.env.URL, network: 'Testnet' });
        const error = await client.getTokenAbout({ token_id: 'none' }).catch((error) => error);
        const { success } = definitions.tradeToken.input.safeParse({});
        console.log(JSON.stringify([await client.health(), error instanceof MintageError && error.code, success]));`,
    });
    const said = await inBackground(['call.js'], { URL: service.url });
    expect(JSON.parse(said)).toEqual([{ status: 'ok' }, 'TOKEN_NOT_FOUND', false]);
  });

  it.each([
    ['node16', 'node16', ['typed.ts', 'schemas.ts']],
    ['esnext', 'bundler', ['typed.ts']],
  ])(
    'default: types for module %s with resolution %s, the package’s own included',
    (module, moduleResolution, files) => {
      write({
        'schemas.ts': `
        import { definitions } from '@mintage/sdk/schemas';
        export const parsed: string = definitions.tradeToken.input.parse({}).tokenId;`,
        'typed.ts': `
        import { createClient, type TradeTokenAnswer, wallet } from '@mintage/sdk';
        import { privateKeyToAccount } from 'viem/accounts';
        const signing = { platformName: 'Mintage', network: 'Testnet', chainId: 1 } as const;
        const auth = wallet(privateKeyToAccount('0x01'), signing);
        const client = createClient({ baseUrl: 'https://example.com', network: 'Testnet', auth });
        const order = { tokenId: 'x', chainSlug: 'base', direction: 'buy', buyAmountUSD: 5 } as const;
        export const bought: TradeTokenAnswer = await client.tradeToken(order);
        export const gas: string = bought.transaction.gasLimit;
        // @ts-expect-error no such direction
        await client.tradeToken({ ...order, direction: 'up' });
        // @ts-expect-error no such field
        export const none = bought.transaction.gas;`,
        'tsconfig.json': {
          compilerOptions: {
            module,
            moduleResolution,
            target: 'es2022',
            lib: ['es2022', 'dom'],
            strict: true,
            noEmit: true,
            skipLibCheck: false,
            types: [],
          },
          files,
        },
      });
      expect(typeErrors()).toEqual([]);
    },
  );

  it('behavior: a Vite app has what it uses and no more: a reader within 12 kB, all but the schemas within 41.5', async () => {
    const sizes: Record<string, number> = {};
    for (const [name, source] of [
      [
        'reader',
        "import { createReader } from '@mintage/sdk'; createReader({ baseUrl: URL_ }).health().then((it) => console.log(it));",
      ],
      ['everything', "import * as sdk from '@mintage/sdk'; globalThis.sdk = sdk;"],
    ] as const) {
      const entry = source.replace('URL_', `'${service.url}'`);
      write({ [`${name}/index.html`]: '<script type="module" src="./main.js"></script>', [`${name}/main.js`]: entry });
      await build({
        root: join(project, name),
        logLevel: 'error',
        build: { rolldownOptions: { external: /^viem/ }, modulePreload: false, target: 'es2022' },
      });
      const assets = join(project, name, 'dist/assets');
      const [file] = readdirSync(assets) as [string];
      sizes[name] = gzipSync(readFileSync(join(assets, file)), { level: 9 }).length;
      if (name === 'reader') expect(await inBackground([join(assets, file)])).toBe("{ status: 'ok' }\n");
    }
    console.log('Bytes, gzip, without viem:', sizes);
    expect(sizes.reader).toBeLessThanOrEqual(12_000);
    expect(sizes.everything).toBeLessThanOrEqual(41_500); // the goal is 40,000: docs/decisions/0047-sdk.md
  });
});
