import type { Kysely } from 'kysely';
import { Bell } from './bell.ts';
import type { ChainContext } from './chainContext.ts';
import type { Database } from './db/tables.ts';
import { LeaseLostError, releaseLease, takeLease } from './store/lease.ts';
import type { Position } from './store/position.ts';
import { Store } from './store/store.ts';
import type { Change } from './sync/changes.ts';
import { FinalityError, follow } from './sync/follow.ts';
import type { ChainSource } from './sync/source.ts';

/** What the indexer says about itself; pino's loggers have this form. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface WorkerConfig {
  db: Kysely<Database>;
  chain: ChainContext;
  source: ChainSource;
  finalityBlocks: number;
  /** Pause at the head before asking for the next block, milliseconds. */
  pollMs: number;
  log: Log;
  /** Names this process in the lease. */
  owner: string;
}

/**
 * One chain's indexer. It works while it holds the chain's lease and waits while another process does. After any error
 * it rests, longer each time, and starts again from what the database holds; other chains do not notice.
 */
export class Worker {
  readonly #config: WorkerConfig;
  readonly #store: Store;
  readonly #bell = new Bell();
  readonly #done: Promise<void>;
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

  /** Ends after the change at hand, and gives the lease back. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#bell.ring();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { db, chain, owner } = this.#config;
    while (!this.#stopping) {
      try {
        if (await takeLease(db, chain.chainId, owner)) await this.#lead();
        else await this.#bell.wait(otherOwnerMs);
      } catch (error) {
        await this.#report(error as Error);
        this.#failures += 1;
        await this.#bell.wait(restMs(this.#failures));
      }
    }
    await releaseLease(db, chain.chainId, owner).catch((error: Error) => {
      this.#config.log.warn({ chain: chain.slug, reason: error.message }, 'the lease runs out by itself');
    });
  }

  async #lead(): Promise<void> {
    const { source, chain, finalityBlocks } = this.#config;
    const chainId = await source.chainId();
    if (chainId !== chain.chainId) throw new Error(`the provider of ${chain.slug} serves chain ${chainId}`);
    const position = await this.#store.position();
    const changes = follow(source, position, { finalityBlocks });
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
      this.#recovered();
      if (change.type === 'idle') {
        for (const resolve of waiting) resolve();
        if (!this.#stopping && this.#waiting.length === 0) await this.#bell.wait(this.#config.pollMs);
      } else {
        this.#waiting.unshift(...waiting);
      }
    }
  }

  async #apply(position: Position, change: Change): Promise<void> {
    switch (change.type) {
      case 'block':
        return this.#store.apply(position, change);
      case 'finalize':
        return this.#store.finalize(position, change);
      case 'idle':
        return this.#store.atHead(position, change.head);
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

  #recovered(): void {
    if (this.#problem !== '') this.#config.log.info({ chain: this.#config.chain.slug }, 'indexing again');
    this.#problem = '';
    this.#failures = 0;
  }

  /** Logs a problem once, and shows it to readers when it is the chain's. */
  async #report(error: Error): Promise<void> {
    const { log, chain } = this.#config;
    const fields = { chain: chain.slug, reason: error.message };
    if (error.message !== this.#problem) {
      if (error instanceof FinalityError) log.error({ ...fields, err: error }, 'indexing is paused');
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

/** 0.2 s doubled with each failure up to 10 s, of which a random half. */
const restMs = (failures: number): number => Math.min(10_000, 100 * 2 ** failures) * (0.5 + Math.random() / 2);
