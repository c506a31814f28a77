import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What a run of `hung/waits.ts` printed. */
const outputOf = async (hung: string): Promise<string> => {
  const args = [
    'run',
    '--config=scripts/testing/hung/vitest.config.ts',
    '--root=.',
    '--reporter=default',
    '--reporter=./scripts/testing/reporter.ts',
  ];
  const env = { PATH: process.env.PATH, HUNG: hung, NO_COLOR: '1' };
  const run = promisify(execFile)(`${root}node_modules/.bin/vitest`, args, { cwd: root, env });
  return run.then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr }) => stdout + stderr,
  );
};

describe('a file of which a test hangs', () => {
  it.each([
    ['test', 'Timed out: scripts/testing/hung/waits.ts > is never told', 'is never told'],
    ['poll', 'Matcher did not succeed in time', 'never sees it'],
  ])('behavior: %s', async (hung, told, name) => {
    const output = await outputOf(hung);
    expect(output).toContain(told);
    expect(output).toContain(`Not run, because "${name}" before it waited in vain`);
    expect(output).toMatch(/Tests {2}2 failed \| 1 passed \| 1 skipped/);
  });

  it('default: one of which none hangs', async () => {
    expect(await outputOf('')).toMatch(/Tests {2}2 passed \| 2 skipped/);
  });
});
