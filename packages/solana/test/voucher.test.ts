import { programErrorOf, wellKnown } from '@mintage/protocol/solana';
import { address, type Instruction } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { pack } from '../build/pack.ts';
import { exit, set } from './assembly.ts';
import { Launchpad, type Person } from './machine/launchpad.ts';
import type { Sent } from './machine/machine.ts';
import { ed25519Instruction, signVoucher, voucherMessage } from './machine/vouchers.ts';
import { code, objectFile } from './objectFile.ts';

const errorOf = ({ error }: Sent): string | undefined => (error === null ? 'none' : programErrorOf(error));

describe('a referral voucher', () => {
  let launchpad: Launchpad;
  let referrer: Person;
  beforeAll(async () => {
    launchpad = await Launchpad.start();
    referrer = await launchpad.person();
  });
  const inAnHour = () => launchpad.machine.time + 3_600n;
  const setReferrer = ({ user }: Person, by: Person, deadline: bigint) =>
    launchpad.machine.instruction('setReferrer', { user, referrer: by.user }, { deadline });
  const referrerOf = ({ user }: Person) => launchpad.machine.state('User', user).referrer;

  it('is taken by anybody’s transaction, once; the user’s later trades pay the referrer and the user', async () => {
    const [user, stranger, other] = [await launchpad.person(), await launchpad.person(), await launchpad.person()];
    const deadline = inAnHour();
    const signed = await signVoucher(launchpad, user, referrer, deadline);
    const sent = await launchpad.must(stranger.signer, signed, setReferrer(user, referrer, deadline));
    expect(sent.events).toMatchObject([
      { event: 'ReferrerSet', seq: 0n, user: user.wallet, referrer: referrer.wallet, by: user.user },
    ]);
    // A second one changes nothing, and stands in no trade's way.
    const second = await signVoucher(launchpad, user, other, deadline);
    expect(errorOf(await launchpad.machine.send(stranger.signer, second, setReferrer(user, other, deadline)))).toBe(
      'none',
    );
    expect(referrerOf(user)).toBe(referrer.wallet);

    const token = await launchpad.create(stranger);
    launchpad.machine.wait(10n);
    const order = { kind: 'buyExactIn', amount: 1_000_000_000n } as const;
    const bought = await launchpad.trade(token, user, { ...order, referrer });
    expect([bought.said, bought.events[0]]).toMatchObject(['', { referrer: referrer.wallet }]);
    const credit = ({ user: at }: Person) => launchpad.machine.state('User', at).creditUsd;
    expect([credit(referrer), credit(user)]).toEqual([1_000_000n, 400_000n]);
    // No front end can leave the referrer out, or put another in its place.
    expect(errorOf(await launchpad.trade(token, user, order))).toBe('UserMissing');
    expect(errorOf(await launchpad.trade(token, user, { ...order, referrer: other }))).toBe('BadAccount');
  });

  it('changes nothing when it is late, or the two would refer each other', async () => {
    const [user, other] = [await launchpad.person(), await launchpad.person()];
    const past = launchpad.machine.time - 1n;
    const late = await signVoucher(launchpad, user, referrer, past);
    expect(errorOf(await launchpad.machine.send(other.signer, late, setReferrer(user, referrer, past)))).toBe('none');
    expect(referrerOf(user)).toBe('1'.repeat(32));
    launchpad.putReferrer(other, user);
    const deadline = inAnHour();
    const mutual = await signVoucher(launchpad, user, other, deadline);
    expect(errorOf(await launchpad.machine.send(other.signer, mutual, setReferrer(user, other, deadline)))).toBe(
      'none',
    );
    expect(referrerOf(user)).toBe('1'.repeat(32));
  });

  it('error: of another signer, user, referrer, deadline, program or dollar is refused', async () => {
    const [user, other] = [await launchpad.person(), await launchpad.person()];
    const deadline = inAnHour();
    const right = voucherMessage(launchpad, user, referrer, deadline);
    const wrong = [
      await signVoucher(launchpad, other, referrer, deadline),
      await signVoucher(launchpad, user, other, deadline),
      await signVoucher(launchpad, user, referrer, deadline - 1n),
      await ed25519Instruction(other.signer, right),
      ...(await Promise.all(
        [0, 15, 16, 47, 48, 79].map((at) =>
          ed25519Instruction(
            launchpad.voucherSigner,
            right.map((byte, index) => (index === at ? byte ^ 1 : byte)),
          ),
        ),
      )),
    ];
    for (const one of wrong)
      expect(errorOf(await launchpad.machine.send(other.signer, one, setReferrer(user, referrer, deadline)))).toBe(
        'InvalidVoucher',
      );
    const far = inAnHour() + 1n;
    const tooFar = await signVoucher(launchpad, user, referrer, far);
    expect(errorOf(await launchpad.machine.send(other.signer, tooFar, setReferrer(user, referrer, far)))).toBe(
      'InvalidVoucher',
    );
    const oneself = await signVoucher(launchpad, user, user, deadline);
    expect(errorOf(await launchpad.machine.send(other.signer, oneself, setReferrer(user, user, deadline)))).toBe(
      'InvalidVoucher',
    );
    expect(referrerOf(user)).toBe('1'.repeat(32));
  });

  it('error: without the signature in front, behind it, or with one of another program in between is refused', async () => {
    const [user, payer] = [await launchpad.person(), await launchpad.person()];
    const deadline = inAnHour();
    const signed = await signVoucher(launchpad, user, referrer, deadline);
    const referral = setReferrer(user, referrer, deadline);
    const { machine } = launchpad;
    const between = machine.instruction('openUser', { payer: payer.wallet, wallet: user.wallet, user: user.user }, {});
    // A program that is content with everything.
    const content = await machine.fresh();
    machine.svm.addProgram(content, pack(objectFile([code('.text', set(0, 0), exit)])));
    const foreign = { ...signed, programAddress: content };
    expect((await machine.send(payer.signer, foreign)).said).toBe('');
    for (const list of [[referral], [referral, signed], [signed, between, referral], [foreign, referral]])
      expect(errorOf(await machine.send(payer.signer, ...list))).toBe('InvalidVoucher');
    expect(referrerOf(user)).toBe('1'.repeat(32));
    expect(errorOf(await machine.send(payer.signer, signed, referral))).toBe('none');
  });

  it('S110 crafted offsets: no signature over other bytes is read as one over these', async () => {
    const [user, attacker] = [await launchpad.person(), await launchpad.person()];
    const deadline = inAnHour();
    const { machine, voucherSigner } = launchpad;
    // The attacker signs what they like; the right key and the right message lie where the program looks.
    const message = voucherMessage(launchpad, user, attacker, deadline);
    const honest = (await ed25519Instruction(voucherSigner, message, attacker.signer)).data as Uint8Array;
    const own = (await ed25519Instruction(attacker.signer, message)).data as Uint8Array;
    const patched = (data: Uint8Array, patches: readonly (readonly [at: number, value: number])[]): Uint8Array => {
      const patch = Buffer.from(data);
      for (const [at, value] of patches) patch.writeUInt16LE(value, at);
      return patch;
    };
    const ed25519 = (data: Uint8Array): Instruction => ({ programAddress: address(wellKnown.ed25519), data });

    // The Ed25519 program is content with these: they point to what the attacker really signed.
    const both = Buffer.concat([honest, own]);
    const elsewhere = [4, 8, 14].map((at) => [at, 0] as const);
    const content = [
      [ed25519(own), ed25519(patched(honest, elsewhere))],
      [ed25519(own), ed25519(patched(both, elsewhere))],
      [
        ed25519(
          patched(
            both,
            [2, 6, 10].map((at) => [at, both.readUInt16LE(at) + honest.length] as const),
          ),
        ),
      ],
      [ed25519(own)],
    ];
    for (const list of content) {
      expect((await machine.send(attacker.signer, ...list)).said).toBe('');
      const sent = await machine.send(attacker.signer, ...list, setReferrer(user, attacker, deadline));
      expect(errorOf(sent)).toBe('InvalidVoucher');
    }

    // Each offset a little elsewhere, each index another instruction's, other numbers of signatures.
    const shifted = [2, 6, 10].flatMap((at) =>
      [1, 8, 16, 48, 112, honest.length].map((shift) => [at, honest[at] as number, shift] as const),
    );
    const crafted = [
      ...shifted.flatMap(([at, value, shift]) => [
        patched(honest, [[at, value + shift]]),
        patched(both, [[at, value + shift]]),
      ]),
      ...[4, 8, 14].flatMap((at) => [0, 1, 2, 0xfffe].map((index) => patched(honest, [[at, index]]))),
      ...[0, 2, 255].map((count) => Uint8Array.from(honest, (byte, at) => (at === 0 ? count : byte))),
    ];
    expect(crafted.length).toBeGreaterThanOrEqual(50);
    for (const data of crafted)
      for (const list of [[ed25519(data)], [ed25519(own), ed25519(data)]])
        expect((await machine.send(attacker.signer, ...list, setReferrer(user, attacker, deadline))).error).not.toBe(
          null,
        );
    expect(referrerOf(user)).toBe('1'.repeat(32));
  });
});
