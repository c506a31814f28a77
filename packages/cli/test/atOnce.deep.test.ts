import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { patientServer } from '@mintage/devnet/patientServer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unseal } from '../src/profile/sealed.ts';

const program = fileURLToPath(new URL('../src/mintage.ts', import.meta.url));
const many = 6;

/** Answers everybody at the same moment, so that all of them go on together. */
let together = many;
const waiting: ServerResponse[] = [];
const service = createServer(patientServer, (_, response) => {
  waiting.push(response);
  if (waiting.length < together) return;
  for (const one of waiting.splice(0)) one.setHeader('content-type', 'application/json').end('{"chains":[]}');
});

let home: string;
let url: string;
beforeAll(async () => {
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(() => service.close());
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mintage-cli-at-once-'));
  return () => rmSync(home, { recursive: true, force: true });
});

const run = async (words: string[], env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [program, ...words], {
    env: { PATH: process.env.PATH, XDG_CONFIG_HOME: home, MINTAGE_PASSWORD: 'a password', MINTAGE_URL: url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code: code as number, err };
};
const file = (name: string) => join(home, 'mintage', name);
const kept = () => JSON.parse(readFileSync(file('profiles.json'), 'utf8'));
const numbers = Array.from({ length: many }, (_, index) => index);

describe('commands at once', () => {
  it('behavior: each makes its profile, and each change of one profile stays', async () => {
    together = many;
    const made = await Promise.all(numbers.map((one) => run(['init', '--anonymous', '--profile', `p${one}`])));
    expect(made).toEqual(numbers.map(() => ({ code: 0, err: '' })));
    expect(Object.keys(kept().profiles).toSorted()).toEqual(numbers.map((one) => `p${one}`));
    expect(existsSync(file('profiles.json.lock'))).toBe(false);
    const served = kept();
    served.profiles.p0.trusted = Object.fromEntries(numbers.map((one) => [`chain-${one}`, {}]));
    writeFileSync(file('profiles.json'), JSON.stringify(served));
    const set = ['profile', 'rpc', '--profile', 'p0', '--url', url];
    await Promise.all(numbers.map((one) => run([...set, `chain-${one}`, 'http://127.0.0.1:1'])));
    expect(Object.keys(kept().profiles.p0.rpcUrls)).toHaveLength(many);
  });

  it('behavior: of two that make the same profile one succeeds, and its secret is kept', async () => {
    together = 2;
    const keys = ['mintage_test_one', 'mintage_test_other'];
    const made = await Promise.all(keys.map((key) => run(['init', '--api-key'], { MINTAGE_API_KEY: key })));
    expect(made.map(({ code }) => code).toSorted()).toEqual([0, 2]);
    expect(made.find(({ code }) => code === 2)?.err).toContain('There is a profile default');
    const secrets = await unseal(readFileSync(file('secrets/default.json'), 'utf8'), 'a password', 'default');
    expect(JSON.parse(secrets).apiKey).toBe(keys[made.findIndex(({ code }) => code === 0)]);
  });

  it('behavior: the lock of a killed command delays other commands briefly, and never admits two', async () => {
    mkdirSync(file(''), { recursive: true });
    writeFileSync(file('profiles.json.lock'), '');
    utimesSync(file('profiles.json.lock'), 1, 1);
    together = many;
    await Promise.all(numbers.map((one) => run(['init', '--anonymous', '--profile', `p${one}`])));
    expect(Object.keys(kept().profiles)).toHaveLength(many);
    expect(existsSync(file('profiles.json.lock'))).toBe(false);
  });
});
