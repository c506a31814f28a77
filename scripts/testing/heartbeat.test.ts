import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type FileResult, readResults } from './results.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What a run of `hung/waits.ts` printed, and its results. */
const runWith = async (hung: string): Promise<{ output: string; results: FileResult[] }> => {
  const results = mkdtempSync(join(tmpdir(), 'mintage-hung-'));
  const args = [
    'run',
    '--config=scripts/testing/hung/vitest.config.ts',
    '--root=.',
    '--reporter=default',
    '--reporter=./scripts/testing/reporter.ts',
  ];
  const env = { PATH: process.env.PATH, HUNG: hung, NO_COLOR: '1', TEST_RESULTS: results };
  try {
    const run = promisify(execFile)(`${root}node_modules/.bin/vitest`, args, { cwd: root, env });
    const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
    return { output: stdout + stderr, results: readResults(results) };
  } finally {
    rmSync(results, { recursive: true });
  }
};

describe('a file of which a test hangs', () => {
  it.each([
    ['test', 'Timed out: scripts/testing/hung/waits.ts > is never told', 'is never told'],
    ['poll', 'Matcher did not succeed in time', 'never sees it'],
  ])('behavior: %s', async (hung, told, name) => {
    const { output, results } = await runWith(hung);
    expect(output).toContain(told);
    expect(output).toContain(`Not run: "${name}" waited in vain earlier in this file`);
    expect(results).toMatchObject([{ passed: 1, failed: 2, failures: [name, 'would wait for the same'] }]);
  });

  it('behavior: its worker is ended the second time that a hook hangs', async () => {
    const { output, results } = await runWith('hooks');
    expect(output.match(/^Timed out: /gm)).toHaveLength(2);
    expect(results.reduce((sum, { failed }) => sum + failed, 0)).toBeGreaterThan(0);
  });

  it('behavior: an error that belongs to no test is a failure', async () => {
    const { results } = await runWith('rejection');
    expect(results).toMatchObject([
      { passed: 3, failed: 0 },
      { file: 'outside of every test', failed: 1, failures: ['not awaited'] },
    ]);
  });

  it('default: one of which none hangs', async () => {
    expect((await runWith('')).results).toMatchObject([{ passed: 2, failed: 0 }]);
  });
});
