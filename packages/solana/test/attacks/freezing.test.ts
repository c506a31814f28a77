import { joinBytes, keyBytes, textLimits, wellKnown } from '@mintage/protocol/solana';
import { AccountRole, address, type Instruction } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { Launchpad, type Person, type Token } from '../machine/launchpad.ts';
import { base58, derive, programAddress, type Sent } from '../machine/machine.ts';
import { errorOf, sellAll, usd } from './tools.ts';

/** What somebody tries who wants nobody to have it. */

describe('nobody freezes what is others’', () => {
  let launchpad: Launchpad;
  beforeAll(async () => {
    launchpad = await Launchpad.start();
  });
  const lives = async (token: Token, by: Person): Promise<void> => {
    const { machine } = launchpad;
    machine.wait(10n);
    const launch = () => machine.state('Launch', token.places.launch);
    expect((await launchpad.trade(token, by, { kind: 'buyExactIn', amount: usd(100) })).said).toBe('');
    expect((await launchpad.trade(token, by, { kind: 'sellExactIn', amount: 10n ** 9n })).said).toBe('');
    if (launch().graduated === 0n)
      expect((await launchpad.trade(token, by, { kind: 'buyExactIn', amount: usd(200_000) })).said).toBe('');
    expect(launch().graduated).toBe(1n);
    expect((await machine.send(by.signer, await sellAll(launchpad, token, by))).said).toBe('');
    await launchpad.must(by.signer, launchpad.collection(token));
    await launchpad.must(token.creator.signer, launchpad.withdrawal(token.creator));
  };
  const world = async (
    poolType: number,
  ): Promise<{ token: Token; creator: Person; attacker: Person; trader: Person }> => {
    const [creator, attacker, trader] = [await launchpad.person(), await launchpad.person(), await launchpad.person()];
    return { token: await launchpad.create(creator, { poolType }), creator, attacker, trader };
  };
  const tokenProgram = (program: string, data: number[], ...accounts: [string, AccountRole][]): Instruction => ({
    programAddress: address(program),
    accounts: accounts.map(([at, role]) => ({ address: address(at), role })),
    data: Uint8Array.from(data),
  });
  const little = (value: bigint): number[] =>
    Array.from({ length: 8 }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn));

  it.each([7, 8, 9])('tokens burned, sent into the vaults, closed accounts: type %s lives on', async (poolType) => {
    const { machine } = launchpad;
    const { token, attacker, trader } = await world(poolType);
    machine.wait(10n);
    await launchpad.trade(token, attacker, { kind: 'buyExactOut', amount: 10n ** 14n });
    const own = await launchpad.tokensOf(token, attacker);
    const { mint, tokenVault, usdVault, feeVault } = token.places;
    const { token2022, token: classic } = wellKnown;
    const [reads, writes, signs] = [AccountRole.READONLY, AccountRole.WRITABLE, AccountRole.READONLY_SIGNER];
    const signer: [string, AccountRole] = [attacker.wallet, signs];
    const burn = tokenProgram(token2022, [8, ...little(10n ** 13n)], [own, writes], [mint, writes], signer);
    const give = tokenProgram(
      token2022,
      [12, ...little(10n ** 12n), 6],
      [own, writes],
      [mint, reads],
      [tokenVault, writes],
      signer,
    );
    const pay = (to: string) =>
      tokenProgram(
        classic,
        [12, ...little(usd(7)), 6],
        [attacker.usd, writes],
        [launchpad.dollarMint, reads],
        [to, writes],
        signer,
      );
    await launchpad.must(attacker.signer, burn, give, pay(usdVault), pay(feeVault));
    // What the attacker cannot do to the vaults and the mint: burn, close, take, approve, freeze, mint, change who owns.
    const refused = [
      tokenProgram(token2022, [8, ...little(1n)], [tokenVault, writes], [mint, writes], signer),
      tokenProgram(token2022, [9], [tokenVault, writes], [attacker.wallet, writes], signer),
      tokenProgram(classic, [9], [usdVault, writes], [attacker.wallet, writes], signer),
      tokenProgram(token2022, [9], [mint, writes], [attacker.wallet, writes], signer),
      tokenProgram(token2022, [4, ...little(1n)], [tokenVault, writes], [attacker.wallet, reads], signer),
      tokenProgram(token2022, [10], [tokenVault, writes], [mint, reads], signer),
      tokenProgram(token2022, [7, ...little(1n)], [mint, writes], [own, writes], signer),
      tokenProgram(token2022, [6, 2, 0], [tokenVault, writes], signer),
      tokenProgram(token2022, [14, ...little(1n), 6], [mint, writes], [own, writes], signer),
    ];
    for (const [at, one] of refused.entries())
      expect([at, (await machine.send(attacker.signer, one)).error]).not.toEqual([at, null]);
    const launch = machine.state('Launch', token.places.launch);
    expect(launch.reserveUsd + launch.floorUsd + launch.treasuryUsd + usd(7)).toBe(machine.balance(usdVault));
    await lives(token, trader);
  });

  it('a wallet that its holder gave to a program, this one too, is still who it was', async () => {
    const { machine } = launchpad;
    for (const owner of [programAddress, address(wellKnown.token2022)]) {
      const { token, creator, trader } = await world(8);
      // By the system program's `assign`, which a wallet signs for itself.
      const data = joinBytes(Uint8Array.of(1, 0, 0, 0), keyBytes(base58(owner)));
      const accounts = [{ address: creator.wallet, role: AccountRole.WRITABLE_SIGNER }];
      const { deployer } = machine;
      await launchpad.must([deployer, creator.signer], { programAddress: address(wellKnown.system), accounts, data });
      expect(machine.account(creator.wallet).owner).toBe(owner);
      machine.wait(10n);
      expect((await launchpad.trade(token, trader, { kind: 'buyExactIn', amount: usd(200_000) })).said).toBe('');
      expect(machine.state('Launch', token.places.launch).graduated).toBe(1n);
      const before = machine.balance(creator.usd);
      await launchpad.must([deployer, creator.signer], launchpad.withdrawal(creator));
      expect(machine.balance(creator.usd) - before).toBeGreaterThan(usd(10_000));
    }
  });

  it('a treasury that never opened its User stops nothing: anybody opens it', async () => {
    const { machine, owner } = launchpad;
    const { token, attacker, trader } = await world(7);
    const next = await launchpad.person({ hasUser: false });
    await launchpad.must(
      owner.signer,
      machine.instruction('set', { owner: owner.wallet }, { setting: 0, value: base58(next.wallet) }),
    );
    machine.wait(10n);
    await launchpad.trade(token, trader, { kind: 'buyExactIn', amount: usd(100) });
    const collect = machine.instruction('collectTreasury', { ...token.places, treasuryUser: next.user }, {});
    expect(errorOf(await machine.send(attacker.signer, collect))).toBe('BadAccount');
    expect(errorOf(await machine.send(attacker.signer, launchpad.collection(token)))).toBe('BadAccount');
    const open = machine.instruction('openUser', { payer: attacker.wallet, wallet: next.wallet, user: next.user }, {});
    await launchpad.must(attacker.signer, open, collect);
    expect(machine.state('User', next.user).creditUsd).toBe(usd(100) / 200n);
    await launchpad.must(
      owner.signer,
      machine.instruction('set', { owner: owner.wallet }, { setting: 0, value: base58(launchpad.treasury.wallet) }),
    );
    await lives(token, trader);
  });

  it('a collection that finds nothing says nothing, as on EVM', async () => {
    const { machine } = launchpad;
    const { token, attacker, trader } = await world(7);
    machine.wait(10n);
    await launchpad.trade(token, trader, { kind: 'buyExactIn', amount: usd(100) });
    expect((await launchpad.must(attacker.signer, launchpad.collection(token))).events).toHaveLength(1);
    const { seq } = machine.state('Launch', token.places.launch);
    expect((await launchpad.must(attacker.signer, launchpad.collection(token))).events).toEqual([]);
    expect(machine.state('Launch', token.places.launch).seq).toBe(seq);
  });

  it('a curve sold out in its window waits for the end of it, can be sold into meanwhile, and then opens for anybody', async () => {
    const { machine } = launchpad;
    const { token, attacker, trader, creator } = await world(8);
    const whole = { kind: 'buyExactIn', amount: usd(200_000) } as const;
    expect((await launchpad.trade(token, attacker, whole)).events.map(({ event }) => event)).toEqual([
      'Trade',
      'Completed',
    ]);
    const graduate = launchpad.graduation(token);
    expect(errorOf(await machine.send(trader.signer, graduate))).toBe('WindowOpen');
    expect(errorOf(await launchpad.trade(token, trader, whole))).toBe('GraduationPending');
    expect((await launchpad.trade(token, attacker, { kind: 'sellExactIn', amount: 1_000_000n })).said).toBe('');
    expect(errorOf(await machine.send(trader.signer, graduate))).toBe('NotCompleted');
    expect((await launchpad.trade(token, trader, whole)).said).toBe('');
    // A clock that goes back to before the creation keeps it shut; one that leaps opens it.
    const { created } = machine.state('Launch', token.places.launch);
    for (const back of [-1_000n, 0n, 5n]) {
      machine.setTime(created + back);
      expect(errorOf(await machine.send(trader.signer, graduate))).toBe('WindowOpen');
    }
    machine.setTime(created + 6n);
    // A buy that finds nothing left opens the pool and buys there, at the normal fee.
    const bought = await launchpad.trade(token, trader, { kind: 'buyExactIn', amount: usd(100) });
    expect(bought.events).toMatchObject([{ event: 'Graduated' }, { event: 'Trade', venue: 1, feeBps: 100 }]);
    // A clock that goes back again reopens nothing.
    machine.setTime(created);
    const late = await launchpad.trade(token, trader, { kind: 'buyExactIn', amount: usd(100) });
    expect(late.events).toMatchObject([{ event: 'Trade', venue: 1, feeBps: 100 }]);
    expect(errorOf(await machine.send(trader.signer, graduate))).toBe('AlreadyGraduated');
    machine.setTime(created + 100n);
    expect(machine.state('User', creator.user).creditUsd).toBeGreaterThan(usd(10_000));
  });
});

describe('compute', () => {
  /** What a transaction without a word about it may use for one instruction; a try of an address costs 1,500. */
  const [limit, oneTry] = [200_000, 1_500];

  it('the dearest of each instruction fits the default limit with the worst luck of 64 tries for an address', async () => {
    const launchpad = await Launchpad.start();
    const { machine } = launchpad;
    const person = () => launchpad.person();
    const [creator, trader, builder, referral, referrer] = [
      await person(),
      await person(),
      await person(),
      await person(),
      await person(),
    ];
    launchpad.putReferrer(trader, referrer);
    const units: Record<string, number> = {};
    const note = (name: string, sent: Sent): void => {
      expect([name, sent.said]).toEqual([name, '']);
      units[name] = Math.max(units[name] ?? 0, sent.units);
    };
    const token = await launchpad.create(creator, {
      poolType: 8,
      name: 'a'.repeat(textLimits.name),
      symbol: 'b'.repeat(textLimits.symbol),
      uri: 'c'.repeat(textLimits.uri),
    });
    note('create', token.sent);
    const named = { builder, builderBps: 100, referral, referrer };
    const part = { kind: 'buyExactIn', amount: usd(10), ...named } as const;
    note('buy in the window', await launchpad.trade(token, trader, part));
    const stranger = await launchpad.person({ hasUser: false });
    note('buy without a User', await launchpad.trade(token, stranger, { kind: 'buyExactIn', amount: usd(10) }));
    machine.wait(10n);
    note('the last buy', await launchpad.trade(token, trader, { ...part, amount: usd(200_000) }));
    note(
      'a sell through the floor',
      await launchpad.trade(token, trader, { ...part, kind: 'sellExactIn', amount: 7n * 10n ** 14n }),
    );
    note(
      'a buy through the floor',
      await launchpad.trade(token, trader, { ...part, kind: 'buyExactOut', amount: 7n * 10n ** 14n }),
    );
    note('collect', await machine.send(trader.signer, launchpad.collection(token)));
    // Sixteen vaults, a part in each.
    const credit = machine.state('User', builder.user);
    for (const vault of launchpad.feeVaults) {
      const [config] = await derive('config', {});
      machine.putTokens(vault, launchpad.dollarMint, config, usd(1));
    }
    machine.putState('User', builder.user, { ...credit, creditUsd: usd(16) });
    note('withdraw from 16 vaults', await machine.send(builder.signer, launchpad.withdrawal(builder)));
    expect(machine.balance(builder.usd)).toBe(usd(10 ** 12) + usd(16));
    const tries: Record<string, number> = { create: 3, 'buy without a User': 1 };
    for (const [name, used] of Object.entries(units))
      expect([name, used + (tries[name] ?? 0) * 64 * oneTry <= (tries[name] === 3 ? 2 : 1) * limit]).toEqual([
        name,
        true,
      ]);
    console.log(`Solana: units ${JSON.stringify(units)}`);
  });
});
