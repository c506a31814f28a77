import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { patientServer } from '@mintage/devnet/patientServer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** By the command line, which hands its words to the checkout's script. */
const doctor = async (words: string[], env: Record<string, string>) => {
  const program = fileURLToPath(new URL('../packages/cli/src/mintage.ts', import.meta.url));
  const child = spawn(process.execPath, [program, 'doctor', ...words], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, out, err };
};

describe('mintage doctor', () => {
  // What `npm start` answers where it serves no chain.
  const service = createServer(patientServer, (_, response) => response.end('{"chains":[]}'));
  let port: string;
  beforeAll(async () => {
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    port = String((service.address() as AddressInfo).port);
  });
  afterAll(() => service.close());

  it('default: sentences, and code 0 where all is well', async () => {
    const { code, out } = await doctor([], { PORT: port });
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^✓ configuration.*All is well\.\n$/s) });
  });

  it('behavior: with --json one document of all findings, each with what to do, and the same codes', async () => {
    const well = await doctor(['--json'], { PORT: port });
    expect(well).toMatchObject({ code: 0, err: '' });
    const finding = { state: 'well', found: expect.any(String), next: null };
    expect(JSON.parse(well.out)).toEqual({
      well: true,
      checks: [
        { ...finding, name: 'configuration' },
        { ...finding, name: 'service' },
      ],
    });
    const down = await doctor(['--json'], { PORT: '1' });
    expect(down).toMatchObject({ code: 1, err: '' });
    expect(JSON.parse(down.out)).toMatchObject({
      well: false,
      checks: [
        { state: 'well' },
        { name: 'service', state: 'wrong', found: expect.any(String), next: expect.stringContaining('npm start') },
      ],
    });
    const misconfigured = await doctor(['--json'], { PORT: 'x' });
    expect(misconfigured).toMatchObject({ code: 1, err: '' });
    expect(JSON.parse(misconfigured.out)).toMatchObject({ checks: [{ name: 'configuration', state: 'wrong' }] });
  });

  it('error: words that it does not take are not passed over', async () => {
    expect(await doctor(['--jsn'], { PORT: port })).toMatchObject({ code: 2, out: '' });
    expect((await doctor(['--help'], { PORT: port })).out).toContain('--json');
  });
});
