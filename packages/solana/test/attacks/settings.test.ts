import { encodeInstruction, keyBytes, settings, wellKnown } from '@mintage/protocol/solana';
import { AccountRole, type Address, address, getProgramDerivedAddress, type KeyPairSigner } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsOf } from '../machine/books.ts';
import { Launchpad, most, type Person } from '../machine/launchpad.ts';
import { base58, derive, Machine, programAddress, type Sent } from '../machine/machine.ts';
import { dollar, errorOf, initOf, nobody, put, sellAll, usd } from './tools.ts';

/** Who may set what, and when. */

describe('the settings', () => {
  it('S117 only who may upgrade the program writes the Config, once, and nobody after that right is given up', async () => {
    const machine = await Machine.start();
    const { deployer } = machine;
    const stranger = await machine.person();
    const dollarMint = await machine.fresh();
    machine.put(dollarMint, wellKnown.token, dollar());
    const init = (by: Address, places = {}) => initOf(machine, by, dollarMint, places);
    const refused = async (by: KeyPairSigner, places = {}) => errorOf(await machine.send(by, init(by.address, places)));
    expect(await refused(stranger)).toBe('Unauthorized');
    // An account that says that the stranger may: not at its address, or not the loader's.
    const [programData] = await getProgramDerivedAddress({
      programAddress: address(wellKnown.upgradeableLoader),
      seeds: [keyBytes(base58(programAddress))],
    });
    const real = machine.account(programData).data;
    const fake = Uint8Array.from(real.subarray(0, 45));
    fake.set(keyBytes(base58(stranger.address)), 13);
    const copies = [wellKnown.upgradeableLoader, wellKnown.system, programAddress as string];
    for (const owner of copies) {
      const at = await machine.fresh();
      machine.put(at, owner, fake);
      expect(await refused(stranger, { programData: at })).toBe('BadAccount');
    }
    expect(await refused(stranger, { programData: programAddress })).toBe('BadAccount');
    machine.setAuthority(null);
    for (const one of [deployer, stranger]) expect(await refused(one)).toBe('Unauthorized');
    machine.setAuthority(deployer.address);
    // The deployer's signature is not there, though the deployer pays nothing.
    const unsigned = put('init', init(deployer.address), 'payer', deployer.address, AccountRole.WRITABLE);
    expect(errorOf(await machine.send(stranger, unsigned))).toBe('MissingSigner');
    await machine.send(deployer, init(deployer.address));
    const [config] = await derive('config', {});
    const kept = machine.state('Config', config);
    expect(kept.owner).toBe(deployer.address);
    const again = await machine.send(deployer, init(deployer.address));
    expect(again.error).not.toBe(null);
    machine.setAuthority(stranger.address);
    expect(await refused(stranger)).not.toBe('none');
    expect(machine.state('Config', config)).toEqual(kept);
  });

  it('nothing that nobody could have meant is written first: no treasury, no owner, an endless timelock', async () => {
    const machine = await Machine.start();
    const { deployer } = machine;
    const dollarMint = await machine.fresh();
    machine.put(dollarMint, wellKnown.token, dollar());
    const key = base58(deployer.address);
    const right = { treasury: key, voucherSigner: key, owner: key, allowsTest: 0, timelockSeconds: 0n };
    for (const wrong of [
      { treasury: nobody },
      { owner: nobody },
      { allowsTest: 2 },
      { timelockSeconds: 1n << 63n },
      { timelockSeconds: most },
    ]) {
      const data = encodeInstruction('init', { ...right, ...wrong });
      const init = { ...initOf(machine, deployer.address, dollarMint), data };
      expect([wrong, errorOf(await machine.send(deployer, init))]).toEqual([wrong, 'BadInstruction']);
    }
  });

  describe('with a timelock of 48 hours', () => {
    const hours48 = 172_800n;
    let launchpad: Launchpad;
    let people: Record<'one' | 'other' | 'stranger', Person>;
    let config: Address;
    beforeAll(async () => {
      launchpad = await Launchpad.start({ timelockSeconds: hours48 });
      [config] = await derive('config', {});
      people = { one: await launchpad.person(), other: await launchpad.person(), stranger: await launchpad.person() };
    });
    const state = () => launchpad.machine.state('Config', config);
    const setAs = async ({ signer, wallet }: Person, setting: number, value: string): Promise<Sent> =>
      launchpad.machine.send(
        signer,
        launchpad.machine.instruction('set', { owner: wallet }, { setting, value: value as never }),
      );
    const set = (setting: number, value: string) => setAs(launchpad.owner, setting, value);
    const accept = ({ signer, wallet }: Person) =>
      launchpad.machine.send(signer, launchpad.machine.instruction('acceptOwner', { newOwner: wallet }, {}));

    it.each([
      ['treasury', settings.treasury],
      ['voucherSigner', settings.voucherSigner],
    ] as const)('%s: nothing before it is over, and another proposal begins anew', async (name, setting) => {
      const { one, other, stranger } = people;
      const before = state()[name];
      expect(errorOf(await setAs(stranger, setting, one.wallet))).toBe('Unauthorized');
      const from = launchpad.machine.time + hours48;
      const proposed = await set(setting, one.wallet);
      expect(proposed.events).toMatchObject([{ event: 'SettingProposed', setting, value: one.wallet, from }]);
      expect(errorOf(await set(setting, one.wallet))).toBe('TooEarly');
      launchpad.machine.setTime(from - 1n);
      expect(errorOf(await set(setting, one.wallet))).toBe('TooEarly');
      // What the timelock of one value ran for is not another's, nor another setting's.
      launchpad.machine.setTime(from);
      expect((await set(setting, other.wallet)).events).toMatchObject([{ event: 'SettingProposed' }]);
      expect(errorOf(await set(setting, other.wallet))).toBe('TooEarly');
      expect((await set(setting, one.wallet)).events).toMatchObject([{ event: 'SettingProposed' }]);
      expect(errorOf(await set(setting, one.wallet))).toBe('TooEarly');
      expect(state()[name]).toBe(before);
      launchpad.machine.wait(hours48);
      // Exactly at its end, and once.
      const done = await set(setting, one.wallet);
      expect(done.events).toMatchObject([{ event: 'SettingChanged', setting, value: one.wallet }]);
      expect(state()[name]).toBe(one.wallet);
      expect((await set(setting, before)).events).toMatchObject([{ event: 'SettingProposed' }]);
      expect(state()[name]).toBe(one.wallet);
    });

    it('one setting’s proposal is not another’s', async () => {
      const { other } = people;
      await set(settings.voucherSigner, other.wallet);
      launchpad.machine.wait(hours48);
      const { treasury, pendingOwner } = state();
      for (const setting of [settings.treasury, settings.owner])
        expect((await set(setting, other.wallet)).events).toMatchObject([{ event: 'SettingProposed', setting }]);
      expect([state().treasury, state().pendingOwner]).toEqual([treasury, pendingOwner]);
    });

    it('what was proposed and not done within a fortnight has to be proposed again', async () => {
      const { one, other, stranger } = people;
      const { machine, owner } = launchpad;
      const grace = 14n * 86_400n;
      launchpad.putReferrer(other, stranger);
      const clear = () =>
        machine.send(owner.signer, machine.instruction('clearReferrer', { owner: owner.wallet, user: other.user }, {}));
      await set(settings.treasury, one.wallet);
      await clear();
      machine.wait(hours48 + grace + 1n);
      expect((await set(settings.treasury, one.wallet)).events).toMatchObject([{ event: 'SettingProposed' }]);
      expect((await clear()).events).toMatchObject([{ event: 'ReferrerClearProposed' }]);
      machine.wait(hours48 + grace);
      expect((await set(settings.treasury, one.wallet)).events).toMatchObject([{ event: 'SettingChanged' }]);
      expect((await clear()).events).toMatchObject([{ event: 'ReferrerSet' }]);
    });

    it('error: no such setting, and no treasury that is nobody', async () => {
      const { other } = people;
      for (const setting of [3, 4, 255]) expect(errorOf(await set(setting, other.wallet))).toBe('BadInstruction');
      expect(errorOf(await set(settings.treasury, nobody))).toBe('BadInstruction');
    });

    it('an owner becomes it by accepting, after the timelock, and the old one is none from then on', async () => {
      const { one, stranger } = people;
      expect(errorOf(await accept(one))).toBe('Unauthorized');
      await set(settings.owner, one.wallet);
      expect(errorOf(await accept(one))).toBe('Unauthorized');
      launchpad.machine.wait(hours48);
      expect(errorOf(await accept(one))).toBe('Unauthorized');
      expect((await set(settings.owner, one.wallet)).events).toMatchObject([{ event: 'SettingChanged', setting: 2 }]);
      expect(state().owner).toBe(launchpad.owner.wallet);
      for (const wrong of [stranger, launchpad.owner]) expect(errorOf(await accept(wrong))).toBe('Unauthorized');
      expect((await accept(one)).events).toMatchObject([{ event: 'SettingChanged', setting: 3, value: one.wallet }]);
      expect([state().owner, state().pendingOwner]).toEqual([one.wallet, nobody]);
      expect(errorOf(await accept(one))).toBe('Unauthorized');
      expect(errorOf(await set(settings.treasury, stranger.wallet))).toBe('Unauthorized');
      // Back to the first, for what comes after.
      await setAs(one, settings.owner, launchpad.owner.wallet);
      launchpad.machine.wait(hours48);
      await setAs(one, settings.owner, launchpad.owner.wallet);
      expect((await accept(launchpad.owner)).said).toBe('');
    });

    it('a referrer is taken back in two steps with the timelock between, of one user, by the owner', async () => {
      const { one, other, stranger } = people;
      const { machine, owner } = launchpad;
      for (const user of [one, other]) launchpad.putReferrer(user, stranger);
      const clear = (user: Person, by = owner): Promise<Sent> =>
        machine.send(by.signer, machine.instruction('clearReferrer', { owner: by.wallet, user: user.user }, {}));
      const referrerOf = ({ user }: Person) => machine.state('User', user).referrer;
      expect(errorOf(await clear(one, stranger))).toBe('Unauthorized');
      expect(errorOf(await clear(one, one))).toBe('Unauthorized');
      expect(errorOf(await clear(one))).toBe('none');
      expect(errorOf(await clear(one))).toBe('TooEarly');
      machine.wait(hours48 - 1n);
      expect(errorOf(await clear(one))).toBe('TooEarly');
      machine.wait(1n);
      const from = machine.time + hours48;
      const proposed = { event: 'ReferrerClearProposed', user: other.wallet, from, by: other.user };
      expect((await clear(other)).events).toMatchObject([proposed]);
      expect([referrerOf(one), referrerOf(other)]).toEqual([stranger.wallet, stranger.wallet]);
      expect((await clear(one)).events).toMatchObject([
        { event: 'ReferrerSet', user: one.wallet, referrer: nobody, by: one.user },
      ]);
      expect([referrerOf(one), referrerOf(other)]).toEqual([nobody, stranger.wallet]);
      // Another referrer is not taken back at once by what was asked for of the first.
      launchpad.putReferrer(one, other);
      expect([errorOf(await clear(one)), errorOf(await clear(one))]).toEqual(['none', 'TooEarly']);
      expect(referrerOf(one)).toBe(other.wallet);
    });

    it('C3 an owner as attacker takes nothing but the treasury’s share, whatever they set', async () => {
      const { one, stranger } = people;
      const { machine, owner } = launchpad;
      const token = await launchpad.create(one);
      const trader = await launchpad.person();
      machine.wait(10n);
      await launchpad.trade(token, trader, {
        kind: 'buyExactIn',
        amount: usd(1_000),
        builder: stranger,
        builderBps: 100,
      });
      const share = machine.state('Launch', token.places.launch).treasuryUsd;
      for (const setting of [settings.treasury, settings.voucherSigner, settings.owner])
        await set(setting, owner.wallet);
      machine.wait(hours48);
      for (const setting of [settings.treasury, settings.voucherSigner, settings.owner])
        expect((await set(setting, owner.wallet)).said).toBe('');
      const credits = [one, trader, stranger].map(({ user }) => machine.state('User', user).creditUsd);
      const collect = machine.instruction('collectTreasury', { ...token.places, treasuryUser: owner.user }, {});
      await launchpad.must(owner.signer, collect);
      const before = machine.balance(owner.usd);
      await launchpad.must(owner.signer, launchpad.withdrawal(owner));
      expect(machine.balance(owner.usd) - before).toBe(share);
      expect([one, trader, stranger].map(({ user }) => machine.state('User', user).creditUsd)).toEqual(credits);
      for (const victim of [one, trader, stranger]) {
        const theirs = launchpad.withdrawal({ ...victim, usd: owner.usd });
        expect(errorOf(await machine.send(owner.signer, put('withdraw', theirs, 'wallet', owner.wallet)))).toBe(
          'Unauthorized',
        );
      }
      expect((await machine.send(trader.signer, await sellAll(launchpad, token, trader))).said).toBe('');
      expect(faultsOf(launchpad, [token], [one, trader, stranger, owner, launchpad.treasury])).toEqual([]);
    });
  });
});
