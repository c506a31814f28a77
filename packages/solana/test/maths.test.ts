import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { campaign } from '@mintage/devnet/random';
import { isBuy, mostUnits, tradeKinds } from '@mintage/protocol';
import { programErrors, wellKnown } from '@mintage/protocol/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildNative } from '../build/build.ts';
import { isCompilerHere } from './compilerHere.ts';
import { randomSolanaCase, type SolanaCase } from './machine/cases.ts';
import { expectedOf } from './machine/expected.ts';
import { Launchpad, most, type Person, type Token } from './machine/launchpad.ts';

/**
 * Whether TypeScript and the program say the same of random orders: on this computer, where the pinned compiler makes the program's own
 * files a native one (`CASES=10000000`), and in Solana's machine (`CASES=50000`).
 */

describe('the program’s maths on this computer', () => {
  const source = fileURLToPath(new URL('../program/native/quotes.rs', import.meta.url));

  const lineOf = ({ launch, order, limit }: SolanaCase): string =>
    [
      launch.isGraduated ? 1 : 0,
      launch.poolType.id,
      launch.tokensLeft,
      launch.reserveUsd,
      launch.floorUsd,
      tradeKinds.indexOf(order.kind),
      order.amount,
      limit,
      order.feeBps,
      order.builderBps,
      order.hasReferral ? 1 : 0,
      order.hasReferrer ? 1 : 0,
    ].join(' ');

  const answerOf = (one: SolanaCase): string => {
    const expected = expectedOf(one);
    if (typeof expected === 'string') return expected;
    const { trade, tokensLeft, reserveUsd } = expected;
    const { builder, excess, creator, referral, referrer, cashback, treasury } = trade.fees;
    const parts = [builder, excess, creator, referral, referrer, cashback, treasury];
    return [trade.grossUsd, trade.netUsd, trade.tokens, tokensLeft, reserveUsd, ...parts].join(' ');
  };

  it('C7 is TypeScript’s to the base unit', async () => {
    if (!(await isCompilerHere('the program’s maths was not compared natively'))) return;
    const { random, cases } = campaign('native maths', 20_000);
    const folder = mkdtempSync(join(tmpdir(), 'mintage-solana-'));
    try {
      await buildNative(source, join(folder, 'quotes'));
      const program = spawn(join(folder, 'quotes'), { stdio: ['pipe', 'pipe', 'inherit'] });
      const asked = new Map<number, SolanaCase>();
      const answers = (async (): Promise<number> => {
        let count = 0;
        for await (const line of createInterface({ input: program.stdout })) {
          const one = asked.get(count);
          if (one === undefined) throw new Error('An answer to no question.');
          if (answerOf(one) !== line) expect(`${lineOf(one)}: ${line}`).toBe(`${lineOf(one)}: ${answerOf(one)}`);
          asked.delete(count);
          count += 1;
        }
        return count;
      })();
      for (let at = 0; at < cases; at += 1) {
        const one = randomSolanaCase(random);
        asked.set(at, one);
        if (!program.stdin.write(`${lineOf(one)}\n`)) await once(program.stdin, 'drain');
      }
      program.stdin.end();
      expect(await answers).toBe(cases);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

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
