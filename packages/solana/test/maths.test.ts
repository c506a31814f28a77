import { campaign } from '@mintage/devnet/random';
import { isBuy, mostUnits, tradeKinds } from '@mintage/protocol';
import { programErrors, wellKnown } from '@mintage/protocol/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomSolanaCase, type SolanaCase } from './machine/cases.ts';
import { expectedOf } from './machine/expected.ts';
import { Launchpad, most, type Person, type Token } from './machine/launchpad.ts';

/** Whether TypeScript and the program say the same of random orders, in Solana's machine (`CASES=50000`). */

describe('the program in Solana’s machine', () => {
  let launchpad: Launchpad;
  let people: Record<'creator' | 'trader' | 'builder' | 'referral' | 'referrer' | 'unreferred', Person>;
  const tokens = new Map<number, Token>();

  beforeAll(async () => {
    launchpad = await Launchpad.start();
    const person = () => launchpad.person({ dollars: 10n ** 12n });
    people = {
      creator: await person(),
      trader: await person(),
      builder: await person(),
      referral: await person(),
      referrer: await person(),
      unreferred: await person(),
    };
    launchpad.putReferrer(people.trader, people.referrer);
    for (const poolType of [7, 8, 9]) tokens.set(poolType, await launchpad.create(people.creator, { poolType }));
  });
  afterAll(() => tokens.clear());

  /** Makes the chain what the case begins with. */
  const put = async ({ launch, order }: SolanaCase): Promise<{ token: Token; trader: Person }> => {
    const token = tokens.get(launch.poolType.id) as Token;
    const trader = order.hasReferrer ? people.trader : people.unreferred;
    launchpad.putLaunch(token, launch);
    // Credits of many cases would be more than an account counts.
    launchpad.clearCredits(Object.values(people));
    // Whatever the trader asks for can be paid.
    const { machine, dollarMint } = launchpad;
    const buys = isBuy(order.kind);
    machine.putTokens(trader.usd, dollarMint, trader.wallet, buys ? most : 0n);
    const tokenAccount = await launchpad.tokensOf(token, trader);
    machine.putTokens(tokenAccount, token.places.mint, trader.wallet, buys ? 0n : mostUnits, wellKnown.token2022);
    return { token, trader };
  };

  /** Seconds after creation at which a buy pays this fee: one in the window, or later. */
  const elapsedAt = (feeBps: bigint): bigint => {
    const at = [8_000n, 6_684n, 5_367n, 4_050n, 2_734n, 1_417n].indexOf(feeBps);
    return at === -1 ? 100n : BigInt(at);
  };

  it('C7 C6 C13 does what TypeScript says, to the base unit: state, balances, credits, event, refusal', async () => {
    const { random, cases } = campaign('maths in the machine', 300);
    for (let at = 0; at < cases; at += 1) {
      const { machine } = launchpad;
      const one = randomSolanaCase(random);
      const { order, launch, limit } = one;
      const { token, trader } = await put(one);
      machine.setTime(machine.state('Launch', token.places.launch).created + elapsedAt(order.feeBps));
      const held = await heldBy(token, trader);
      const sent = await launchpad.trade(token, trader, {
        kind: order.kind,
        amount: order.amount,
        limit,
        ...(order.builderBps > 0n && { builder: people.builder, builderBps: Number(order.builderBps) }),
        ...(order.hasReferral && { referral: people.referral }),
        ...(order.hasReferrer && { referrer: people.referrer }),
      });
      const expected = expectedOf(one);
      const what = `case ${at}: ${JSON.stringify(one, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`;
      if (typeof expected === 'string') {
        const nameOf = (code: number | null) => (code === null ? 'none' : programErrors[code - 6001]);
        expect([what, nameOf(sent.error)]).toEqual([what, expected]);
        continue;
      }
      expect([what, sent.said]).toEqual([what, '']);
      const { trade, tokensLeft, reserveUsd } = expected;
      const [moved] = sent.events;
      const after = machine.state('Launch', token.places.launch);
      const graduates = !launch.isGraduated && tokensLeft === 0n && elapsedAt(order.feeBps) >= 6n;
      expect([what, moved]).toMatchObject([
        what,
        {
          event: 'Trade',
          kind: tradeKinds.indexOf(order.kind),
          venue: launch.isGraduated ? 1 : 0,
          feeBps: Number(order.feeBps),
          grossUsd: trade.grossUsd,
          netUsd: trade.netUsd,
          tokens: trade.tokens,
          tokensLeft,
          reserveUsd,
        },
      ]);
      if (!graduates) expect([what, after.tokensLeft, after.reserveUsd]).toEqual([what, tokensLeft, reserveUsd]);
      const now = await heldBy(token, trader);
      const { fees } = trade;
      const credited = {
        creator: fees.creator,
        builder: fees.builder,
        referral: fees.referral,
        referrer: fees.referrer,
        cashback: fees.cashback,
      };
      const sign = isBuy(order.kind) ? 1n : -1n;
      const reward = graduates ? launch.poolType.creatorRewardUsd * 10n ** 6n : 0n;
      expect([what, difference(now, held)]).toEqual([
        what,
        {
          ...credited,
          creator: credited.creator + reward,
          tokens: sign * trade.tokens,
          usd: isBuy(order.kind) ? -trade.grossUsd : trade.netUsd,
          fees: Object.values(credited).reduce((sum, part) => sum + part, 0n) + reward,
        },
      ]);
    }
  });

  const heldBy = async (token: Token, trader: Person): Promise<Record<string, bigint>> => {
    const { machine } = launchpad;
    const credit = ({ user }: Person) => machine.state('User', user).creditUsd;
    return {
      creator: credit(people.creator),
      builder: credit(people.builder),
      referral: credit(people.referral),
      referrer: credit(people.referrer),
      cashback: credit(trader),
      tokens: machine.balance(await launchpad.tokensOf(token, trader)),
      usd: machine.balance(trader.usd),
      fees: machine.balance(token.places.feeVault),
    };
  };
  const difference = (now: Record<string, bigint>, before: Record<string, bigint>): Record<string, bigint> =>
    Object.fromEntries(Object.entries(now).map(([name, amount]) => [name, amount - (before[name] as bigint)]));
});
