import { buyFeeBps } from '@mintage/protocol';
import { programErrorOf, wellKnown } from '@mintage/protocol/solana';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsOf } from './machine/books.ts';
import { Launchpad, most, type Person, type Token } from './machine/launchpad.ts';
import type { Sent } from './machine/machine.ts';

const usd = (dollars: number): bigint => BigInt(dollars) * 1_000_000n;
const errorOf = ({ error }: Sent): string | undefined => (error === null ? 'none' : programErrorOf(error));

describe('a token’s life on Solana', () => {
  let launchpad: Launchpad;
  let people: Record<'creator' | 'trader' | 'builder' | 'referral' | 'late', Person>;
  let token: Token;
  const faults = () => faultsOf(launchpad, [token], [...Object.values(people), launchpad.treasury, launchpad.owner]);
  const launch = () => launchpad.machine.state('Launch', token.places.launch);

  beforeAll(async () => {
    launchpad = await Launchpad.start();
    const [creator, trader, builder, referral, late] = await Promise.all(
      Array.from({ length: 5 }, () => launchpad.person()),
    );
    if (!creator || !trader || !builder || !referral || !late) throw new Error('Five people are needed.');
    people = { creator, trader, builder, referral, late };
    token = await launchpad.create(creator, {
      poolType: 8,
      name: 'Papierschiff ⛵',
      symbol: 'BOAT',
      uri: 'ipfs://boat',
    });
  });

  it('creates it: the whole supply in its vault, and nobody can mint, freeze or rename', () => {
    const { machine } = launchpad;
    expect(token.sent.events).toMatchObject([
      {
        event: 'TokenCreated',
        seq: 0n,
        launchNumber: 0n,
        poolType: 8,
        name: 'Papierschiff ⛵',
        by: token.places.launch,
      },
    ]);
    expect(machine.balance(token.places.tokenVault)).toBe(10n ** 15n);
    const { data, owner } = machine.account(token.places.mint);
    expect(owner).toBe(wellKnown.token2022);
    const at = (from: number, length: number) => Buffer.from(data.subarray(from, from + length));
    // No mint authority, no freeze authority.
    expect([at(0, 4).readUInt32LE(), at(46, 4).readUInt32LE()]).toEqual([0, 0]);
    expect([data[44], data[45]]).toEqual([6, 1]);
    // Two extensions, the pointer to the metadata and the metadata; neither has an authority.
    expect([at(166, 2).readUInt16LE(), at(170, 32)]).toEqual([18, Buffer.alloc(32)]);
    expect([at(234, 2).readUInt16LE(), at(238, 32)]).toEqual([19, Buffer.alloc(32)]);
    expect(at(238 + 64, 200).toString()).toContain('Papierschiff ⛵');
    expect(data.length).toBe(238 + at(236, 2).readUInt16LE());
    expect(faults()).toEqual([]);
  });

  it('C11 a buy in the opening window pays what its second says, also the creator, and the rest is the floor’s', async () => {
    const { machine } = launchpad;
    const { created } = launch();
    for (const elapsed of [0n, 1n, 2n, 3n, 4n, 5n, 6n]) {
      machine.setTime(created + elapsed);
      const before = launch().floorUsd;
      const { events, error } = await launchpad.trade(token, people.creator, { kind: 'buyExactIn', amount: usd(10) });
      const fee = buyFeeBps(elapsed);
      expect([error, events]).toMatchObject([null, [{ event: 'Trade', feeBps: Number(fee), grossUsd: usd(10) }]]);
      expect(launch().floorUsd - before).toBe((usd(10) * (fee - 100n)) / 10_000n);
      expect(faults()).toEqual([]);
    }
  });

  it('S113 a clock before the creation, and one that leapt, cost no less than the window and no more than the fee', async () => {
    const { machine } = launchpad;
    const { created } = launch();
    for (const [time, fee] of [
      [created - 5n, 8_000],
      [created + 10n ** 9n, 100],
      [created + 60n, 100],
    ] as const) {
      machine.setTime(time);
      const sent = await launchpad.trade(token, people.creator, { kind: 'buyExactIn', amount: usd(1) });
      expect([sent.said, sent.events]).toMatchObject(['', [{ feeBps: fee }]]);
    }
  });

  it('pays everybody named in a trade, buy or sell', async () => {
    const { trader, builder, referral, creator } = people;
    const credits = () =>
      [builder, referral, creator].map(({ user }) => launchpad.machine.state('User', user).creditUsd);
    const before = credits();
    const named = { builder, builderBps: 50, referral };
    const bought = await launchpad.trade(token, trader, { kind: 'buyExactIn', amount: usd(1_000), ...named });
    expect([bought.said, bought.events[0]]).toMatchObject(['', { builder: builder.wallet, referral: referral.wallet }]);
    expect(credits().map((now, at) => now - (before[at] as bigint))).toEqual([usd(5), 1_500_000n, 3_500_000n]);
    const sold = await launchpad.trade(token, trader, { kind: 'sellExactOut', amount: usd(100), ...named });
    expect(sold.said).toBe('');
    expect(faults()).toEqual([]);
  });

  it('a referral that is the trader counts for nothing', async () => {
    const { trader } = people;
    const sent = await launchpad.trade(token, trader, { kind: 'buyExactIn', amount: usd(10), referral: trader });
    expect(sent.events).toMatchObject([{ referral: '1'.repeat(32) }]);
    expect(launchpad.machine.state('User', trader.user).creditUsd).toBe(0n);
  });

  it.each([
    ['C21 its deadline passed', { deadline: 1n }, 'DeadlinePassed'],
    ['less would come than its limit', { limit: most }, 'TooLittleReceived'],
    ['nothing would move', { amount: 1n }, 'ZeroAmount'],
    ['fees would take all', { builderBps: 9_900, named: true }, 'FeesExceedAmount'],
    ['a fee is for nobody', { builderBps: 10 }, 'UserMissing'],
    ['nobody has so many dollars', { amount: most }, 'AmountTooLarge'],
  ] as const)('error: a buy is refused when %s', async (_, { ...order }, name) => {
    const { named, ...rest } = { named: false, ...order };
    const builder = named ? { builder: people.builder } : {};
    const sent = await launchpad.trade(token, people.trader, {
      kind: 'buyExactIn',
      amount: usd(10),
      ...builder,
      ...rest,
    });
    expect(errorOf(sent)).toBe(name);
  });

  it('error: a graduation before the curve is sold out is refused', async () => {
    expect(errorOf(await launchpad.machine.send(people.late.signer, launchpad.graduation(token)))).toBe('NotCompleted');
  });

  it('C6 C5 the last buy pays for what is left only, and opens the pool in the same transaction at the curve’s last price', async () => {
    const { late } = people;
    const offered = usd(100_000);
    const before = launchpad.machine.balance(late.usd);
    const sent = await launchpad.trade(token, late, { kind: 'buyExactIn', amount: offered });
    expect([sent.said, sent.events.map(({ event }) => event)]).toEqual(['', ['Trade', 'Completed', 'Graduated']]);
    const [trade] = sent.events;
    if (trade?.event !== 'Trade') throw new Error('no trade');
    expect(before - launchpad.machine.balance(late.usd)).toBe(trade.grossUsd);
    expect(trade.grossUsd).toBeLessThan(offered);
    const { tokensLeft, reserveUsd, graduated } = launch();
    expect([graduated, tokensLeft]).toEqual([1n, 200_000_000n * 10n ** 6n]);
    // C4: B₁/A₁ of the curve against the pool's, as a fraction.
    const curve = { tokens: 480_000_000n * 10n ** 6n, usd: usd(18_000) + trade.reserveUsd };
    const [one, other] = [curve.usd * tokensLeft, reserveUsd * curve.tokens];
    expect((one > other ? one - other : other - one) * 10_000_000n).toBeLessThan(one);
    expect(faults()).toEqual([]);
  });

  it('trades in the pool, through the floor and back', async () => {
    const { late, trader } = people;
    const sold = await launchpad.trade(token, late, { kind: 'sellExactIn', amount: 700_000_000n * 10n ** 6n });
    expect([sold.said, sold.events]).toMatchObject(['', [{ venue: 1, feeBps: 100 }]]);
    expect(launch().tokensLeft).toBeGreaterThan(533_333_333n * 10n ** 6n);
    expect(faults()).toEqual([]);
    const bought = await launchpad.trade(token, trader, { kind: 'buyExactOut', amount: 650_000_000n * 10n ** 6n });
    expect(bought.said).toBe('');
    expect(faults()).toEqual([]);
  });

  it('error: it graduates once', async () => {
    expect(errorOf(await launchpad.machine.send(people.late.signer, launchpad.graduation(token)))).toBe(
      'AlreadyGraduated',
    );
  });

  it('C14 everybody takes out what they earned, the creator with the reward, and nothing is left', async () => {
    const { machine } = launchpad;
    await launchpad.must(people.late.signer, launchpad.collection(token));
    for (const person of [...Object.values(people), launchpad.treasury]) {
      const owed = machine.state('User', person.user).creditUsd;
      const before = machine.balance(person.usd);
      const sent = await machine.send(person.signer, launchpad.withdrawal(person));
      expect([errorOf(sent), machine.balance(person.usd) - before]).toEqual([
        owed === 0n ? 'ZeroAmount' : 'none',
        owed,
      ]);
    }
    expect(launchpad.feeVaults.map((vault) => machine.balance(vault))).toEqual(Array(16).fill(0n));
    expect(machine.balance(token.places.usdVault)).toBe(launch().reserveUsd + launch().floorUsd);
    expect(faults()).toEqual([]);
  });

  it('error: more than is credited, or out of vaults that hold less, is refused', async () => {
    const { trader, builder } = people;
    await launchpad.trade(token, trader, { kind: 'buyExactIn', amount: usd(100), builder, builderBps: 100 });
    const { machine } = launchpad;
    const others = launchpad.feeVaults.filter((vault) => vault !== token.places.feeVault);
    expect(errorOf(await machine.send(builder.signer, launchpad.withdrawal(builder, usd(2))))).toBe(
      'InsufficientCredit',
    );
    expect(errorOf(await machine.send(builder.signer, launchpad.withdrawal(builder, usd(1), others)))).toBe(
      'VaultsTooSmall',
    );
    expect(
      errorOf(await machine.send(trader.signer, launchpad.withdrawal({ ...builder, wallet: trader.wallet }))),
    ).toBe('Unauthorized');
  });
});
