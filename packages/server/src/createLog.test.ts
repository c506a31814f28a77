import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const script = `
  import { createLog } from ${JSON.stringify(new URL('./createLog.ts', import.meta.url).href)};
  const log = createLog('info');
  for (let i = 0; i < 20_000; i++) {
    log.info({ i }, 'a line that is long enough to fill a page soon');
    if (i % 1_000 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  process.exit(7);`;

describe('createLog', () => {
  it('H17 error: a log that cannot be written, as on a full disk, neither ends the process nor keeps it from ending', async () => {
    const notWritable = openSync(fileURLToPath(import.meta.url), 'r');
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', notWritable, 'pipe'],
      timeout: 90_000,
      killSignal: 'SIGKILL',
    });
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    expect(await once(child, 'exit')).toEqual([7, null]);
    expect(said).toBe('');
  });
});
