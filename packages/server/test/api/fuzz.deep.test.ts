import { type System, startSystem } from '@mintage/devnet';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuzz, toldOf } from './fuzz/fuzz.ts';
import { faultOf } from './fuzz/judge.ts';
import { type Target, targetOf } from './fuzz/target.ts';

const requests = Number(process.env.CASES ?? 3_000);
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

/** The whole service with a seeded chain and a signer, and a stranger who signed in. `npm run attack -- fuzz` sends more. */
describe(`hostile requests, seed ${seed}`, () => {
  let stop: () => Promise<void>;
  let target: Target;

  beforeAll(async () => {
    const database = await testDatabase();
    const unlimited = Object.fromEntries(
      ['anonymous', 'authenticated', 'signIn', 'streams', 'toolAnonymous', 'toolAuthenticated'].map((name) => [
        name,
        1e9,
      ]),
    );
    let system: System;
    try {
      const env = { CHAINS: 'base-sepolia', DATABASE_URL: database.url, LOG_LEVEL: process.env.LOG ?? 'silent' };
      system = await startSystem({ env: { ...env, RATE_LIMITS: JSON.stringify({ ...unlimited, writeDivisor: 1 }) } });
    } catch (error) {
      await database.stop();
      throw error;
    }
    stop = async () => {
      await system.stop();
      await database.stop();
    };
    target = await targetOf(system.url as string, [database.url]);
  });
  afterAll(() => stop?.());

  it('default: what is judged a fault is one', () => {
    const answer = (text: string, status = 200) => ({ status, type: 'application/json', text });
    expect(faultOf(answer('{"code":"INVALID_PARAMETERS"}', 400), ['secret'])).toBeNull();
    expect(faultOf(answer('{"code":"SERVICE_UNAVAILABLE"}', 503), [])).toBeNull();
    expect(faultOf(answer('must be at most 5; not file:///etc/passwd, but 2030-01-01T00:00:00Z', 400), [])).toBeNull();
    for (const bad of [
      answer('{"code":"OTHER"}', 503),
      answer('{}', 500),
      answer('{"text":"{\\"code\\":\\"INTERNAL_ERROR\\"}"}'),
      answer('{"error":{"code":-32603}}'),
      answer('a secret'),
      answer('TypeError: x.y is not a function'),
      answer('Error\\n    at handler (file:///a.ts:1:2)'),
    ])
      expect([bad, faultOf(bad, ['secret'])]).not.toEqual([bad, null]);
  });

  it('H8 R3 R6 H29 no hostile request or message is an error of ours, and no answer shows our insides', async () => {
    const outcome = await fuzz(target, { seed, requests });
    console.log(toldOf(outcome));
    expect(outcome.faults).toEqual([]);
    expect(outcome.requests).toBe(requests);
  });
});
