import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { instructions, joinBytes, keyBytes, wellKnown } from '@mintage/protocol/solana';
import {
  AccountRole,
  type Address,
  address,
  generateKeyPairSigner,
  getProgramDerivedAddress,
  type Instruction,
} from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildProgram, checkStyle } from '../../build/build.ts';
import { faultsOf } from '../machine/books.ts';
import { Launchpad, type Token } from '../machine/launchpad.ts';
import { derive, programAddress } from '../machine/machine.ts';
import { errorOf, patch, usd } from './tools.ts';

/** Readers believe what stands in an event. */

describe('events', () => {
  const source = fileURLToPath(new URL('../programs/forward.rs', import.meta.url));
  /** Another program. */
  let forwarder: Address;
  let bytes = Buffer.alloc(0);
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mintage-forward-'));
    try {
      await buildProgram(source, 'forward', join(folder, 'forward.so'));
      bytes = readFileSync(join(folder, 'forward.so'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    forwarder = (await generateKeyPairSigner()).address;
  });
  /** By another program's hand, and that one's, as often as it says. */
  const through = (by: Address, call: Instruction, times = 1, bump = 0): Instruction => {
    let now = call;
    for (let left = times; left > 0; left -= 1)
      now = {
        programAddress: by,
        accounts: [{ address: now.programAddress, role: AccountRole.READONLY }, ...(now.accounts ?? [])],
        data: joinBytes(Uint8Array.of(bump), Uint8Array.from(now.data ?? [])),
      };
    return now;
  };
  const trade = (seq: bigint, ...keys: string[]): Uint8Array => {
    const data = new Uint8Array(2 + 8 + 6 * 32 + 2 + 4 + 8 * 8);
    data[0] = instructions.event.tag;
    data[1] = 1;
    new DataView(data.buffer).setBigUint64(2, seq, true);
    for (const [at, key] of keys.entries()) data.set(keyBytes(key as never), 10 + 32 * at);
    return data;
  };

  it('the other program is formatted, and Clippy has nothing to say', () => checkStyle(source, 'forward'));

  it('S108 none from outside: not from the top, not by another program, not of what looks like a Launch', async () => {
    for (const allFeatures of [false, true]) {
      const launchpad = await Launchpad.start({ allFeatures });
      const { machine } = launchpad;
      const attacker = await launchpad.person();
      const token = await launchpad.create(attacker);
      const { places } = token;
      const data = trade(1n, places.mint, attacker.wallet);
      const event = (authority: string, role: AccountRole): Instruction => ({
        programAddress,
        accounts: [{ address: address(authority), role }],
        data,
      });
      const ours = [places.launch, attacker.user, (await derive('config', {}))[0]];
      for (const one of ours)
        expect(errorOf(await machine.send(attacker.signer, event(one, AccountRole.READONLY)))).toBe('MissingSigner');
      // Who signs for themselves: a wallet, and accounts that their holder made for the program.
      expect(errorOf(await machine.send(attacker.signer, event(attacker.wallet, AccountRole.READONLY_SIGNER)))).toBe(
        'BadAccount',
      );
      for (const size of [152, 216, 968]) {
        const own = await generateKeyPairSigner();
        machine.put(own.address, programAddress, new Uint8Array(size));
        const sent = await machine.send([attacker.signer, own], event(own.address, AccountRole.READONLY_SIGNER));
        expect(errorOf(sent)).toBe('BadAccount');
      }
      expect(
        errorOf(await machine.send(attacker.signer, { ...event(places.launch, AccountRole.READONLY), accounts: [] })),
      ).toBe('BadAccount');

      machine.svm.addProgram(forwarder, bytes);
      for (const one of ours) {
        const call = through(forwarder, event(one, AccountRole.READONLY));
        expect(errorOf(await machine.send(attacker.signer, call))).toBe('MissingSigner');
      }
      // Its own account at the address of the same seed, with the words of a real Launch, for which it can sign.
      const [fake, bump] = await getProgramDerivedAddress({ programAddress: forwarder, seeds: ['launch'] });
      for (const owner of [forwarder, wellKnown.system, wellKnown.token]) {
        machine.put(fake, owner, machine.account(places.launch).data);
        const call = through(forwarder, event(fake, AccountRole.READONLY), 1, bump);
        expect(errorOf(await machine.send(attacker.signer, call))).toBe('BadAccount');
      }
      // In the place of a Launch it trades nothing either.
      const order = await launchpad.order(
        token,
        attacker,
        { kind: 'buyExactIn', amount: usd(1) },
        { launch: fake, usdVault: attacker.usd },
      );
      expect(errorOf(await machine.send(attacker.signer, order))).toBe('BadAccount');
    }
  });

  it('S108 a trade, a creation and a withdrawal by another program’s hand are as any other, and their events are found', async () => {
    for (const allFeatures of [false, true]) {
      const launchpad = await Launchpad.start({ allFeatures });
      const { machine } = launchpad;
      machine.svm.addProgram(forwarder, bytes);
      const [creator, trader] = [await launchpad.person(), await launchpad.person()];
      const creation = await launchpad.creation(creator);
      const created = await launchpad.must(creator.signer, through(forwarder, creation.instruction));
      expect(created.events).toMatchObject([{ event: 'TokenCreated', seq: 0n, by: creation.places.launch }]);
      const token: Token = { ...creation, sent: created };
      const buy = await launchpad.order(token, trader, { kind: 'buyExactIn', amount: usd(10) });
      for (const [seq, times] of [1, 2, 3].entries()) {
        const sent = await launchpad.must(trader.signer, through(forwarder, buy, times));
        expect(sent.events).toMatchObject([
          { event: 'Trade', seq: BigInt(seq + 1), trader: trader.wallet, by: token.places.launch },
        ]);
      }
      const paid = await launchpad.must(creator.signer, through(forwarder, launchpad.withdrawal(creator)));
      expect(paid.events).toMatchObject([{ event: 'Withdrawn', by: creator.user }]);
      expect(faultsOf(launchpad, [token], [creator, trader, launchpad.treasury])).toEqual([]);
      // So deep that no event fits below: nothing happens rather than something unseen.
      const before = machine.state('Launch', token.places.launch);
      const deep = await machine.send(trader.signer, through(forwarder, buy, 8));
      expect(deep.error).not.toBe(null);
      expect(machine.state('Launch', token.places.launch)).toEqual(before);
    }
  });

  it('more accounts than the program reads are refused, and those that nobody asked for change nothing', async () => {
    const launchpad = await Launchpad.start();
    const [creator, trader] = [await launchpad.person(), await launchpad.person()];
    const token = await launchpad.create(creator);
    const buy = await launchpad.order(token, trader, { kind: 'buyExactIn', amount: usd(10) });
    const more = (count: number): Instruction => ({
      ...buy,
      accounts: [
        ...(buy.accounts ?? []),
        ...Array.from({ length: count }, () => ({ address: trader.wallet, role: AccountRole.READONLY })),
      ],
    });
    const { machine } = launchpad;
    expect((await machine.send(trader.signer, more(14))).said).toBe('');
    for (const count of [15, 100, 237])
      expect(errorOf(await machine.send(trader.signer, more(count)))).toBe('BadAccount');
    // The last two are those of a referrer and the program's own, which none of these trades needs.
    for (let count = 0; count < 16; count += 1) {
      const fewer = { ...buy, accounts: (buy.accounts ?? []).slice(0, count) };
      expect([count, (await machine.send(trader.signer, fewer)).error]).not.toEqual([count, null]);
    }
    for (const length of [0, 1, 2, 26, 28, 200]) {
      const data = new Uint8Array(length);
      data.set((buy.data ?? []).slice(0, length));
      expect([length, errorOf(await machine.send(trader.signer, { ...buy, data }))]).toEqual([
        length,
        'BadInstruction',
      ]);
    }
    for (let tag = 17; tag < 256; tag += 1)
      expect(errorOf(await machine.send(trader.signer, patch(buy, 0, tag)))).toBe('BadInstruction');
  });
});
