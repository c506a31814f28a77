import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { eids } from '../../test/eids.ts';
import {
  areProven,
  clockSkewSeconds,
  type IntentSigning,
  type IntentVerification,
  longestProofSeconds,
  type ProvenIntent,
  proveIntents,
  verifyIntents,
} from './intentProof.ts';

const wallet = `0x${'11'.repeat(20)}` as const;
const step = { to: `0x${'22'.repeat(20)}` as const, value: 5n, data: '0xabcd' as const, gasLimit: 21_000 };
const intent: ProvenIntent = {
  eid: eids.base,
  intentId: randomUUID(),
  userId: randomUUID(),
  wallet,
  credential: 'a key',
  budget: {
    perTradeUsd18: 10n ** 30n,
    perDayUsd18: null,
    eids: [eids.base],
    contracts: [],
    recipients: [wallet],
    maxBuilderBps: 100,
    createdAtMs: 1_800_000_000_000,
  },
  ownWallets: [wallet],
  acknowledged: { limitRaw: '7' },
  premise: { blockNumber: 9, to: wallet, data: '0x01', answerHash: `0x${'33'.repeat(32)}` },
  seenBlock: 9,
  session: null,
  steps: [step],
};

describe('intentProof', () => {
  const keys = generateKeyPairSync('ed25519');
  let seconds: number;
  let signing: IntentSigning;
  let intents: IntentVerification;
  const now = () => seconds * 1_000;

  beforeEach(async () => {
    seconds = 1_900_000_000;
    signing = await proveIntents(keys.privateKey, now);
    intents = await verifyIntents([keys.publicKey], now);
  });

  it('default: says what was proven', async () => {
    const { steps, ...rest } = intent;
    const claims = await intents.verify(await signing.prove(intent, seconds + 60));
    expect(claims).toEqual({ ...rest, issuedAt: seconds, isExpired: false, stepsHash: expect.any(String) });
    expect(areProven(steps, claims ?? expect.fail('no claims'))).toBe(true);
  });

  it('behavior: is good until its deadline, and for five minutes at most', async () => {
    const [brief, long] = [await signing.prove(intent, seconds + 60), await signing.prove(intent, seconds + 86_400)];
    const isExpired = async (proof: string) => (await intents.verify(proof))?.isExpired;
    seconds += 60 + clockSkewSeconds - 1;
    expect([await isExpired(brief), await isExpired(long)]).toEqual([false, false]);
    seconds += 1;
    expect([await isExpired(brief), await isExpired(long)]).toEqual([true, false]);
    seconds += longestProofSeconds - 60;
    expect(await isExpired(long)).toBe(true);
  });

  it('behavior: while keys are replaced both are good', async () => {
    const next = generateKeyPairSync('ed25519');
    const both = await verifyIntents([keys.publicKey, next.publicKey], now);
    const bySuccessor = await (await proveIntents(next.privateKey, now)).prove(intent, seconds + 60);
    expect(await both.verify(bySuccessor)).not.toBeNull();
    expect(await both.verify(await signing.prove(intent, seconds + 60))).not.toBeNull();
    expect(await intents.verify(bySuccessor)).toBeNull();
  });

  it('error: none, an altered one, one of another key, one of another kind', async () => {
    const proof = await signing.prove(intent, seconds + 60);
    const stranger = await proveIntents(generateKeyPairSync('ed25519').privateKey, now);
    const [header = '', payload = '', signature = ''] = proof.split('.');
    const claims = decodeJwt(proof);
    const altered = Buffer.from(JSON.stringify({ ...claims, wallet: step.to })).toString('base64url');
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none', typ: 'mintage-intent+jwt' })).toString('base64url');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
    const accessToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
      .sign(keys.privateKey);
    const endless = await new SignJWT({ ...claims, exp: undefined })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'mintage-intent+jwt', kid })
      .sign(keys.privateKey);
    for (const bad of [
      null,
      '',
      'a.b.c',
      [header, altered, signature].join('.'),
      [header, payload, ''].join('.'),
      [unsigned, payload, ''].join('.'),
      await stranger.prove(intent, seconds + 60),
      accessToken,
      endless,
    ])
      expect(await intents.verify(bad), String(bad)).toBeNull();
  });

  it('error: other steps, in another order, or one more', async () => {
    const claims = (await intents.verify(await signing.prove(intent, seconds + 60))) ?? expect.fail('no claims');
    const others = [
      [],
      [step, step],
      [{ ...step, to: wallet }],
      [{ ...step, value: 6n }],
      [{ ...step, data: '0xabcdef' as const }],
      [{ ...step, gasLimit: 21_001 }],
    ];
    for (const steps of others) expect(areProven(steps, claims)).toBe(false);
  });
});
