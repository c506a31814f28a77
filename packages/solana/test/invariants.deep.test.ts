import { campaign } from '@mintage/devnet/random';
import { tradeKinds } from '@mintage/protocol';
import type { Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { faultsOf } from './machine/books.ts';
import { Launchpad, most, type Person, type Token } from './machine/launchpad.ts';
import { base58, programAddress } from './machine/machine.ts';

/**
 * People who do what they like, in any order, with accounts that are not always the right ones: whatever succeeds, the books stay exact,
 * every event's number follows the one before, and in the end everybody gets out. `CASES=1000000` for the long run.
 */
describe('whatever people do', () => {
  it('C3 C13 C14 S104 the books are exact after every instruction, and everybody exits', async () => {
    const { random, cases } = campaign('hostile actors', 1_500);
    const launchpad = await Launchpad.start();
    const { machine, owner, treasury, config } = launchpad;
    const people: Person[] = [];
    for (let at = 0; at < 6; at += 1) people.push(await launchpad.person({ dollars: 10_000_000n }));
    const everybody = [...people, owner, treasury];
    const tokens: Token[] = [];
    for (const poolType of [9, 9, 8]) tokens.push(await launchpad.create(random.pick(people), { poolType }));
    const dollarsAtFirst = everybody.reduce((sum, { usd }) => sum + machine.balance(usd), 0n);

    /** Mostly the right account, sometimes another. */
    const places = (token: Token): Record<string, string> => {
      if (!random.chance(6)) return {};
      const other = random.pick(tokens);
      const wrong = random.pick([
        other.places.usdVault,
        other.places.tokenVault,
        other.places.feeVault,
        random.pick(people).user,
        random.pick(people).usd,
        token.places.launch,
        programAddress,
      ]);
      const name = random.pick(['usdVault', 'tokenVault', 'feeVault', 'traderUsd', 'creatorUser', 'referrerUser']);
      // A seller may give the dollars to another token: its vault then holds more than it owes, which nobody could get out.
      if (name === 'traderUsd' && wrong === other.places.usdVault && other !== token) return {};
      return { [name]: wrong };
    };
    const amountOf = (kind: string): bigint => {
      if (random.chance(20)) return random.scaled(most);
      const isUsd = kind === 'buyExactIn' || kind === 'sellExactOut';
      return random.scaled(isUsd ? 2_000_000_000n : 10n ** 15n);
    };
    const referred = new Map<string, Person>();
    const deed = async (): Promise<[Person, Instruction]> => {
      const [who, token] = [random.pick(everybody), random.pick(tokens)];
      switch (random.int(14)) {
        case 0:
          return [who, launchpad.graduation(token)];
        case 1:
          return [who, launchpad.collection(token)];
        case 2:
          return [who, launchpad.withdrawal(who, random.chance(2) ? most : random.scaled(10n ** 9n))];
        case 3: {
          const args = { setting: random.int(4), value: base58(random.pick(everybody).wallet) };
          return [who, machine.instruction('set', { owner: who.wallet }, args)];
        }
        case 4:
          return [who, machine.instruction('clearReferrer', { owner: who.wallet, user: random.pick(people).user }, {})];
        default: {
          const kind = random.pick(tradeKinds);
          const referrer = referred.get(who.wallet);
          const order = {
            kind,
            amount: amountOf(kind),
            ...(random.chance(2) && { builder: random.pick(people), builderBps: random.int(300) }),
            ...(random.chance(2) && { referral: random.pick(people) }),
            ...(referrer && { referrer }),
          };
          return [who, await launchpad.order(token, who, order, places(token))];
        }
      }
    };

    const lastSeq = new Map<string, bigint>(tokens.map(({ places: { launch } }) => [launch, 0n]));
    let done = 0;
    for (let at = 0; at < cases; at += 1) {
      if (random.chance(4)) machine.wait(BigInt(random.int(4)));
      if (random.chance(60)) {
        const [user, referrer] = [random.pick(people), random.pick(people)];
        if (user !== referrer) {
          launchpad.putReferrer(user, referrer);
          referred.set(user.wallet, referrer);
        }
      }
      const [who, instruction] = await deed();
      const sent = await machine.send(who.signer, instruction);
      if (sent.error !== null) continue;
      done += 1;
      expect(faultsOf(launchpad, tokens, everybody)).toEqual([]);
      for (const { event, seq, by } of sent.events) {
        const before = lastSeq.get(by);
        expect([event, seq]).toEqual([event, before === undefined ? 0n : before + 1n]);
        lastSeq.set(by, seq);
      }
    }
    expect(done).toBeGreaterThan(cases / 10);

    // Everybody sells all, the treasury collects, everybody withdraws: nothing of theirs is left behind.
    for (const token of tokens)
      for (const person of everybody) {
        const held = machine.balance(await launchpad.tokensOf(token, person));
        // Fewer are worth less than the smallest part of a dollar, fees taken.
        if (held < 100n * 10n ** 6n) continue;
        const referrer = machine.state('User', person.user).referrer;
        const named = everybody.find(({ wallet }) => base58(wallet) === referrer);
        const sold = await launchpad.trade(token, person, {
          kind: 'sellExactIn',
          amount: held,
          ...(named && { referrer: named }),
        });
        expect(sold.said).toBe('');
      }
    const payee = everybody.find(({ wallet }) => base58(wallet) === machine.state('Config', config).treasury);
    for (const token of tokens)
      await launchpad.must(
        owner.signer,
        machine.instruction('collectTreasury', { ...token.places, treasuryUser: (payee ?? treasury).user }, {}),
      );
    for (const person of everybody) {
      const owed = machine.state('User', person.user).creditUsd;
      if (owed > 0n) await launchpad.must(person.signer, launchpad.withdrawal(person));
    }
    expect(faultsOf(launchpad, tokens, everybody)).toEqual([]);
    const locked = tokens.reduce((sum, { places: { usdVault } }) => sum + machine.balance(usdVault), 0n);
    const dollarsNow = everybody.reduce((sum, { usd }) => sum + machine.balance(usd), 0n);
    expect(dollarsNow + locked).toBe(dollarsAtFirst);
    expect(launchpad.feeVaults.map((vault) => machine.balance(vault))).toEqual(Array(16).fill(0n));
  });
});
