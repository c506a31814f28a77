import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { freePort, tryPort } from './freePort.ts';

afterEach(() => vi.unstubAllEnvs());

it('freePort: gives each port once, also to other processes, until its server has had time to listen', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'mintage-ports-test-'));
  vi.stubEnv('TMPDIR', scratch);
  const leases = join(scratch, `mintage-ports-${userInfo().uid}`);
  const left = new Set([20_000, 26_000, 32_767]);
  mkdirSync(leases);
  // All others were given to somebody just now.
  for (let port = 20_000; port < 32_768; port += 1) if (!left.has(port)) writeFileSync(join(leases, String(port)), '');
  expect(new Set(await Promise.all([freePort(), freePort(), freePort()]))).toEqual(left);
  const before = Date.now() / 1_000 - 3_600;
  utimesSync(join(leases, '21234'), before, before);
  expect(await freePort()).toBe(21_234);
  rmSync(scratch, { recursive: true });
});

it('error: a port that is taken is no free one', async () => {
  const port = await freePort();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  await expect(tryPort(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await new Promise((resolve) => other.close(resolve));
});
