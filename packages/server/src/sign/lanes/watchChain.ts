import type { Address } from '@mintage/protocol';
import { sql } from 'kysely';
import { Bell } from '../../bell.ts';
import { reasonOf } from '../../chain/wire.ts';
import type { Context, Lane } from '../context.ts';
import type { Sender } from '../sender.ts';

/** Most lanes of one chain that one process works on at once. */
const mostAtOnce = 16;

/** Serves the lanes of one chain until `stop`: signs queued intents and follows open steps. */
export class ChainWatch {
  readonly #context: Context;
  readonly #chain: Lane['chain'];
  readonly #sender: Sender;
  readonly #bell = new Bell();
  readonly #active = new Map<Address, Promise<void>>();
  /** Lanes whose intents have to wait, with the time until which they are skipped. */
  readonly #resting = new Map<Address, number>();
  readonly #done: Promise<void>;
  #stopping = false;
  /** The last logged problem, so that a lasting problem is logged once. */
  #trouble = '';

  constructor(context: Context, chain: Lane['chain'], sender: Sender) {
    this.#context = context;
    this.#chain = chain;
    this.#sender = sender;
    this.#done = this.#run();
  }

  /** Wakes the watch: an intent may have been queued. */
  ring(): void {
    this.#bell.ring();
  }

  /** Stops after the current turns. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#bell.ring();
    await this.#done;
    await Promise.all(this.#active.values());
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        for (const turn of await this.#turns()) this.#start(turn);
      } catch (error) {
        this.#report(error);
      }
      await this.#bell.wait(this.#context.pollMs);
    }
  }

  #start(turn: Turn): void {
    const { wallet, isQueued } = turn;
    if (this.#stopping || this.#active.has(wallet) || this.#active.size >= mostAtOnce) return;
    const work = this.#take(wallet, isQueued)
      .catch((error: unknown) => {
        this.#rest(wallet);
        this.#report(error, wallet);
      })
      .finally(() => {
        this.#active.delete(wallet);
        if (isQueued) this.#bell.ring(); // an intent may have been queued in the meantime
      });
    this.#active.set(wallet, work);
  }

  async #take(wallet: Address, isQueued: boolean): Promise<void> {
    if (isQueued && (await this.#sender.sign(wallet)) === 'waiting') this.#rest(wallet);
    await this.#sender.watch(wallet);
    this.#recovered();
  }

  #rest(wallet: Address): void {
    this.#resting.set(wallet, performance.now() + this.#context.pollMs);
  }

  /** Lanes with queued intents, and lanes with open steps that no signer has looked at for a polling interval. */
  async #turns(): Promise<Turn[]> {
    const { db, pollMs } = this.#context;
    const { eid } = this.#chain;
    const busy = [...this.#active.keys()];
    for (const [wallet, until] of this.#resting) if (until <= performance.now()) this.#resting.delete(wallet);
    const idle = [...busy, ...this.#resting.keys()];
    const { rows: queued } = await sql<{ wallet: Address }>`
      select wallet from intent where eid = ${eid} and status = 'queued' and wallet <> all(${idle})
      group by wallet order by min(created_at) limit ${mostAtOnce}`.execute(db);
    const { rows: open } = await sql<{ wallet: Address }>`
      update lane set watched_at = clock_timestamp() where eid = ${eid} and wallet in (
        select lane.wallet from lane where lane.eid = ${eid} and lane.wallet <> all(${busy})
          and lane.watched_at < clock_timestamp() - ${pollMs * 0.9} * interval '1 millisecond'
          and exists (select from intent i where i.eid = lane.eid and i.wallet = lane.wallet and i.status = 'signed')
        order by lane.watched_at limit ${mostAtOnce} for update skip locked)
      returning wallet`.execute(db);
    const isQueued = new Set(queued.map(({ wallet }) => wallet));
    return [
      ...queued.map(({ wallet }) => ({ wallet, isQueued: true })),
      ...open.filter(({ wallet }) => !isQueued.has(wallet)).map(({ wallet }) => ({ wallet, isQueued: false })),
    ];
  }

  #recovered(): void {
    if (this.#trouble !== '') this.#context.log.info({ chain: this.#chain.slug }, 'the signer works again');
    this.#trouble = '';
  }

  #report(error: unknown, wallet?: Address): void {
    const reason = reasonOf(error);
    if (reason === this.#trouble) return;
    this.#trouble = reason;
    this.#context.log.warn({ chain: this.#chain.slug, wallet, reason, err: error }, 'the signer is interrupted');
  }
}

interface Turn {
  wallet: Address;
  isQueued: boolean;
}
