import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../packages/sdk/test/service.ts';
import { outside, packSdk } from './pack-sdk.ts';
import { node20 } from './sdk/node20.ts';

const readme = readFileSync(new URL('../packages/sdk/README.md', import.meta.url), 'utf8');
const modules = fileURLToPath(new URL('../node_modules/', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'mintage-sdk-user-'));
const write = (files: Record<string, string | object>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(project, name, '..'), { recursive: true });
    writeFileSync(join(project, name), typeof text === 'string' ? text : JSON.stringify(text));
  }
};
/** The service, which it calls, is in this process: so this one must not wait idly. */
const inBackground = async (
  args: string[],
  env: Record<string, string> = {},
  node = process.execPath,
): Promise<string> => (await promisify(execFile)(node, args, { cwd: project, env: { ...process.env, ...env } })).stdout;
/** Builds a Vite app of one file; returns the paths of what it made of it, in the project, the one that loads the others first. */
const bundle = async (name: string, source: string): Promise<[string, ...string[]]> => {
  write({ [`${name}/index.html`]: '<script type="module" src="./main.js"></script>', [`${name}/main.js`]: source });
  await build({
    root: join(project, name),
    logLevel: 'error',
    build: { rolldownOptions: { external: /^viem/ }, modulePreload: false, target: 'es2022' },
  });
  const folder = join(name, 'dist/assets');
  const isLater = (file: string): number => Number(!file.startsWith('index-'));
  const files = readdirSync(join(project, folder)).toSorted((one, other) => isLater(one) - isLater(other));
  return files.map((file) => join(folder, file)) as [string, ...string[]];
};
/** What the compiler says of the project and of the package; of the types of other packages nothing. */
const typeErrors = (): string[] =>
  spawnSync(join(modules, '.bin/tsc'), ['-p', '.', '--checkers', '1'], { cwd: project, encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.trim() !== '' && !/node_modules\/(viem|ox|abitype|zod)\//.test(line));

/** Calls, a stream, and a delivery that others signed: the example of Standard Webhooks. */
const program = (url: string): string => `
  import { createReader, createStreams, MintageError, verifyWebhook } from '@mintage/sdk';
  const client = createReader({ baseUrl: '${url}' });
  const error = await client.getTokenAbout({ token_id: 'none' }).catch((error) => error);
  const items = createStreams({ baseUrl: '${url}' }).stream({ topic: 'tokenActivity' }, { transport: 'events' });
  const { value } = await items.next();
  await items.return();
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const event = await verifyWebhook(secret, headers, '{"test": 2432232314}', { now: 1614265330000 });
  globalThis.answer = [await client.health(), error instanceof MintageError && error.code, value.type, event];
`;
const programAnswer = [{ status: 'ok' }, 'TOKEN_NOT_FOUND', 'begin', { test: 2_432_232_314 }];

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

  it('default: on Node 20, every entry', async () => {
    write({
      'old.js': `${program(service.url)}
        import * as sdk from '@mintage/sdk';
        import { definitions } from '@mintage/sdk/schemas';
        const { success } = definitions.getUserFees.input.safeParse({});
        console.log(JSON.stringify([process.version.split('.')[0], globalThis.answer, typeof sdk.execute, success]));`,
    });
    const said = await inBackground(['old.js'], {}, node20());
    expect(JSON.parse(said)).toEqual(['v20', programAnswer, 'function', true]);
  });

  it('behavior: its sources use nothing that Node 20 or a browser lacks, by their types', () => {
    // Without the types of Node, and of the language what Node 20 has.
    const args = ['-p', 'tsconfig.sdk.json', '--noEmit', '--declaration', 'false', '--checkers', '1'];
    const { stdout } = spawnSync(join(modules, '.bin/tsc'), args, { cwd: join(modules, '..'), encoding: 'utf8' });
    expect(stdout).toBe('');
  });

  it('default: bundled, with the globals that every worker has and no other: no page, nothing of Node', async () => {
    const [file] = await bundle('worker', program(service.url));
    const names = `fetch Headers Request Response URL URLSearchParams AbortController AbortSignal crypto atob btoa
      TextEncoder TextDecoder TextDecoderStream setTimeout clearTimeout setInterval clearInterval`.split(/\s+/);
    const context = createContext(Object.fromEntries(names.map((name) => [name, Reflect.get(globalThis, name)])));
    const source = readFileSync(join(project, file), 'utf8');
    const said = await runInContext(
      `(async () => {${source}; return [typeof process, typeof document, answer]})()`,
      context,
    );
    expect(JSON.parse(JSON.stringify(said))).toEqual(['undefined', 'undefined', programAnswer]);
  });

  it.each([
    ['node16', 'node16', ['typed.ts', 'schemas.ts', 'readme.ts']],
    ['esnext', 'bundler', ['typed.ts', 'readme.ts']],
  ])(
    'default: types for module %s with resolution %s, the package’s own included',
    (module, moduleResolution, files) => {
      write({
        'schemas.ts': `
        import { definitions } from '@mintage/sdk/schemas';
        export const parsed: string = definitions.tradeToken.input.parse({}).tokenId;`,
        // Its blocks are one program.
        'readme.ts': [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block).join(''),
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

  it('behavior: a Vite app has what it uses and no more: a reader within 12 kB, a wallet of EVM chains within 40, all but the schemas within 66', async () => {
    const sizes: Record<string, { atOnce: number; inAll: number }> = {};
    for (const [name, source] of [
      [
        'reader',
        "import { createReader } from '@mintage/sdk'; createReader({ baseUrl: URL_ }).health().then((it) => console.log(it));",
      ],
      [
        'evm',
        "import { checkPrepared, createClient, execute, readTrusted, runPlan, signIn } from '@mintage/sdk'; globalThis.sdk = { checkPrepared, createClient, execute, readTrusted, runPlan, signIn };",
      ],
      ['everything', "import * as sdk from '@mintage/sdk'; globalThis.sdk = sdk;"],
    ] as const) {
      const files = (await bundle(name, source.replace('URL_', `'${service.url}'`))).map((file) => join(project, file));
      const [atOnce = 0, ...later] = files.map((file) => gzipSync(readFileSync(file), { level: 9 }).length);
      sizes[name] = { atOnce, inAll: later.reduce((sum, size) => sum + size, atOnce) };
      if (name === 'reader') expect(await inBackground(files)).toBe("{ status: 'ok' }\n");
    }
    console.log('Bytes, gzip, without viem:', sizes);
    expect(sizes.reader?.inAll).toBeLessThanOrEqual(12_000);
    // What executes on Solana is loaded when a wallet of it does.
    expect(sizes.evm?.atOnce).toBeLessThanOrEqual(40_000);
    expect(sizes.everything?.inAll).toBeLessThanOrEqual(66_000);
  });
});
