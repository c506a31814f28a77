import { type Eid, platformIdOf, tokenIdOf } from '@mintage/protocol';
import type { Updateable } from 'kysely';
import { type Kysely, sql, type Transaction } from 'kysely';
import { chainChannel } from '../../db/chainChannel.ts';
import { type ChainStatus, changedTables, type Database, writtenOnceTables } from '../../db/chainTables.ts';
import { claimSlug } from '../../db/claimSlug.ts';
import { makeMonths, monthOf } from '../../db/months.ts';
import { publish } from '../../db/outbox.ts';
import { inPipeline, type Pipeline } from '../../db/pipeline.ts';
import { namesOf } from '../../db/table.ts';
import { takeChain, takeKnownChains } from '../../db/votingLocks.ts';
import { rollBack, rollForward } from '../aggregates/roll.ts';
import { loseWeight, takeBackLosses } from '../aggregates/votes.ts';
import type { ChainContext } from '../chainContext.ts';
import type { Moment } from '../events/origin.ts';
import type { ChainEvent } from '../handlers/events.ts';
import { handleAll } from '../handlers/handle.ts';
import { loadPage } from '../handlers/loadPage.ts';
import { newsOf } from '../handlers/news.ts';
import { retractionsAfter } from '../outbox/retract.ts';
import { insertCopied, insertRows, selectRows, updateRows } from '../page/bulk.ts';
import { noRows } from '../page/tableRows.ts';
import { loadPosition, type Position } from '../position.ts';
import type { BlockChange, FinalizeChange, Header, ReorgChange } from '../sync/changes.ts';
import { Batch, type Finalized } from './batch.ts';
import { LeaseLostError, leaseUntil } from './lease.ts';

/**
 * Writes the tables of one chain. Each transaction also moves the cursor, and commits only while `owner` holds the lease and the
 * cursor is where the transaction begins, so applying a change twice has the effect of once.
 *
 * Pages of history are folded in memory and written together; what is near the head is written at once.
 */
export class Store {
  readonly #db: Kysely<Database>;
  readonly #chain: ChainContext;
  readonly #owner: string;
  #rows = noRows();
  #batch: Batch | undefined;
  #renewedAt = 0;
  /** First moments of the months whose parts are there, milliseconds. */
  #months = new Set<number>();
  readonly #longestMs: number;

  /** @param longestMs - How long history is gathered before it is written. */
  constructor(db: Kysely<Database>, chain: ChainContext, owner: string, { longestMs = 3_000 } = {}) {
    this.#longestMs = longestMs;
    this.#db = db;
    this.#chain = chain;
    this.#owner = owner;
  }

  /**
   * Loads the position from the database. A caller who asks does not know how far the tables are, so what is in memory is
   * dropped as well.
   */
  position(): Promise<Position> {
    this.#rows = noRows();
    this.#batch = undefined;
    this.#months = new Set();
    return loadPosition(this.#db, this.#chain.eid);
  }

  /**
   * Applies a page. On success `position` moves forward; after an error, load it again. The tables may follow later, with the next
   * pages or by `write`.
   */
  async apply(position: Position, change: BlockChange): Promise<void> {
    const { events } = change;
    await this.#claimSlugs(events);
    await this.#makeMonths(events);
    const load = (db: Kysely<Database>) =>
      loadPage(this.#chain, position, events, this.#rows, change.finalized + 1, (table, keys) =>
        selectRows(db, table, this.#chain.eid, keys),
      );
    // Without events there is hardly anything to load.
    const page = events.length === 0 ? await load(this.#db) : await inPipeline(this.#db, ({ tx }) => load(tx));
    handleAll(page, events);
    // With the first page that reaches the head, later blocks become live events for the streams.
    const liveFrom = position.liveFrom ?? (change.to.number < change.head ? null : change.to.number + 1);
    const news = liveFrom === null ? [] : newsOf(page, Math.max(liveFrom, change.from));
    this.#batch ??= new Batch(position, change);
    this.#batch.add(page, change, news);
    position.number = change.to.number;
    position.hash = change.to.hash;
    position.finalized = change.finalized;
    position.treasury = page.treasury;
    position.liveFrom = liveFrom;
    for (const event of events) {
      if (event.name === 'TokenCreated' || event.name === 'TokenRegistered') position.tokens.add(event.token);
      if (event.name === 'TokenCreated') position.poolTypes.set(event.token, event.poolType);
      if (event.name === 'Numbered') position.numbers.set(event.account, event.number + 1);
    }
    for (const { number, hash } of change.headers) position.hashes.set(number, hash);

    const isNearHead = change.to.number > change.finalized || change.to.number === change.head;
    if (isNearHead || liveFrom !== null || this.#batch.isFull({ longestMs: this.#longestMs }))
      await this.#write(position, isNearHead);
    else if (performance.now() - this.#renewedAt > renewEveryMs) await this.#renewLease();
  }

  /** Writes what was applied and is not in the tables yet. */
  write(position: Position): Promise<void> {
    return this.#write(position, false);
  }

  /** @param rolls - Whether figures that change with time alone are moved to the newest block. */
  async #write(position: Position, rolls: boolean): Promise<void> {
    const batch = this.#batch;
    if (batch === undefined) return;
    const { to, head, pace } = batch.last;
    const now = { block: to.number, time: timeOf(to) };
    await this.#transaction(async ({ tx, sent }) => {
      if (batch.registers) await takeKnownChains(sent);
      await takeChain(sent, this.#chain.eid);
      await this.#moveCursor(tx, batch.from, {
        head,
        indexed: now.block,
        indexed_hash: to.hash,
        indexed_time: now.time,
        finalized: position.finalized,
        treasury: position.treasury,
        live_from: position.liveFrom,
        blocks_per_second: pace?.blocksPerSecond ?? null,
        status: now.block < head ? 'syncing' : 'live',
      });
      await this.#writeRows(sent, batch);
      const { rolled } = position;
      if (rolls) await rollForward(sent, this.#chain, { rolled, number: batch.from.number }, now, batch.created);
      const { since, senders } = batch;
      const blocks = { from: batch.from.number, to: now.block, since, senders, finalized: position.finalized };
      await loseWeight(tx, this.#chain, blocks, rolls);
      if (batch.news.length > 0) await publish(sent, batch.news);
    });
    for (const rows of Object.values(this.#rows)) rows.written();
    this.#batch = undefined;
    if (rolls) position.rolled = now;
  }

  /**
   * Deletes the undo information of blocks up to `number`. The newest of them stays, as the last possible ancestor of a
   * reorg.
   */
  async finalize(position: Position, { number }: FinalizeChange): Promise<void> {
    const oldest = Math.max(...[...position.hashes.keys()].filter((known) => known <= number));
    const finalized = { number, oldest };
    if (this.#batch !== undefined) this.#batch.finalized = finalized;
    else
      await this.#transaction(async ({ tx, sent }) => {
        await this.#moveCursor(tx, position, {});
        await this.#forget(sent, finalized);
      });
    for (const known of position.hashes.keys()) if (known < oldest) position.hashes.delete(known);
  }

  async #forget(tx: Transaction<Database>, { number, oldest }: Finalized): Promise<void> {
    const { eid } = this.#chain;
    await tx.deleteFrom('journal').where('eid', '=', eid).where('block_number', '<=', number).execute();
    await tx.deleteFrom('block').where('eid', '=', eid).where('number', '<', oldest).execute();
  }

  /** Undoes every block after the ancestor. */
  async undo(position: Position, { ancestor }: ReorgChange): Promise<Position> {
    await this.write(position);
    await this.#transaction(async ({ tx, sent }) => {
      await takeChain(sent, this.#chain.eid);
      const time = await tx
        .selectFrom('block')
        .select('time')
        .where('eid', '=', this.#chain.eid)
        .where('number', '=', ancestor.number)
        .where('hash', '=', ancestor.hash)
        .executeTakeFirstOrThrow();
      if (ancestor.number < position.finalized) throw new Error(`block ${ancestor.number} is below finality`);
      await this.#moveCursor(tx, position, {
        indexed: ancestor.number,
        indexed_hash: ancestor.hash,
        indexed_time: time.time,
        // Blocks that replace history were never announced, so they are live.
        live_from: position.liveFrom && Math.min(position.liveFrom, ancestor.number + 1),
        status: 'syncing',
      });
      const to = { block: ancestor.number, time: time.time };
      const undoRows = () => undoBlocks(tx, this.#chain.eid, to);
      const { rolled } = position;
      if (rolled === null || rolled.block <= to.block) await undoRows();
      else await rollBack(tx, this.#chain, rolled, to, undoRows);
      await takeBackLosses(tx, this.#chain, to.block, position.finalized);
      await publish(sent, await retractionsAfter(tx, this.#chain, { number: ancestor.number, time: time.time }));
    });
    return this.position();
  }

  /** Renews the lease, and updates the head and status that readers see, when there is no page to write. */
  async atHead(position: Position, head: number): Promise<void> {
    await this.write(position);
    const { rows } = await sql`update chain set lease_until = ${leaseUntil}, updated_at = now(),
      version = version + (head <> ${head} or status <> 'live')::int, head = ${head}, status = 'live', problem = null,
      blocks_per_second = null, live_from = coalesce(live_from, indexed + 1)
      where eid = ${this.#chain.eid} and lease_owner = ${this.#owner} and indexed = ${position.number}
      returning 1`.execute(this.#db);
    if (rows.length === 0) throw new LeaseLostError(this.#chain.eid);
    position.liveFrom ??= position.number + 1;
  }

  /** Records for readers why the index does not advance. */
  async stalled(status: ChainStatus & ('down' | 'paused'), problem: string): Promise<void> {
    await this.#db
      .updateTable('chain')
      .set({ status, problem, updated_at: sql`now()`, version: sql`version + 1` })
      .where('eid', '=', this.#chain.eid)
      .where('lease_owner', '=', this.#owner)
      .where((row) => row.or([row('status', '<>', status), row('problem', 'is distinct from', problem)]))
      .execute();
  }

  /** Commits without waiting for the disk: a page lost in a crash is read from the chain again. */
  #transaction<T>(work: (pipeline: Pipeline<Database>) => Promise<T>): Promise<T> {
    return inPipeline(this.#db, async (pipeline) => {
      await sql`set local synchronous_commit = off`.execute(pipeline.sent);
      return work(pipeline);
    });
  }

  async #renewLease(): Promise<void> {
    const { eid } = this.#chain;
    const renewed = await this.#db
      .updateTable('chain')
      .set({ lease_until: leaseUntil })
      .where('eid', '=', eid)
      .where('lease_owner', '=', this.#owner)
      .executeTakeFirst();
    if (renewed.numUpdatedRows === 0n) throw new LeaseLostError(eid);
    this.#renewedAt = performance.now();
  }

  /** @param from - Where the cursor must be. */
  async #moveCursor(
    tx: Transaction<Database>,
    from: Pick<Position, 'number' | 'hash'>,
    to: Updateable<Database['chain']>,
  ): Promise<void> {
    const { eid } = this.#chain;
    const moved = await tx
      .with('moved', (db) =>
        db
          .updateTable('chain')
          .set({ ...to, problem: null, lease_until: leaseUntil, updated_at: sql`now()`, version: sql`version + 1` })
          .where('eid', '=', eid)
          .where('lease_owner', '=', this.#owner)
          .where('indexed', '=', from.number)
          .where('indexed_hash', 'is not distinct from', from.hash)
          .returning('version'),
      )
      .selectFrom('moved')
      .select(
        sql`pg_notify(${chainChannel}, json_build_object('eid', ${eid}::int8, 'version', version)::text)`.as('told'),
      )
      .executeTakeFirst();
    if (moved === undefined) throw new LeaseLostError(eid);
    this.#renewedAt = performance.now();
  }

  async #makeMonths(events: readonly ChainEvent[]): Promise<void> {
    const missing = new Set<number>();
    for (const { at } of events) {
      const month = monthOf(at.time).getTime();
      if (!this.#months.has(month)) missing.add(month);
    }
    await makeMonths(
      this.#db,
      [...missing].map((month) => new Date(month)),
    );
    for (const month of missing) this.#months.add(month);
  }

  async #claimSlugs(events: readonly ChainEvent[]): Promise<void> {
    for (const event of events) {
      if (event.name !== 'TokenCreated') continue;
      await claimSlug(this.#db, tokenIdOf(platformIdOf(event.token, this.#chain.eid)), event.tokenName);
    }
  }

  async #writeRows(tx: Transaction<Database>, batch: Batch): Promise<void> {
    const { eid } = this.#chain;
    for (const rows of Object.values(this.#rows)) {
      await insertRows(tx, rows.table, rows.added());
      await updateRows(tx, rows.table, rows.replaced());
    }
    for (const [name, texts] of batch.copied()) await insertCopied(tx, name, texts);
    await insertRows(tx, 'journal', batch.journal);
    const blocks = batch.headers.map((header) => ({
      eid,
      number: header.number,
      hash: header.hash,
      parent_hash: header.parentHash,
      time: timeOf(header),
    }));
    await insertRows(tx, 'block', blocks);
    if (batch.finalized !== undefined) await this.#forget(tx, batch.finalized);
  }
}

const renewEveryMs = 1_000;

const timeOf = (header: Header): Date => new Date(header.timestamp * 1000);

/** Restores every changed row to its oldest image after the ancestor, and deletes the rows written since. */
const undoBlocks = async (tx: Transaction<Database>, eid: Eid, to: Moment): Promise<void> => {
  const { block: ancestor, time } = to;
  for (const [name, { key }] of Object.entries(changedTables)) {
    const sameKey = key.map((column) => `t."${column}" = row."${column}"`).join(' and ');
    await sql`with image as (
        select distinct on (key::jsonb) key, before from journal
        where eid = ${eid} and block_number > ${ancestor} and table_name = ${name}
        order by key::jsonb, block_number, seq)
      delete from ${sql.table(name)} t using image, json_populate_record(null::${sql.table(name)}, image.key::json) row
      where ${sql.raw(sameKey)}`.execute(tx);
    await sql`with image as (
        select distinct on (key::jsonb) key, before from journal
        where eid = ${eid} and block_number > ${ancestor} and table_name = ${name}
        order by key::jsonb, block_number, seq)
      insert into ${sql.table(name)}
      select row.* from image, json_populate_record(null::${sql.table(name)}, image.before::json) row
      where image.before is not null`.execute(tx);
  }
  await sql`with image as (
      select before from journal
      where eid = ${eid} and block_number > ${ancestor} and table_name = 'chain'
      order by block_number, seq limit 1)
    update chain set treasury = image.before::json ->> 'treasury' from image where eid = ${eid}`.execute(tx);
  for (const name of namesOf(writtenOnceTables)) {
    await sql`delete from ${sql.table(name)}
      where eid = ${eid} and time >= ${time} and block_number > ${ancestor}`.execute(tx);
  }
  await sql`delete from journal where eid = ${eid} and block_number > ${ancestor}`.execute(tx);
  await sql`delete from block where eid = ${eid} and number > ${ancestor}`.execute(tx);
};
