import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eids } from '../../../test/eids.ts';
import type { NewAttempt } from './newAttempt.ts';
import { dayOf, type NewEntry, openSigningLog, type SigningLog } from './signingLog.ts';

const nowMs = Date.UTC(2030, 0, 31, 12);
const day = '2030-01-31';
const wallet = `0x${'11'.repeat(20)}` as const;

const attempt = (nonce: number, change: Partial<NewAttempt> = {}): NewAttempt => ({
  hash: `0x${nonce.toString(16).padStart(64, '0')}`,
  raw: '0x02ab',
  nonce,
  kind: 'call',
  fees: { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 1n },
  signedBlock: 7,
  validUntilBlock: null,
  ...change,
});

describe('openSigningLog', () => {
  let folder: string;
  let log: SigningLog;
  const userId = randomUUID();
  const entry = (change: Partial<NewEntry> = {}): NewEntry => ({
    day,
    userId,
    intentId: randomUUID(),
    eid: eids.base,
    wallet,
    credential: 'a key',
    usd18: 5n,
    outflow: { usd18: 7n, coins: 9n },
    attempts: [attempt(1), attempt(2)],
    ...change,
  });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mintage-signing-log-'));
    log = await openSigningLog(folder, () => nowMs);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('default: has what was signed, for every signer that shares the folder', async () => {
    const { attempts, ...signed } = entry();
    expect(await log.begin({ ...signed, attempts })).toBe(true);
    const other = await openSigningLog(folder, () => nowMs);
    expect(await other.find(signed)).toEqual({ ...signed, steps: attempts.map((one) => [one]) });
    expect(await other.find({ ...signed, intentId: randomUUID() })).toBeUndefined();
    expect(await other.find({ ...signed, userId: randomUUID() })).toBeUndefined();
  });

  it('behavior: of signers that begin one intent at once, one succeeds', async () => {
    const one = entry();
    const began = await Promise.all(
      Array.from({ length: 20 }, (_, nonce) => log.begin({ ...one, attempts: [attempt(nonce)] })),
    );
    expect(began.filter(Boolean)).toHaveLength(1);
    expect((await log.find(one))?.steps).toEqual([[attempt(began.indexOf(true))]]);
  });

  it('behavior: further signatures of a step follow each other, each once', async () => {
    const one = entry();
    await log.begin(one);
    const added = await Promise.all([log.add(one, 1, 1, attempt(2)), log.add(one, 1, 1, attempt(2))]);
    expect(added.toSorted()).toEqual([false, true]);
    const lasting = attempt(2, { nonce: null, fees: null, validUntilBlock: 99 });
    expect(await log.add(one, 1, 2, lasting)).toBe(true);
    expect((await log.find(one))?.steps).toEqual([[attempt(1)], [attempt(2), attempt(2), lasting]]);
  });

  it('behavior: adds up what the intents of a user count on a day, without what was released', async () => {
    const spender = { userId: randomUUID() };
    const [kept, released] = [entry({ ...spender, usd18: 3n }), entry({ ...spender, usd18: 4n, credential: null })];
    for (const one of [kept, released, entry({ ...spender, day: '2030-01-30' }), entry()]) await log.begin(one);
    await log.release(released);
    await log.release(released);
    const spent = await log.spentOn(day, spender.userId);
    const common = { eid: eids.base, wallet, outflow: { usd18: 7n, coins: 9n } };
    expect(spent.toSorted((a, b) => Number(a.usd18 - b.usd18))).toEqual([
      { ...common, credential: 'a key', usd18: 3n, isReleased: false },
      { ...common, credential: null, usd18: 4n, isReleased: true },
    ]);
    expect(await log.spentOn(day, randomUUID())).toEqual([]);
  });

  it('behavior: an entry of before, which says nothing of what left the wallet, is read', async () => {
    const one = entry();
    await log.begin(one);
    const path = join(folder, 'days', day, userId, one.intentId);
    const { outflow, ...before } = JSON.parse(readFileSync(path, 'utf8'));
    expect(outflow).toEqual({ usd18: '7', coins: '9' });
    writeFileSync(path, JSON.stringify(before));
    expect((await log.find(one))?.outflow).toEqual({ usd18: 0n, coins: 0n });
  });

  it('behavior: knows since when it is whole', async () => {
    expect(log.since).toBe(nowMs / 1_000);
    expect((await openSigningLog(folder, () => nowMs + 60_000)).since).toBe(nowMs / 1_000);
  });

  it('behavior: a revoked credential stays revoked', async () => {
    await log.revoke('../../a key');
    await log.revoke('../../a key');
    const later = await openSigningLog(folder, () => nowMs + 365 * 86_400_000);
    expect([await later.isRevoked('../../a key'), await later.isRevoked('another key')]).toEqual([true, false]);
  });

  it('behavior: days are dropped after a month, and no drafts stay', async () => {
    const old = entry({ day: dayOf(nowMs / 1000 - 40 * 86_400) });
    await log.begin(old);
    await log.begin(entry());
    await openSigningLog(folder, () => nowMs);
    expect(await log.find(old)).toBeUndefined();
    const files = readdirSync(folder, { recursive: true }).map(String);
    expect(files.filter((name) => name.startsWith(`days/${day}/`)).length).toBeGreaterThan(0);
    for (const name of files) expect(name.split('/').at(-1)).toMatch(/^[0-9a-z-]+(\.\d+\.\d+|\.released)?$/);
  });

  it('error: a place that is no day, user or intent', async () => {
    for (const wrong of [{ day: '..' }, { userId: '../..' }, { intentId: `../${randomUUID()}` }])
      await expect(log.begin(entry(wrong)), JSON.stringify(wrong)).rejects.toThrow();
  });
});
