import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startChains } from '@mintage/devnet';
import { freePort } from '@mintage/devnet/freePort';
import { keepDeployments } from '@mintage/devnet/keepDeployments';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { createClosers } from '@mintage/server';
import { type RunningDatabase, type SignerDatabase, signerChannel } from '@mintage/server/db';
import { makeIntentKeyFiles, makeKekFile } from '@mintage/server/keys';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roleProcess } from '../../packages/devnet/test/scaleOut/roleProcess.ts';
import { lockIn, megabytesOf, packagesIn, productionInstall } from '../install/productionInstall.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const closers = createClosers();
const install = mkdtempSync(join(tmpdir(), 'mintage-install-'));

beforeAll(async () => {
  closers.add(() => rmSync(install, { recursive: true, force: true }));
  await productionInstall(install);
});
afterAll(() => closers.closeAll());

describe('what is installed', () => {
  it('default: what runs by the lock, all of it and nothing else', () => {
    const lock = Object.entries(lockIn(install)).filter(([path, { link }]) => path.includes('node_modules/') && !link);
    const runs = lock.filter(([, { dev }]) => !dev);
    const installed = packagesIn(install);
    expect(installed.filter((path) => !runs.some(([place]) => place === path))).toEqual([]);
    expect(runs.filter(([path, { optional }]) => !optional && !installed.includes(path))).toEqual([]);
  });

  it('default: with Node, the database and our own sources no more than 450 MB', () => {
    expect(megabytesOf(install)).toBeLessThanOrEqual(450);
    // `npm ci --omit=dev` keeps what pruning removes.
    expect(globSync('node_modules/node/**/include', { cwd: root })).toEqual([]);
  });

  it('default: the bill of materials is valid and lists it, and us', () => {
    const file = join(install, 'sbom.json');
    execFileSync('npm', ['run', '--silent', 'sbom', '--', '--output-file', file], { cwd: root });
    const { components } = JSON.parse(readFileSync(file, 'utf8')) as Component;
    // Node's package fetches its binary by itself, by a package of which it keeps more or less.
    const listed = new Set(
      everyPart(components)
        .map(({ purl = '' }) => decodeURIComponent(purl))
        .filter((purl) => !/^pkg:npm\/node-(linux|darwin)-/.test(purl)),
    );
    const lock = lockIn(install);
    const ours = Object.entries(lock).flatMap(([path, { link, resolved = '' }]) =>
      link ? [`${nameIn(path)}@${lock[resolved]?.version}`] : [],
    );
    const theirs = packagesIn(install).map((path) => `${lock[path]?.name ?? nameIn(path)}@${lock[path]?.version}`);
    expect([...listed].toSorted()).toEqual([...new Set([...ours, ...theirs].map((id) => `pkg:npm/${id}`))].toSorted());
  });
});

interface Component {
  purl?: string;
  components?: Component[];
}

const everyPart = (components: Component[] = []): Component[] =>
  components.flatMap((part) => [part, ...everyPart(part.components)]);

const nameIn = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

describe('what runs from it', () => {
  let database: RunningDatabase;
  let env: Record<string, string>;
  let port: number;
  const start = async (name: string, own: Record<string, string>): Promise<void> => {
    const started = roleProcess(name, { ...env, ...own }, install);
    closers.add(async () => void (await started.end('SIGTERM')));
    await started.start();
  };

  beforeAll(async () => {
    const local = await startChains(['base-sepolia']);
    closers.add(local.stop);
    database = await testDatabase();
    closers.add(database.stop);
    const [chain] = local.chains;
    const home = join(install, 'home');
    keepDeployments(
      home,
      local.chains.map(({ deployment }) => deployment),
    );
    for (const role of ['api', 'signer']) makeKekFile(join(home, `${role}.kek`));
    port = await freePort();
    env = {
      NODE_ENV: 'production',
      DEVNET: '0',
      CHAINS: 'base-sepolia',
      RPC_URL_BASE_SEPOLIA: chain?.rpcUrl ?? '',
      DATABASE_URL: database.url,
      MINTAGE_HOME: home,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      ...makeIntentKeyFiles(home),
    };
    await Promise.all([
      start('indexer', { ROLES: 'indexer' }),
      start('signer', { ROLES: 'signer', KEK_FILE: join(home, 'signer.kek') }),
      start('APIs', { ROLES: 'api', WORKERS: '2', KEK_FILE: join(home, 'api.kek') }),
    ]);
  });

  const answer = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, text: await response.text() };
  };
  const run = async (words: string[], own: Record<string, string> = {}) => {
    const child = spawn(join(install, 'node_modules/.bin/node'), words, {
      cwd: install,
      env: { ...process.env, ...env, ...own },
    });
    const [said, [status]] = await Promise.all([wordsOf(child), once(child, 'close')]);
    return { status, text: said };
  };

  it('api and indexer: workers answer, with pages and documentation, and the chain is indexed to its head', async () => {
    expect(await answer('/health')).toEqual({ status: 200, text: '{"status":"ok"}' });
    await expect.poll(() => answer('/ready')).toMatchObject({ status: 200 });
    expect(await answer('/')).toMatchObject({ status: 200, text: expect.stringContaining('<h1') });
    expect(await answer('/docs')).toMatchObject({ status: 200, text: expect.stringContaining('<h1') });
  });

  it('signer: makes a wallet', async () => {
    const user_id = randomUUID();
    const db = database.db.withTables<SignerDatabase>();
    await db.insertInto('embedded_wallet').values({ user_id, chain_type: 'evm' }).execute();
    await sql`select pg_notify(${signerChannel}, '')`.execute(db);
    const wallet = db.selectFrom('embedded_wallet').select('address').where('user_id', '=', user_id);
    await expect.poll(() => wallet.executeTakeFirst()).toEqual({ address: expect.stringMatching(/^0x/) });
  });

  it("the operator's commands", async () => {
    const mintage = join(install, 'packages/cli/src/mintage.ts');
    const [doctor, backup, admin] = await Promise.all([
      run([mintage, 'doctor']),
      run([mintage, 'backup', join(install, 'kept')]),
      run(['scripts/admin.ts', 'pause', 'maintenance']),
    ]);
    expect(doctor.text).toContain('contracts as deployed');
    expect(doctor.text).toContain('all tables up to date');
    expect([backup.status, admin.status]).toEqual([0, 0]);
  });

  it('error: what it cannot do says what to run first', async () => {
    rmSync(join(install, 'packages/web/dist'), { recursive: true });
    const local = { NODE_ENV: '', DEVNET: '1', RPC_URL_BASE_SEPOLIA: '', PORT: '0' };
    const [devnet, build] = await Promise.all([
      run(['scripts/start.mjs'], { ...local, MINTAGE_HOME: join(install, 'local') }),
      run(['scripts/build.ts']),
    ]);
    expect(devnet).toEqual({ status: 1, text: expect.stringContaining('which is not installed: run `npm ci`.') });
    expect(build).toEqual({ status: 1, text: expect.stringContaining('run `npm ci`, `npm run build` and') });
  });
});

const wordsOf = async ({ stdout, stderr }: ChildProcessWithoutNullStreams): Promise<string> =>
  (await Promise.all([text(stdout), text(stderr)])).join('');
