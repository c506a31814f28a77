import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevChain } from '@mintage/devnet';
import { sql } from 'kysely';
import { type Hex, numberToHex } from 'viem';
import { Random } from '../random.ts';
import { balanceOf, newAddress, startWorld, until, type World } from '../world.ts';
import { killPoints } from './killPoints.ts';
import { type SignerChild, startSignerChild } from './signerChild.ts';

export interface KillPlan {
  seed: number;
  kills: number;
  intents: number;
  /** Processes alive at once. */
  signers: number;
  wallets: number;
  tell?: (line: string) => void;
}

export interface KillOutcome {
  /** By the point at which the process was. */
  kills: Record<string, number>;
  intents: number;
  steps: number;
  /** Attempts beyond the first of a step. */
  replacements: number;
  reorgs: number;
  /** Steps without their effect on the chain. */
  lost: number;
  /** Steps with their effect more than once. */
  doubled: number;
}

const inFlight = 30;
/** Few kills are spread over all points, many reach each of them: it divides no number of points that is in use. */
const stride = 3;

/**
 * Signers on one chain while people wish for transactions, blocks come and leave again, gas gets dear and cheap, and the
 * signers are killed one after the other at every point and at random. Each step pays 1 base unit to an address of its own,
 * so that the chain itself says in the end how often each one happened.
 */
export const killSigners = async (plan: KillPlan): Promise<KillOutcome> => {
  const random = new Random(plan.seed);
  const world = await startWorld(['base-sepolia']);
  const children: SignerChild[] = [];
  const people = new People(world, random, plan.intents);
  try {
    const [chain] = world.chains as [DevChain];
    for (let i = 0; i < plan.signers; i += 1) children.push(await startSignerChild(world, chain, `signer-${i}`));
    await people.arrive(plan.wallets);
    await chain.rpc('anvil_mine', [numberToHex(5)]); // so that no reorg takes their coins
    const weather = new Weather(chain, random);
    const kills: Record<string, number> = {};
    const living = Promise.all([people.live(), weather.run()]);
    living.catch(() => {}); // seen below
    const killing = async (): Promise<void> => {
      for (let killed = 0; killed < plan.kills; killed += 1) {
        const point = killPoints[(killed * stride) % killPoints.length] as (typeof killPoints)[number];
        await until(async () => {
          people.want();
          const child = random.pick(children);
          return point.reach(child, world.db, random, () => child.replace());
        });
        kills[point.name] = (kills[point.name] ?? 0) + 1;
        plan.tell?.(`${killed + 1} of ${plan.kills} kills (${point.name}), ${people.ended} intents have ended`);
      }
      people.killingIsOver();
    };
    await Promise.race([killing(), living.then(() => Promise.reject(new Error('nobody lives any more')))]);
    await people.allEnded();
    weather.stop();
    await living;
    return { kills, reorgs: weather.reorgs, ...(await people.count(chain)) };
  } finally {
    people.killingIsOver();
    await Promise.all(children.map((child) => child.stop()));
    await world.stop();
  }
};

/** Wishes for transactions, so many at a time, and at least until all kills are done. */
class People {
  readonly #world: World;
  readonly #random: Random;
  readonly #least: number;
  readonly #owners: { user: string; wallet: Hex }[] = [];
  readonly #effects = new Map<string, Hex[]>();
  #isKilling = true;
  ended = 0;

  constructor(world: World, random: Random, least: number) {
    this.#world = world;
    this.#random = random;
    this.#least = least;
  }

  async arrive(count: number): Promise<void> {
    for (let i = 0; i < count; i += 1) this.#owners.push(await this.#world.newWallet());
  }

  /** One more user wants a wallet: somebody is to be killed while making it. */
  want(): void {
    const row = { user_id: randomUUID(), chain_type: 'evm' as const, address: null, made_at: null, paused_at: null };
    this.#world.db
      .insertInto('embedded_wallet')
      .values(row)
      .execute()
      .catch(() => {}); // the end of the test may come first
  }

  killingIsOver(): void {
    this.#isKilling = false;
  }

  async live(): Promise<void> {
    const [chain] = this.#world.chains as [DevChain];
    while (this.#isKilling || this.#effects.size < this.#least) {
      this.ended = await this.#countEnded();
      await this.#noneRefused();
      if (this.#effects.size - this.ended >= inFlight) {
        await sleep(20);
        continue;
      }
      const recipients = Array.from({ length: this.#random.whole(1, 3) }, newAddress);
      const id = await this.#world.wish({
        chain,
        ...this.#random.pick(this.#owners),
        steps: recipients.map((to) => ({ to, value: 1n })),
      });
      this.#effects.set(id, recipients);
    }
  }

  async allEnded(): Promise<void> {
    await until(async () => {
      this.ended = await this.#countEnded();
      return !this.#isKilling && this.#effects.size >= this.#least && this.ended === this.#effects.size;
    });
  }

  /** Nothing here is to be refused: without work no signer would come by where it is to be killed. */
  async #noneRefused(): Promise<void> {
    const refused = await this.#world.db.selectFrom('intent').select('error').where('status', '=', 'refused').execute();
    if (refused.length > 0) throw new Error(`${refused.length} intents were refused: ${refused[0]?.error}`);
  }

  async #countEnded(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from intent where status not in ('queued', 'signed')`.execute(this.#world.db);
    return rows[0]?.count ?? 0;
  }

  /** As the chain says; the tables must say the same. */
  async count(chain: DevChain): Promise<Omit<KillOutcome, 'kills' | 'reorgs'>> {
    const { db } = this.#world;
    let [steps, lost, doubled] = [0, 0, 0];
    for (const recipients of this.#effects.values()) {
      for (const to of recipients) {
        const paid = await balanceOf(chain, to);
        steps += 1;
        if (paid === 0n) lost += 1;
        if (paid > 1n) doubled += 1;
      }
    }
    const unfinished = await db.selectFrom('intent').select('intent_id').where('status', '!=', 'done').execute();
    if (unfinished.length > 0) throw new Error(`${unfinished.length} intents are not done in the tables`);
    for (const { wallet, next_nonce } of await db.selectFrom('lane').selectAll().execute()) {
      const used = Number(await chain.rpc('eth_getTransactionCount', [wallet, 'latest']));
      if (used !== next_nonce) throw new Error(`${wallet}: ${used} nonces used, ${next_nonce} in the tables`);
    }
    const attempts = await db.selectFrom('attempt').select('hash').execute();
    return { intents: this.#effects.size, steps, replacements: attempts.length - steps, lost, doubled };
  }
}

/** Mines, takes blocks away again that nobody holds for final, and makes gas dear for a while. */
class Weather {
  readonly #chain: DevChain;
  readonly #random: Random;
  #stopping = false;
  reorgs = 0;

  constructor(chain: DevChain, random: Random) {
    this.#chain = chain;
    this.#random = random;
  }

  stop(): void {
    this.#stopping = true;
  }

  async run(): Promise<void> {
    let dearBlocks = 0;
    while (!this.#stopping) {
      if (dearBlocks > 0) dearBlocks -= 1;
      else if (this.#random.chance(0.01)) dearBlocks = 25;
      if (this.#random.chance(0.03)) {
        await this.#chain.rpc('anvil_rollback', [this.#random.whole(1, 2)]);
        this.reorgs += 1;
      }
      await this.#chain.rpc('anvil_setNextBlockBaseFeePerGas', [numberToHex(dearBlocks > 0 ? dear : usual)]);
      await this.#chain.rpc('evm_mine');
      await sleep(40);
    }
  }
}

const usual = 1_000_000_000n;
const dear = 4_000_000_000n;
