import { keyBytes, wellKnown } from '@mintage/protocol/solana';
import { AccountRole, type Address, address, type Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { faultsOf } from '../machine/books.ts';
import { Launchpad, type Person } from '../machine/launchpad.ts';
import { base58, Machine, programAddress } from '../machine/machine.ts';
import { dollar, errorOf, initOf, usd } from './tools.ts';

/** Tokens that can do more than a token should. */

describe('tokens that take part of a transfer', () => {
  it('S111 no dollar of Token-2022, with any extension or none, and none of other decimals', async () => {
    const machine = await Machine.start();
    const { deployer } = machine;
    const extended = (kind: number, length: number): Uint8Array => {
      const data = new Uint8Array(166 + 4 + length);
      data.set(dollar());
      data[165] = 1;
      new DataView(data.buffer).setUint16(166, kind, true);
      new DataView(data.buffer).setUint16(168, length, true);
      return data;
    };
    // Transfer fee, mint close authority, permanent delegate, transfer hook, pausable.
    const extensions = [extended(1, 108), extended(3, 32), extended(12, 32), extended(14, 64), extended(26, 33)];
    const other = (at: number, value: number) =>
      Uint8Array.from(dollar(), (byte, index) => (index === at ? value : byte));
    const wrong = [
      ...[dollar(), ...extensions].map((data) => [wellKnown.token2022, data] as const),
      ...extensions.map((data) => [wellKnown.token, data] as const),
      ...[other(44, 9), other(44, 5), other(45, 0), new Uint8Array(81), new Uint8Array()].map(
        (data) => [wellKnown.token, data] as const,
      ),
      [wellKnown.system, dollar()] as const,
      [programAddress as string, dollar()] as const,
    ];
    for (const [owner, data] of wrong) {
      const mint = await machine.fresh();
      machine.put(mint, owner, data);
      expect(errorOf(await machine.send(deployer, initOf(machine, deployer.address, mint)))).toBe('BadAccount');
    }
  });

  it('S111 extensions of a trader’s own account bind the trader and nobody else', async () => {
    const launchpad = await Launchpad.start();
    const { machine } = launchpad;
    const [creator, trader, other] = [await launchpad.person(), await launchpad.person(), await launchpad.person()];
    const token = await launchpad.create(creator);
    machine.wait(10n);
    const token2022 = (data: number[], ...accounts: [Address, AccountRole][]): Instruction => ({
      programAddress: address(wellKnown.token2022),
      accounts: accounts.map(([at, role]) => ({ address: at, role })),
      data: Uint8Array.from(data),
    });
    const extended = await machine.fresh();
    machine.put(extended, wellKnown.token2022, new Uint8Array(165 + 1 + 4 + 5 + 5));
    const mint = address(token.places.mint);
    await launchpad.must(
      trader.signer,
      token2022([22], [extended, AccountRole.WRITABLE]),
      token2022(
        [18, ...keyBytes(base58(trader.wallet))],
        [extended, AccountRole.WRITABLE],
        [mint, AccountRole.READONLY],
      ),
    );
    const places = { traderTokens: extended };
    const buy = async () => launchpad.trade(token, trader, { kind: 'buyExactIn', amount: usd(100) }, places);
    const sell = async () => launchpad.trade(token, trader, { kind: 'sellExactIn', amount: 10n ** 9n }, places);
    // Its owner cannot be changed: nothing to us.
    expect([(await buy()).said, (await sell()).said]).toEqual(['', '']);
    const own: [Address, AccountRole][] = [
      [extended, AccountRole.WRITABLE],
      [trader.wallet, AccountRole.READONLY_SIGNER],
    ];
    // It wants a note beside what comes in; what goes out does not care.
    await launchpad.must(trader.signer, token2022([30, 0], ...own));
    expect([(await buy()).error, (await sell()).error]).toEqual([36, null]);
    await launchpad.must(trader.signer, token2022([30, 1], ...own));
    // No program may move its tokens for the owner: sells are refused, buys are not.
    await launchpad.must(trader.signer, token2022([34, 0], ...own));
    expect([(await buy()).error, (await sell()).error]).toEqual([null, expect.any(Number)]);
    expect((await launchpad.trade(token, other, { kind: 'buyExactIn', amount: usd(100) })).said).toBe('');
    expect(faultsOf(launchpad, [token], [creator, trader, other, launchpad.treasury])).toEqual([]);
  });

  it('a dollar account that its issuer froze stops its holder, who takes what they earned elsewhere', async () => {
    const launchpad = await Launchpad.start();
    const { machine, dollarMint } = launchpad;
    const [creator, trader] = [await launchpad.person(), await launchpad.person()];
    const token = await launchpad.create(creator, { poolType: 8 });
    const freeze = ({ usd: at }: Person) => {
      const data = Uint8Array.from(machine.account(at).data);
      data[108] = 2;
      machine.put(at, wellKnown.token, data);
    };
    for (const person of [creator, launchpad.treasury]) freeze(person);
    expect((await launchpad.trade(token, creator, { kind: 'buyExactIn', amount: usd(1) })).error).toBe(17);
    machine.wait(10n);
    const bought = await launchpad.trade(token, trader, { kind: 'buyExactIn', amount: usd(100_000) });
    expect(bought.events.map(({ event }) => event)).toEqual(['Trade', 'Completed', 'Graduated']);
    expect((await launchpad.trade(token, trader, { kind: 'sellExactIn', amount: 10n ** 12n })).said).toBe('');
    await launchpad.must(trader.signer, launchpad.collection(token));
    expect((await machine.send(creator.signer, launchpad.withdrawal(creator))).error).toBe(17);
    const elsewhere = await machine.fresh();
    machine.putTokens(elsewhere, dollarMint, trader.wallet, 0n);
    const owed = machine.state('User', creator.user).creditUsd;
    expect(owed).toBeGreaterThan(usd(10_000));
    await launchpad.must(creator.signer, launchpad.withdrawal({ ...creator, usd: elsewhere }));
    expect(machine.balance(elsewhere)).toBe(owed);
    expect(faultsOf(launchpad, [token], [creator, trader, launchpad.treasury])).toEqual([]);
  });
});
