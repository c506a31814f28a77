import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { installFonts } from './fonts.ts';

it('behavior: what a killed process left behind goes with the next start, and a running one keeps its own', () => {
  const source = `import { installFonts } from ${JSON.stringify(new URL('./fonts.ts', import.meta.url).href)};
    process.stdout.write(installFonts().file, () => process.kill(process.pid, 'SIGKILL'));`;
  const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' });
  expect([signal, existsSync(stdout)]).toEqual(['SIGKILL', true]);
  const one = installFonts();
  const other = installFonts();
  expect([existsSync(dirname(stdout)), existsSync(one.file), existsSync(other.file)]).toEqual([false, true, true]);
  one.remove();
  other.remove();
  expect([existsSync(one.file), existsSync(other.file)]).toEqual([false, false]);
});
