import type { Random } from '@mintage/devnet/random';
import type { Hash } from '@mintage/protocol';
import { dollars, type Ground, type Person, type Step, type Token } from './ground.ts';

const kinds = ['buyExactIn', 'buyExactOut', 'sellExactIn', 'sellExactOut'] as const;

/** People who create, trade, send, withdraw and collect as it comes; much of it fails. */
export class RandomLife {
  readonly tokens: Token[] = [];
  readonly #ground: Ground;
  readonly #random: Random;
  readonly #people: readonly Person[];
  #made: number;

  /** @param first - Number of the first token: no two have the same. */
  constructor(ground: Ground, random: Random, first = 1_000) {
    const { alice, bob, carol, dave } = ground.people;
    this.#ground = ground;
    this.#random = random;
    this.#people = [alice, bob, carol, dave];
    this.#made = first;
  }

  async open(): Promise<void> {
    const { owner, builder, promoter, treasury } = this.#ground.people;
    const everybody = [...this.#people, builder, promoter, treasury];
    const opening = everybody.map((one) => this.#ground.openUser(owner, one));
    await this.#ground.must(owner, ...opening.slice(0, 4));
    await this.#ground.must(owner, ...opening.slice(4));
  }

  /** Sends a few transactions for the next block. */
  async act(most = 4): Promise<Hash[]> {
    await this.#forgetVanished();
    const sent: Hash[] = [];
    for (let left = this.#random.int(most + 1); left > 0; left -= 1) {
      const who = this.#random.pick(this.#people);
      sent.push(await this.#ground.post(who, ...this.#deed(who)));
    }
    return sent;
  }

  /** Nobody trades tokens whose creation a fork took. */
  async #forgetVanished(): Promise<void> {
    // Older ones are final.
    const young = this.tokens.splice(-50);
    if (young.length === 0) return;
    const mints = young.map(({ mint }) => mint);
    const config = { commitment: 'processed', encoding: 'base64', dataSlice: { offset: 0, length: 0 } };
    const { value } = (await this.#ground.ask('getMultipleAccounts', mints, config)) as { value: unknown[] };
    this.tokens.push(...young.filter((_, at) => value[at] !== null));
  }

  #deed(who: Person): Step[] {
    const random = this.#random;
    const { builder, promoter } = this.#ground.people;
    if (this.tokens.length === 0 || random.chance(12)) {
      this.#made += 1;
      const token = this.#ground.creation(who, this.#made);
      this.tokens.push(token);
      return random.chance(2)
        ? token.steps
        : [...token.steps, ...this.#ground.trade(token, who, 'buyExactIn', dollars(1 + random.int(40)))];
    }
    const token = random.pick(this.tokens);
    if (random.chance(8)) return [this.#ground.withdrawal(who)];
    if (random.chance(15)) return [this.#ground.collection(token)];
    if (random.chance(15)) return [this.#ground.graduation(token)];
    const kind = random.pick(kinds);
    const isUsd = kind === 'buyExactIn' || kind === 'sellExactOut';
    const amount = isUsd ? random.scaled(dollars(random.chance(5) ? 400 : 30)) : random.scaled(10n ** 14n);
    const named = {
      ...(random.chance(2) ? { builder, builderBps: random.int(200) } : {}),
      ...(random.chance(2) ? { referral: promoter } : {}),
    };
    const trade = this.#ground.trade(token, who, kind, amount, named);
    if (!random.chance(6)) return trade;
    const to = random.pick(this.#people);
    const opening = this.#ground.openTokens(who, token, to);
    return [...trade, opening, this.#ground.transfer(token, who, to, random.scaled(10n ** 12n))];
  }
}
