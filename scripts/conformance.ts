/**
 * `npm run conformance`: the protocol's own conformance suite against the tool server's transport, at what each of the
 * two revisions requires. What fails and why it may is in packages/server/test/api/tools/conformance-<revision>.yml; a scenario
 * that fails without being there, or passes while being there, fails the run.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startConformanceServer } from '../packages/server/test/api/tools/conformanceServer.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const suite = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const revisions = ['2025-11-25', '2026-07-28'];

const run = (parameters: string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [suite, ...parameters], { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });

const scratch = mkdtempSync(join(tmpdir(), 'mintage-conformance-'));
const server = await startConformanceServer();
try {
  for (const revision of revisions) {
    const expected = join(root, `packages/server/test/api/tools/conformance-${revision}.yml`);
    const options = ['--requirements', revision, '--expected-failures', expected, '--output-dir', scratch];
    if ((await run(['server', '--url', server.url, ...options])) !== 0) process.exitCode = 1;
  }
} finally {
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
}
