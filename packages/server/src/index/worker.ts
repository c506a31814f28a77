import type { Kysely } from 'kysely';
import { backoffMs } from '../backoff.ts';
import { Bell } from '../bell.ts';
import type { Database } from '../db/chainTables.ts';
import type { Log } from '../log.ts';
import type { ChainContext } from './chainContext.ts';
import type { Follower } from './follower.ts';
import type { Position } from './position.ts';
import { LeaseLostError, releaseLease, takeLease } from './store/lease.ts';
import { Store } from './store/store.ts';
import type { BlockChange, Change } from './sync/changes.ts';
import { DisagreementError } from './sync/DisagreementError.ts';
import { FinalityError } from './sync/FinalityError.ts';
import { tracePage } from './tracePage.ts';

export interface WorkerConfig {
  db: Kysely<Database>;
  chain: ChainContext;
  follower: Pick<Follower, 'check' | 'follow'>;
  /** Pause at the head before asking for the next block, milliseconds. */
  pollMs: number;
  log: Log;
  /** Names this process in the lease. */
  owner: string;
  /** Creates the chain's row if it is missing: an operator may have the chain's index deleted while this runs. */
  register?: () => Promise<void>;
}

/**
 * One chain's indexer. It works while it holds the chain's lease and waits while another process does. After any error
 * it pauses, longer each time, and restarts from the state in the database; other chains are not affected.
 */
export class Worker {
  readonly #config: WorkerConfig;
  readonly #store: Store;
  readonly #bell = new Bell();
  readonly #done: Promise<void>;
  /** Newest block that a provider announced by itself. */
  #announced = 0;
  /** Whether the newest block in the tables was announced, so that the next one will be too. */
  #isListening = false;
  #progressAt = performance.now();
  /** Block at which this run began, for the progress in percent. */
  #firstBlock = 0;
  #stopping = false;
  #waiting: (() => void)[] = [];
  #failures = 0;
  #problem = '';

  constructor(config: WorkerConfig) {
    this.#config = config;
    this.#store = new Store(config.db, config.chain, config.owner);
    this.#done = this.#run();
  }

  /** Resolves once the tables hold the block that was the head when this was called, or a later one. */
  caughtUp(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#bell.ring();
    });
  }

  /** Called when a provider announces a new block. The announcement only decides when to look, not what is believed. */
  announced(block: number): void {
    this.#announced = Math.max(this.#announced, block);
    this.#bell.ring();
  }

  /** Stops after the current change and releases the lease. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#bell.ring();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { db, chain, owner, register } = this.#config;
    while (!this.#stopping) {
      try {
        await register?.();
        if (await takeLease(db, chain.eid, owner)) await this.#lead();
        else await this.#bell.wait(otherOwnerMs);
      } catch (error) {
        await this.#report(error as Error);
        this.#failures += 1;
        await this.#bell.wait(backoffMs(this.#failures, 200, 10_000));
      }
    }
    await releaseLease(db, chain.eid, owner).catch((error: Error) => {
      this.#config.log.warn({ chain: chain.slug, reason: error.message }, 'the lease runs out by itself');
    });
  }

  async #lead(): Promise<void> {
    const { follower } = this.#config;
    await follower.check();
    const position = await this.#store.position();
    this.#firstBlock = position.number;
    const changes = follower.follow(position);
    while (!this.#stopping) {
      const waiting = this.#waiting.splice(0);
      let change: Change;
      try {
        change = (await changes.next()).value;
        await this.#apply(position, change);
      } catch (error) {
        this.#waiting.unshift(...waiting);
        throw error;
      }
      if (change.type === 'unsettled') {
        this.#waiting.unshift(...waiting);
        await this.#bell.wait(Math.min(this.#config.pollMs, unsettledMs));
        continue;
      }
      this.#recovered();
      if (change.type === 'idle') {
        for (const resolve of waiting) resolve();
        if (!this.#stopping && this.#waiting.length === 0) await this.#bell.wait(this.#pauseMs(change.head));
      } else {
        this.#waiting.unshift(...waiting);
      }
    }
    await this.#store.write(position);
  }

  /** The pause before the next look; longer while blocks are announced, because polling is only a safeguard then. */
  #pauseMs(head: number): number {
    const { pollMs } = this.#config;
    return this.#isListening && this.#announced <= head ? Math.max(pollMs, safeguardMs) : pollMs;
  }

  async #apply(position: Position, change: Change): Promise<void> {
    switch (change.type) {
      case 'block': {
        const startedMs = Date.now();
        await this.#store.apply(position, change);
        await tracePage(this.#config, change, startedMs);
        this.#isListening = change.to.number <= this.#announced;
        this.#tellProgress(change);
        return;
      }
      case 'finalize':
        return this.#store.finalize(position, change);
      case 'idle':
        return this.#store.atHead(position, change.head);
      case 'unsettled':
        return this.#store.write(position);
      case 'reorg': {
        const { slug } = this.#config.chain;
        this.#config.log.info(
          { chain: slug, from: position.number, to: change.ancestor.number },
          'reorg: blocks undone',
        );
        Object.assign(position, await this.#store.undo(position, change));
      }
    }
  }

  /** Logs progress every few seconds during a backfill. */
  #tellProgress({ to, head, pace }: BlockChange): void {
    if (pace === null || performance.now() - this.#progressAt < progressMs) return;
    this.#progressAt = performance.now();
    const { chain, log } = this.#config;
    const left = head - to.number;
    const percent = (100 * (to.number - this.#firstBlock)) / Math.max(1, head - this.#firstBlock);
    const fields = {
      chain: chain.slug,
      indexed: to.number,
      head,
      percent: Math.floor(percent * 10) / 10,
      blocksPerSecond: Math.round(pace.blocksPerSecond),
      eventsPerSecond: Math.round(pace.logsPerSecond),
      secondsLeft: Math.ceil(left / Math.max(1e-3, pace.blocksPerSecond)),
    };
    log.info(fields, `indexing: ${fields.percent} %, ${left} blocks left`);
  }

  #recovered(): void {
    if (this.#problem !== '') this.#config.log.info({ chain: this.#config.chain.slug }, 'indexing again');
    this.#problem = '';
    this.#failures = 0;
  }

  /** Logs a problem once, and records it for readers when it is about the chain. */
  async #report(error: Error): Promise<void> {
    const { log, chain } = this.#config;
    const fields = { chain: chain.slug, reason: error.message };
    if (error.message !== this.#problem) {
      if (error instanceof FinalityError) log.error({ ...fields, err: error }, 'indexing is paused');
      else if (error instanceof DisagreementError) log.error({ ...fields, err: error }, 'indexing is interrupted');
      else log.warn({ ...fields, err: error }, 'indexing is interrupted');
    }
    this.#problem = error.message;
    if (error instanceof LeaseLostError) return;
    await this.#store
      .stalled(error instanceof FinalityError ? 'paused' : 'down', error.message)
      .catch((cause: Error) => {
        log.warn({ ...fields, reason: cause.message }, 'the status could not be stored');
      });
  }
}

const otherOwnerMs = 1_000;
const safeguardMs = 1_000;
const unsettledMs = 100;
const progressMs = 5_000;
