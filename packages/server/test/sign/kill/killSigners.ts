import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@mintage/devnet/until';
import { sql } from 'kysely';
import { Random } from '../random.ts';
import { startEvmGround } from './evmGround.ts';
import type { Effect, Ground, Owner, Weather } from './ground.ts';
import type { KillPoint } from './killPoints.ts';
import { type SignerChild, startSignerChild } from './signerChild.ts';
import { startSolanaGround } from './solanaGround.ts';

/** One of each family. */
export const grounds = { 'base-sepolia': startEvmGround, 'solana-devnet': startSolanaGround };
export type KillableChain = keyof typeof grounds;

export interface KillPlan {
  chain: KillableChain;
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
  signedAgain: number;
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
 * Signers on one chain while people wish for transactions, blocks come and leave again, and the signers are killed one after
 * the other at every point and at random. Each step pays an address of its own, so that the chain itself says in the end how
 * often each one happened.
 */
export const killSigners = async (plan: KillPlan): Promise<KillOutcome> => {
  const random = new Random(plan.seed);
  const ground = await grounds[plan.chain]();
  const children: SignerChild[] = [];
  const people = new People(ground, random, plan.intents);
  try {
    for (let i = 0; i < plan.signers; i += 1) children.push(await startSignerChild(ground, `signer-${i}`));
    await people.arrive(plan.wallets);
    await ground.settle();
    const weather = ground.weather(random);
    const kills: Record<string, number> = {};
    let isOver = false;
    const living = Promise.all([people.live(), blow(weather, () => isOver)]);
    living.catch(() => {}); // seen below
    const killing = async (): Promise<void> => {
      for (let killed = 0; killed < plan.kills; killed += 1) {
        const point = ground.points[(killed * stride) % ground.points.length] as KillPoint;
        let isKilled = false;
        while (!isKilled) {
          people.want();
          const child = random.pick(children);
          isKilled = await point.reach(child, ground.db, random, () => child.replace());
        }
        kills[point.name] = (kills[point.name] ?? 0) + 1;
        plan.tell?.(`${killed + 1} of ${plan.kills} kills (${point.name}), ${people.ended} intents have ended`);
      }
      people.killingIsOver();
    };
    await Promise.race([killing(), living.then(() => Promise.reject(new Error('nobody lives any more')))]);
    await people.allEnded();
    isOver = true;
    await living;
    return { kills, reorgs: weather.reorgs, ...(await people.count()) };
  } finally {
    people.killingIsOver();
    await Promise.all(children.map((child) => child.stop()));
    await ground.stop();
  }
};

const blow = async (weather: Weather, isOver: () => boolean): Promise<void> => {
  while (!isOver()) {
    await weather.pass();
    await sleep(40);
  }
};

/** Wishes for transactions, so many at a time, and at least until all kills are done. */
class People {
  readonly #ground: Ground;
  readonly #random: Random;
  readonly #least: number;
  readonly #owners: Owner[] = [];
  readonly #effects = new Map<string, readonly Effect[]>();
  #isKilling = true;
  ended = 0;

  constructor(ground: Ground, random: Random, least: number) {
    this.#ground = ground;
    this.#random = random;
    this.#least = least;
  }

  async arrive(count: number): Promise<void> {
    for (let i = 0; i < count; i += 1) this.#owners.push(await this.#ground.newOwner());
  }

  /** One more user wants a wallet: somebody is to be killed while making it. */
  want(): void {
    const { db, chainType: chain_type } = this.#ground;
    db.insertInto('embedded_wallet')
      .values({ user_id: randomUUID(), chain_type, address: null, made_at: null, paused_at: null })
      .execute()
      .catch(() => {}); // the end of the test may come first
  }

  killingIsOver(): void {
    this.#isKilling = false;
  }

  async live(): Promise<void> {
    while (this.#isKilling || this.#effects.size < this.#least) {
      this.ended = await this.#countEnded();
      await this.#noneRefused();
      if (this.#effects.size - this.ended >= inFlight) {
        await sleep(20);
        continue;
      }
      const owner = this.#random.pick(this.#owners);
      const { id, effects } = await this.#ground.wish(owner, this.#random.whole(1, 3), this.#random);
      this.#effects.set(id, effects);
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
    const refused = await this.#ground.db
      .selectFrom('intent')
      .select('error')
      .where('status', '=', 'refused')
      .execute();
    if (refused.length > 0) throw new Error(`${refused.length} intents were refused: ${refused[0]?.error}`);
  }

  async #countEnded(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from intent where status not in ('queued', 'signed')`.execute(this.#ground.db);
    return rows[0]?.count ?? 0;
  }

  /** As the chain says; the tables must say the same. */
  async count(): Promise<Omit<KillOutcome, 'kills' | 'reorgs'>> {
    const { db } = this.#ground;
    let [steps, lost, doubled] = [0, 0, 0];
    for (const timesOf of [...this.#effects.values()].flat()) {
      const times = await timesOf();
      steps += 1;
      if (times === 0n) lost += 1;
      if (times > 1n) doubled += 1;
    }
    const attempts = await db.selectFrom('attempt').select('hash').execute();
    const outcome = { intents: this.#effects.size, steps, signedAgain: attempts.length - steps, lost, doubled };
    if (lost + doubled > 0) return outcome;
    const unfinished = await db.selectFrom('intent').select('intent_id').where('status', '!=', 'done').execute();
    if (unfinished.length > 0) throw new Error(`${unfinished.length} intents are not done in the tables`);
    await this.#ground.compare();
    return outcome;
  }
}
