import { type Address, type Eid, platformIdOf, tokenIdOf } from '@mintage/protocol';
import type { Updateable } from 'kysely';
import { type Kysely, sql, type Transaction } from 'kysely';
import { chainChannel } from '../../db/chainChannel.ts';
import { type ChainStatus, changedTables, type Database, writtenOnceTables } from '../../db/chainTables.ts';
import { claimSlug } from '../../db/claimSlug.ts';
import { makeMonths, monthOf } from '../../db/months.ts';
import { namesOf } from '../../db/table.ts';
import { rollBack, rollForward } from '../aggregates/roll.ts';
import type { ChainContext } from '../chainContext.ts';
import type { Moment } from '../events/origin.ts';
import type { ChainEvent } from '../handlers/events.ts';
import { handleAll } from '../handlers/handle.ts';
import { loadPage } from '../handlers/loadPage.ts';
import { newsOf } from '../handlers/news.ts';
import { publish } from '../outbox/outbox.ts';
import { retractionsAfter } from '../outbox/retract.ts';
import { insertRows, selectRows, updateRows } from '../page/bulk.ts';
import { KeptRows } from '../page/keptRows.ts';
import type { Page } from '../page/page.ts';
import { loadPosition, type Position } from '../position.ts';
import type { BlockChange, FinalizeChange, Header, ReorgChange } from '../sync/changes.ts';
import { LeaseLostError, leaseUntil } from './lease.ts';

/**
 * Writes the tables of one chain. Each change is one transaction that also moves the cursor, and that commits only
 * while `owner` holds the lease and the cursor is where the change begins, so applying a change twice has the effect of
 * once.
 */
export class Store {
  readonly #db: Kysely<Database>;
  readonly #chain: ChainContext;
  readonly #owner: string;
  #kept = new KeptRows();
  /** First moments of the months whose parts are there, milliseconds. */
  #months = new Set<number>();

  constructor(db: Kysely<Database>, chain: ChainContext, owner: string) {
    this.#db = db;
    this.#chain = chain;
    this.#owner = owner;
  }

  /**
   * Loads the position from the database. A caller who asks does not know how far the tables are, so cached rows are
   * dropped as well.
   */
  position(): Promise<Position> {
    this.#kept = new KeptRows();
    this.#months = new Set();
    return loadPosition(this.#db, this.#chain.eid);
  }

  /** Applies a page. On success `position` moves forward; after an error, load it again. */
  async apply(position: Position, change: BlockChange): Promise<void> {
    const { events } = change;
    const created = createdIn(events);
    await this.#claimSlugs(events);
    await this.#makeMonths(events);
    // With the first page that reaches the head, later blocks become live events for the streams.
    const liveFrom = position.liveFrom ?? (change.to.number < change.head ? null : change.to.number + 1);
    const now = { block: change.to.number, time: timeOf(change.to) };
    const rolls = change.to.number > change.finalized || change.to.number === change.head;
    // The cache is set aside until the commit: after an error it would hold rows that were never written.
    const kept = this.#kept;
    this.#kept = new KeptRows();
    const page = await this.#transaction(async (tx) => {
      await this.#moveCursor(tx, position, {
        head: change.head,
        indexed: change.to.number,
        indexed_hash: change.to.hash,
        indexed_time: timeOf(change.to),
        finalized: change.finalized,
        live_from: liveFrom,
        blocks_per_second: change.pace?.blocksPerSecond ?? null,
        status: change.to.number < change.head ? 'syncing' : 'live',
      });
      const loaded = await loadPage(this.#chain, position, events, change.finalized + 1, kept, (table, keys) =>
        selectRows(tx, table, keys),
      );
      handleAll(loaded, events);
      await this.#write(tx, loaded, change.headers);
      if (rolls) await rollForward(tx, this.#chain, position, now, created);
      if (loaded.treasury !== position.treasury) {
        await this.#update(tx, { treasury: loaded.treasury });
      }
      if (liveFrom !== null) await publish(tx, newsOf(loaded, Math.max(liveFrom, change.from)));
      return loaded;
    });
    for (const rows of Object.values(page.rows)) kept.keep(rows);
    this.#kept = kept;
    position.number = change.to.number;
    position.hash = change.to.hash;
    position.finalized = change.finalized;
    if (rolls) position.rolled = now;
    position.treasury = page.treasury;
    position.liveFrom = liveFrom;
    for (const token of [...created, ...registeredIn(events)]) position.tokens.add(token);
    for (const { number, hash } of change.headers) position.hashes.set(number, hash);
  }

  /**
   * Deletes the undo information of blocks up to `number`. The newest of them stays, as the last possible ancestor of a
   * reorg.
   */
  async finalize(position: Position, { number }: FinalizeChange): Promise<void> {
    const keep = Math.max(...[...position.hashes.keys()].filter((known) => known <= number));
    await this.#transaction(async (tx) => {
      await this.#moveCursor(tx, position, {});
      const { eid } = this.#chain;
      await tx.deleteFrom('journal').where('eid', '=', eid).where('block_number', '<=', number).execute();
      await tx.deleteFrom('block').where('eid', '=', eid).where('number', '<', keep).execute();
    });
    for (const known of position.hashes.keys()) if (known < keep) position.hashes.delete(known);
  }

  /** Undoes every block after the ancestor. */
  async undo(position: Position, { ancestor }: ReorgChange): Promise<Position> {
    await this.#transaction(async (tx) => {
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
      await publish(tx, await retractionsAfter(tx, this.#chain, { number: ancestor.number, time: time.time }));
    });
    return this.position();
  }

  /** Renews the lease, and updates the head and status that readers see, when there is no page to write. */
  async atHead(position: Position, head: number): Promise<void> {
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
  #transaction<T>(work: (tx: Transaction<Database>) => Promise<T>): Promise<T> {
    return this.#db.transaction().execute(async (tx) => {
      await sql`set local synchronous_commit = off`.execute(tx);
      return work(tx);
    });
  }

  async #moveCursor(tx: Transaction<Database>, position: Position, to: Updateable<Database['chain']>): Promise<void> {
    const moved = await tx
      .updateTable('chain')
      .set({ ...to, problem: null, lease_until: leaseUntil, updated_at: sql`now()`, version: sql`version + 1` })
      .where('eid', '=', this.#chain.eid)
      .where('lease_owner', '=', this.#owner)
      .where('indexed', '=', position.number)
      .where('indexed_hash', 'is not distinct from', position.hash)
      .returning('version')
      .executeTakeFirst();
    if (moved === undefined) throw new LeaseLostError(this.#chain.eid);
    const message = JSON.stringify({ eid: this.#chain.eid, version: moved.version });
    await sql`select pg_notify(${chainChannel}, ${message})`.execute(tx);
  }

  async #update(tx: Transaction<Database>, set: Updateable<Database['chain']>): Promise<void> {
    await tx.updateTable('chain').set(set).where('eid', '=', this.#chain.eid).execute();
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

  async #write(tx: Transaction<Database>, page: Page, headers: readonly Header[]): Promise<void> {
    const { eid } = this.#chain;
    for (const rows of Object.values(page.rows)) {
      await insertRows(tx, rows.table, rows.added());
      await updateRows(tx, rows.table, rows.replaced());
    }
    for (const name of namesOf(page.written)) await insertRows(tx, name, page.written[name]);
    await insertRows(tx, 'journal', page.journal.rows);
    const blocks = headers.map((header) => ({
      eid,
      number: header.number,
      hash: header.hash,
      parent_hash: header.parentHash,
      time: timeOf(header),
    }));
    await insertRows(tx, 'block', blocks);
  }
}

const createdIn = (events: readonly ChainEvent[]): Address[] =>
  events.flatMap((event) => (event.name === 'TokenCreated' ? [event.token] : []));

const registeredIn = (events: readonly ChainEvent[]): Address[] =>
  events.flatMap((event) => (event.name === 'TokenRegistered' ? [event.token] : []));

const timeOf = (header: Header): Date => new Date(header.timestamp * 1000);

/** Restores every changed row to its oldest image after the ancestor, and deletes the rows written since. */
const undoBlocks = async (tx: Transaction<Database>, eid: Eid, to: Moment): Promise<void> => {
  const { block: ancestor, time } = to;
  for (const [name, { key }] of Object.entries(changedTables)) {
    const sameKey = key.map((column) => `t."${column}" = row."${column}"`).join(' and ');
    await sql`with image as (
        select distinct on (key) key, before from journal
        where eid = ${eid} and block_number > ${ancestor} and table_name = ${name}
        order by key, block_number, seq)
      delete from ${sql.table(name)} t using image, jsonb_populate_record(null::${sql.table(name)}, image.key) row
      where ${sql.raw(sameKey)}`.execute(tx);
    await sql`with image as (
        select distinct on (key) key, before from journal
        where eid = ${eid} and block_number > ${ancestor} and table_name = ${name}
        order by key, block_number, seq)
      insert into ${sql.table(name)}
      select row.* from image, jsonb_populate_record(null::${sql.table(name)}, image.before) row
      where jsonb_typeof(image.before) = 'object'`.execute(tx);
  }
  await sql`with image as (
      select before from journal
      where eid = ${eid} and block_number > ${ancestor} and table_name = 'chain'
      order by block_number, seq limit 1)
    update chain set treasury = image.before ->> 'treasury' from image where eid = ${eid}`.execute(tx);
  for (const name of namesOf(writtenOnceTables)) {
    await sql`delete from ${sql.table(name)}
      where eid = ${eid} and time >= ${time} and block_number > ${ancestor}`.execute(tx);
  }
  await sql`delete from journal where eid = ${eid} and block_number > ${ancestor}`.execute(tx);
  await sql`delete from block where eid = ${eid} and number > ${ancestor}`.execute(tx);
};
