import { campaign } from '@mintage/devnet/random';
import {
  graduateMintage,
  MintageError,
  type MintagePool,
  mostUnits,
  type PoolType,
  poolTypeById,
  poolTypes,
  quoteMintagePool,
  type TradeKind,
  type TradeOrder,
  tradeKinds,
} from '@mintage/protocol';
import type { Instruction } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { faultsOf } from '../machine/books.ts';
import { Launchpad, type Person, type Token } from '../machine/launchpad.ts';
import { usd } from './tools.ts';

/** What somebody tries who wants the floor's dollars, or those of the pool. */

const unit = 10n ** 6n;
const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

describe('a pool without fees', () => {
  const opened = (poolType: PoolType, floorUsd: bigint): MintagePool =>
    graduateMintage(poolType, { tokensLeft: 0n, reserveUsd: poolType.raiseUsd * unit }, floorUsd).pool;

  /**
   * The dollars that the pool would have at the edge, times what makes it a whole number: by the product of the side on which it
   * stands. Whoever comes back to as many tokens as before has taken something exactly when it fell.
   */
  const worth = ({ tokens, usd: dollars, floorUsd, edgeTokens, floorTokens }: MintagePool): bigint => {
    const whole = edgeTokens + floorTokens;
    if (tokens <= edgeTokens) return tokens * dollars * whole;
    return ((tokens + floorTokens) * (dollars + floorUsd) - floorUsd * whole) * edgeTokens;
  };

  const order = (kind: TradeKind, amount: bigint): TradeOrder => ({
    kind,
    amount,
    feeBps: 0n,
    builderBps: 0n,
    hasReferral: false,
    hasReferrer: false,
  });
  const after = (pool: MintagePool, one: TradeOrder): MintagePool => {
    try {
      return quoteMintagePool(pool, one).after;
    } catch (error) {
      if (error instanceof MintageError) return pool;
      throw error;
    }
  };

  it('C3 gives nobody anything: no step in any direction over any part of the edge lowers its product', () => {
    const { random, cases } = campaign('steps in a pool with a floor', 10_000);
    const steps = 50;
    for (let at = 0; at < cases; at += steps) {
      const poolType = random.pick(poolTypes);
      const first = opened(poolType, random.pick([0n, 1n, unit, random.scaled(mostUnits), mostUnits]));
      let pool = first;
      for (let step = 0; step < steps; step += 1) {
        const kind = random.pick(tradeKinds);
        const toEdge = pool.edgeTokens - pool.tokens;
        const near = (toEdge < 0n ? -toEdge : toEdge) + random.between(-2n, 2n);
        const isUsd = kind === 'buyExactIn' || kind === 'sellExactOut';
        const some = isUsd ? random.scaled(10n ** 11n) : random.scaled(pool.supply - pool.tokens + 2n);
        const next = after(pool, order(kind, !isUsd && near > 0n && random.chance(2) ? near : some));
        const seen = JSON.stringify({ first, pool, kind }, (_, value) =>
          typeof value === 'bigint' ? `${value}` : value,
        );
        if (worth(next) < worth(pool)) expect(seen).toBe('no loss of the pool');
        // What it holds is there: the floor's dollars too.
        if (next.usd < 0n || next.tokens < 1n || next.tokens > next.supply) expect(seen).toBe('a pool');
        pool = next;
      }
      // And so back to where it opened, by one step: never for fewer dollars than it opened with.
      const home = after(
        pool,
        pool.tokens > first.tokens
          ? order('buyExactOut', pool.tokens - first.tokens)
          : order('sellExactIn', first.tokens - pool.tokens),
      );
      if (home.tokens === first.tokens) expect(home.usd).toBeGreaterThanOrEqual(first.usd);
    }
  });

  it('C3 every token that nobody burned can be sold into any floor', () => {
    for (const poolType of poolTypes)
      for (const floor of [0n, 1n, unit, 10n ** 12n, mostUnits]) {
        const pool = opened(poolType, floor);
        const { after: emptied } = quoteMintagePool(pool, order('sellExactIn', pool.supply - pool.tokens));
        expect(emptied.tokens).toBe(pool.supply);
        expect(emptied.usd).toBeGreaterThan(0n);
      }
  });
});

describe('the floor in Solana’s machine', () => {
  let launchpad: Launchpad;
  beforeEach(async () => {
    launchpad = await Launchpad.start();
  });
  /** An attacker with two wallets: one creates and trades, the other has every share of the fee that a second one can have. */
  interface Gang {
    trader: Person;
    helper: Person;
  }
  const gang = async (): Promise<Gang> => {
    const [trader, helper] = [await launchpad.person(), await launchpad.person()];
    launchpad.putReferrer(trader, helper);
    return { trader, helper };
  };
  const wealth = ({ trader, helper }: Gang): bigint => {
    const { machine } = launchpad;
    return [trader, helper].reduce(
      (sum, one) => sum + machine.balance(one.usd) + machine.state('User', one.user).creditUsd,
      0n,
    );
  };
  const orders = async (
    token: Token,
    { trader, helper }: Gang,
    list: [TradeKind, bigint][],
  ): Promise<Instruction[]> => {
    const named = { builder: helper, referral: helper, referrer: helper };
    await launchpad.tokensOf(token, trader);
    return Promise.all(list.map(([kind, amount]) => launchpad.order(token, trader, { kind, amount, ...named })));
  };
  const held = async (token: Token, { trader }: Gang) =>
    launchpad.machine.balance(await launchpad.tokensOf(token, trader));
  const floorOf = (token: Token) => launchpad.machine.state('Launch', token.places.launch).floorUsd;
  const all = usd(1_000_000);

  /** One after the other in one transaction, or each in its own. */
  const run = async (isTogether: boolean, { trader }: Gang, list: Instruction[]): Promise<void> => {
    if (isTogether) await launchpad.must(trader.signer, ...list);
    else for (const one of list) await launchpad.must(trader.signer, one);
  };

  it.each([7, 8, 9].flatMap((type) => [1, 1_000, 100_000, 0].map((floor) => [type, floor] as const)))(
    'C3 type %s with a floor of %s dollars, 0 being the largest: built, graduated, sold out and bought again brings nothing',
    async (type, dollars) => {
      const { machine } = launchpad;
      const poolType = poolTypeById(type) as PoolType;
      const largest = (mostUnits * poolType.virtualUsd) / poolType.virtualTokens;
      for (const isTogether of [true, false]) {
        const attackers = await gang();
        const { trader } = attackers;
        const token = await launchpad.create(trader, { poolType: type });
        const { created } = machine.state('Launch', token.places.launch);
        const start = wealth(attackers);
        // A floor that the window builds is paid for; a larger one is as if this had gone on, and is counted as paid.
        const target = dollars === 0 ? largest : usd(dollars);
        const built = target < (poolType.raiseUsd * unit * 7n) / 2n ? target : poolType.raiseUsd * unit;
        const offered = ceilDiv(built * 100n, 79n);
        const [buy] = await orders(token, attackers, [['buyExactIn', offered]]);
        await launchpad.must(trader.signer, buy as Instruction);
        const launch = machine.state('Launch', token.places.launch);
        const given = target > launch.floorUsd ? target - launch.floorUsd : 0n;
        machine.putState('Launch', token.places.launch, { ...launch, floorUsd: launch.floorUsd + given });
        const vault = machine.balance(token.places.usdVault) + given;
        machine.putTokens(token.places.usdVault, launchpad.dollarMint, token.places.launch, vault);
        expect(floorOf(token)).toBeGreaterThanOrEqual(target);

        machine.setTime(created + 6n);
        const supply = 10n ** 15n;
        const left = launch.tokensLeft;
        const onCurve = poolType.curveTokens * unit;
        const list: [TradeKind, bigint][] = [
          ...(left === 0n ? [] : ([['buyExactIn', all]] as [TradeKind, bigint][])),
          ['sellExactIn', onCurve],
          ['buyExactOut', onCurve],
          ['sellExactIn', onCurve],
        ];
        if (left === 0n) await launchpad.must(trader.signer, launchpad.graduation(token));
        await run(isTogether, attackers, await orders(token, attackers, list));
        expect(await held(token, attackers)).toBe(0n);
        expect(machine.balance(token.places.tokenVault)).toBe(supply);
        expect(wealth(attackers)).toBeLessThan(start + given);
        const state = machine.state('Launch', token.places.launch);
        expect(state.graduated).toBe(1n);
        expect(state.floorUsd).toBeLessThanOrEqual(largest);
        expect(machine.balance(token.places.usdVault)).toBe(state.reserveUsd + state.floorUsd + state.treasuryUsd);
      }
    },
  );

  it('C3 a floor of the largest size, built in earnest by buying and selling in the window, costs what it holds', async () => {
    const { machine } = launchpad;
    const poolType = poolTypeById(9) as PoolType;
    const largest = (mostUnits * poolType.virtualUsd) / poolType.virtualTokens;
    const attackers = await gang();
    const { trader } = attackers;
    const token = await launchpad.create(trader, { poolType: 9 });
    const start = wealth(attackers);
    const onCurve = poolType.curveTokens * unit;
    const round: [TradeKind, bigint][] = [
      ['buyExactOut', onCurve],
      ['sellExactIn', onCurve],
    ];
    const rounds = await orders(token, attackers, [...round, ...round, ...round, ...round]);
    while (floorOf(token) <= largest + usd(1_000)) await launchpad.must(trader.signer, ...rounds);
    machine.wait(6n);
    const list: [TradeKind, bigint][] = [
      ['buyExactIn', all],
      ['sellExactIn', onCurve],
    ];
    await run(true, attackers, await orders(token, attackers, list));
    // What a floor cannot hold is the treasury's.
    expect(floorOf(token)).toBe(largest);
    expect(wealth(attackers)).toBeLessThan(start);
    expect(faultsOf(launchpad, [token], [trader, attackers.helper, launchpad.treasury])).toEqual([]);
  });

  it('C3 a hundred random trades across the edge, with all of the fee in the attacker’s hand, never profit', async () => {
    const { random, cases } = campaign('trades across the edge in the machine', 100);
    const { machine } = launchpad;
    const attackers = await gang();
    const [victim] = [await launchpad.person()];
    const token = await launchpad.create(victim, { poolType: 8 });
    machine.wait(1n);
    // Others have paid for the floor and for most of the curve.
    await launchpad.trade(token, victim, { kind: 'buyExactIn', amount: usd(90_000) });
    machine.wait(10n);
    await launchpad.trade(token, victim, { kind: 'buyExactIn', amount: usd(200_000) });
    expect(machine.state('Launch', token.places.launch).graduated).toBe(1n);
    await launchpad.trade(token, victim, { kind: 'sellExactIn', amount: 3n * 10n ** 14n });
    const start = wealth(attackers);
    const opening = machine.state('Launch', token.places.launch);
    for (let at = 0; at < cases; at += 1) {
      const tokens = await held(token, attackers);
      const left = machine.state('Launch', token.places.launch).tokensLeft;
      const one: [TradeKind, bigint] = random.chance(2)
        ? random.pick([
            ['buyExactIn', random.scaled(usd(50_000))] as [TradeKind, bigint],
            ['buyExactOut', random.scaled(left / 2n)] as [TradeKind, bigint],
          ])
        : ['sellExactIn', tokens === 0n ? 1n : random.pick([tokens, random.scaled(tokens)])];
      const [instruction] = await orders(token, attackers, [one]);
      await machine.send(attackers.trader.signer, instruction as Instruction);
    }
    const rest = await held(token, attackers);
    // Beside a rest that is too small to be sold alone.
    const more = 10n ** 9n;
    const home: [TradeKind, bigint][] = [
      ['buyExactOut', more],
      ['sellExactIn', rest + more],
    ];
    await run(true, attackers, await orders(token, attackers, home));
    const ending = machine.state('Launch', token.places.launch);
    expect(ending.tokensLeft).toBe(opening.tokensLeft);
    expect(ending.reserveUsd).toBeGreaterThanOrEqual(opening.reserveUsd);
    expect(wealth(attackers)).toBeLessThan(start);
    expect(faultsOf(launchpad, [token], [victim, attackers.trader, attackers.helper, launchpad.treasury])).toEqual([]);
  });
});
