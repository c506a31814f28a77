import { textLimits } from '@mintage/protocol/solana';
import { type Instruction } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsOf } from '../machine/books.ts';
import { Launchpad, most, type Person } from '../machine/launchpad.ts';
import { errorOf, lamportsOf, patch, rentOf, sellAll, usd } from './tools.ts';

/** Numbers and texts at their ends. */

describe('numbers and texts at their ends', () => {
  let launchpad: Launchpad;
  let people: Record<'creator' | 'trader', Person>;
  beforeAll(async () => {
    launchpad = await Launchpad.start();
    people = { creator: await launchpad.person(), trader: await launchpad.person() };
  });
  const ends = [0n, 1n, 2n, 1n << 62n, (1n << 62n) + 1n, 1n << 63n, most];

  it('every amount with every limit either is refused by name or leaves the books exact', async () => {
    const { machine, dollarMint } = launchpad;
    const { creator, trader } = people;
    const onCurve = await launchpad.create(creator);
    const pooled = await launchpad.create(creator, { poolType: 8 });
    machine.wait(10n);
    await launchpad.must(
      trader.signer,
      await launchpad.order(onCurve, trader, { kind: 'buyExactIn', amount: usd(1_000) }),
      await launchpad.order(pooled, trader, { kind: 'buyExactIn', amount: usd(100_000) }),
    );
    machine.putTokens(trader.usd, dollarMint, trader.wallet, 1n << 62n);
    const world = machine.save();
    const everybody = [creator, trader, launchpad.treasury];
    const attempt = async (what: unknown[], instruction: Instruction): Promise<void> => {
      const sent = await machine.send(trader.signer, instruction);
      // A code of ours, or the token program's word that there is not so much: never a panic, which has no code.
      if (sent.error !== null) expect([...what, sent.error, sent.error > 0]).toContain(true);
      else {
        expect([...what, faultsOf(launchpad, [onCurve, pooled], everybody)]).toEqual([...what, []]);
        machine.restore(world);
      }
    };
    const kinds = ['buyExactIn', 'buyExactOut', 'sellExactIn', 'sellExactOut'] as const;
    for (const [name, token] of Object.entries({ onCurve, pooled }))
      for (const kind of kinds)
        for (const amount of ends)
          for (const limit of [0n, most])
            for (const builderBps of [0, 9_899])
              await attempt(
                [name, kind, amount, limit, builderBps],
                await launchpad.order(token, trader, { kind, amount, limit, builder: creator, builderBps }),
              );
    for (const amount of ends) await attempt(['withdraw', amount], launchpad.withdrawal(trader, amount));
    for (const amount of ends)
      await attempt(
        ['mintTestUsd', amount],
        machine.instruction('mintTestUsd', { dollarMint, to: trader.usd }, { amount }),
      );
  });

  it('a pool that holds as many dollars as there can be still trades', async () => {
    const { machine, dollarMint } = launchpad;
    const { creator, trader } = people;
    const token = await launchpad.create(creator);
    machine.wait(10n);
    machine.putTokens(trader.usd, dollarMint, trader.wallet, most);
    const buy = (amount: bigint) => launchpad.trade(token, trader, { kind: 'buyExactIn', amount });
    expect((await buy(usd(100_000))).events).toHaveLength(3);
    for (let times = 0; times < 3; times += 1) expect((await buy(1n << 62n)).said).toBe('');
    const rest = machine.balance(trader.usd);
    expect(errorOf(await buy(rest))).toBe('none');
    expect(errorOf(await buy(1n))).not.toBe('none');
    for (const amount of [1n, 10n ** 6n, 10n ** 14n])
      expect((await launchpad.trade(token, trader, { kind: 'sellExactIn', amount })).said).toBe('');
    expect((await machine.send(trader.signer, await sellAll(launchpad, token, trader))).said).toBe('');
    expect(faultsOf(launchpad, [token], [creator, trader, launchpad.treasury])).toEqual([]);
    machine.putTokens(trader.usd, dollarMint, trader.wallet, 10n ** 18n);
  });

  it('texts have a byte at least and no more than their limit', async () => {
    const { machine } = launchpad;
    const { creator } = people;
    const at = {
      name: 'a'.repeat(textLimits.name),
      symbol: 'b'.repeat(textLimits.symbol),
      uri: 'c'.repeat(textLimits.uri),
    };
    const { sent, places } = await launchpad.create(creator, at);
    expect(sent.events).toMatchObject([at]);
    expect(lamportsOf(machine, places.mint)).toBe(rentOf(machine, places.mint));
    for (const name of ['name', 'symbol', 'uri'] as const)
      for (const text of ['', `${at[name]}x`, 'é'.repeat(at[name].length / 2 + 1)]) {
        const { instruction } = await launchpad.creation(creator, { ...at, [name]: text });
        expect(errorOf(await machine.send(creator.signer, instruction))).toBe('UnusableText');
      }
    // A length that is not there.
    const { instruction } = await launchpad.creation(creator);
    const lengthAt = 1 + 5 + 8 + 32;
    for (const [byte, error] of [
      [lengthAt + 3, 'UnusableText'],
      [lengthAt + 2, 'UnusableText'],
      [lengthAt + 1, 'UnusableText'],
    ] as const)
      expect(errorOf(await machine.send(creator.signer, patch(instruction, byte, 255)))).toBe(error);
    expect(errorOf(await machine.send(creator.signer, patch(instruction, lengthAt, 120)))).toBe('BadInstruction');
  });

  it('bytes that are no text make no token, because the token program keeps texts only', async () => {
    const { machine } = launchpad;
    const { creator } = people;
    for (const broken of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
      const { instruction, places } = await launchpad.creation(creator, { name: 'x'.repeat(broken.length) });
      const data = Uint8Array.from(instruction.data ?? []);
      data.set(broken, 1 + 5 + 8 + 32 + 4);
      expect((await machine.send(creator.signer, { ...instruction, data })).error).not.toBe(null);
      expect(machine.account(places.mint).data).toHaveLength(0);
    }
  });

  it('C21 a deadline is the last second that counts, before 1970 too', async () => {
    const { machine } = launchpad;
    const { creator, trader } = people;
    const token = await launchpad.create(creator);
    const now = machine.time;
    const order = { kind: 'buyExactIn', amount: usd(1) } as const;
    for (const [deadline, error] of [
      [-(1n << 63n), 'DeadlinePassed'],
      [-1n, 'DeadlinePassed'],
      [0n, 'DeadlinePassed'],
      [now - 1n, 'DeadlinePassed'],
      [now, 'none'],
      [(1n << 63n) - 1n, 'none'],
    ] as const) {
      expect([deadline, errorOf(await launchpad.trade(token, trader, { ...order, deadline }))]).toEqual([
        deadline,
        error,
      ]);
      const { instruction } = await launchpad.creation(creator, { deadline });
      expect([deadline, errorOf(await machine.send(creator.signer, instruction))]).toEqual([deadline, error]);
    }
    machine.setTime(-100n);
    for (const [deadline, error] of [
      [-101n, 'DeadlinePassed'],
      [-100n, 'none'],
    ] as const)
      expect(errorOf(await launchpad.trade(token, trader, { ...order, deadline }))).toBe(error);
    machine.setTime(now);
  });

  it('nobody takes all test dollars that there can be', async () => {
    const { machine, dollarMint } = launchpad;
    const person = await launchpad.person();
    const mint = (amount: bigint) =>
      machine.send(person.signer, machine.instruction('mintTestUsd', { dollarMint, to: person.usd }, { amount }));
    expect(errorOf(await mint(10n ** 12n + 1n))).toBe('AmountTooLarge');
    expect(errorOf(await mint(10n ** 12n))).toBe('none');
  });
});
