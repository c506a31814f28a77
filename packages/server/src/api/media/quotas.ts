import { MintageError } from '@mintage/protocol';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Db, Tx } from '../../db/serviceTables.ts';
import type { MediaQuotas } from '../../mediaQuotas.ts';
import type { Sender } from '../limits/shares.ts';

/** An uploaded file, all its blocks together. */
export interface Brought {
  /** Of its root. */
  cid: string;
  bytes: number;
}

/** How many times as much a premium user may bring. */
const premiumTimes = 10;
const hourMs = 60 * 60_000;

/** Names of quotas in the order in which they are looked at: what only waiting helps against comes first. */
const quotas = ['userDay', 'addressDay', 'userTotal', 'addressTotal'] as const satisfies (keyof MediaQuotas)[];
type Quota = (typeof quotas)[number];

const sentences: Record<Quota, string> = {
  userDay: 'You have uploaded as much as one account may on one day (UTC)',
  addressDay: 'As much was uploaded from your network address as may be on one day (UTC)',
  userTotal: 'Your stored files take as much room as one account has',
  addressTotal: 'The files stored from your network address take as much room as one address has',
};

/**
 * @param bytes - Beyond what is counted already.
 * @throws MEDIA_QUOTA_EXCEEDED
 */
export const requireRoom = async (
  db: Db,
  config: Pick<Config, 'mediaQuotas'>,
  { owner, address }: Sender,
  bytes: number,
  nowMs: number,
): Promise<void> => {
  const day = dayOf(nowMs);
  const ofDay = (holder: string) =>
    sql<string>`(select coalesce(max(bytes), 0) from media_day where day = ${day} and holder = ${holder})`;
  const { rows } = await sql<Record<Quota, string> & { premium: boolean | null }>`
    select ${ofDay(owner)} as "userDay", ${ofDay(address)} as "addressDay", ${sumOf('user_id', owner)} as "userTotal",
      ${sumOf('address', address)} as "addressTotal", (select premium from app_user where user_id = ${owner}) as premium`.execute(
    db,
  );
  const [used] = rows;
  for (const quota of quotas) {
    const most = config.mediaQuotas[quota] * (used?.premium ? premiumTimes : 1);
    const usedBytes = Number(used?.[quota]);
    if (usedBytes + bytes > most)
      throw new MintageError('MEDIA_QUOTA_EXCEEDED', sentences[quota], {
        details: { quota, mostBytes: most, usedBytes, bytes },
      });
  }
};

const sumOf = (column: 'user_id' | 'address', value: string) =>
  sql<string>`(select coalesce(sum(bytes), 0) from media_share where ${sql.ref(column)} = ${value})`;

/** Those that this user has not brought before: who brings a stored file again takes no room. */
export const newOf = async (db: Db, { owner }: Sender, files: readonly Brought[]): Promise<Brought[]> => {
  const cids = files.map(({ cid }) => cid);
  const rows = await db
    .selectFrom('media_share')
    .select('cid')
    .where('user_id', '=', owner)
    .where('cid', 'in', cids)
    .execute();
  const before = new Set(rows.map(({ cid }) => cid));
  return files.filter(({ cid }) => !before.has(cid));
};

/**
 * Counts files that are stored in this transaction, after their blocks are locked. Of calls of one user, or of one address, the next one
 * waits until this has ended, so that no two fill the same room.
 *
 * @throws MEDIA_QUOTA_EXCEEDED
 */
export const countBrought = async (
  tx: Tx,
  config: Pick<Config, 'mediaQuotas'>,
  sender: Sender,
  files: readonly Brought[],
  nowMs: number,
): Promise<void> => {
  const { owner, address } = sender;
  const rows = files
    .map(({ cid, bytes }) => ({ cid, bytes, user_id: owner, address }))
    .toSorted((one, other) => (one.cid < other.cid ? -1 : 1));
  const added = await tx
    .insertInto('media_share')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('bytes')
    .execute();
  const bytes = added.reduce((sum, one) => sum + Number(one.bytes), 0);
  if (bytes === 0) return;
  const day = dayOf(nowMs);
  for (const holder of [owner, address])
    await tx
      .insertInto('media_day')
      .values({ day, holder, bytes })
      .onConflict((conflict) =>
        conflict.columns(['day', 'holder']).doUpdateSet({ bytes: sql`media_day.bytes + ${bytes}` }),
      )
      .execute();
  await requireRoom(tx, config, sender, 0, nowMs);
};

/** What all files take on the disk of the database, cheap to read. */
export const mediaBytes = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ bytes: string }>`select pg_total_relation_size('media_block') as bytes`.execute(db);
  return Number(rows[0]?.bytes);
};

/** In the transaction in which these files are deleted. */
export const giveRoomBack = async (tx: Tx, cids: readonly string[]): Promise<void> => {
  await tx.deleteFrom('media_share').where('cid', 'in', cids).execute();
};

export const endDays = async (db: Db, nowMs: number): Promise<void> => {
  await db.deleteFrom('media_day').where('day', '<', dayOf(nowMs)).execute();
};

/**
 * Films are the largest files: they are taken of accounts that are some hours old, or have created a token. A creation brings its own, which
 * goes with the draft unless the token is created.
 *
 * @throws FILMS_NOT_YET
 */
export const requireFilms = async (
  db: Db,
  { mediaQuotas: { filmsAfterHours } }: Pick<Config, 'mediaQuotas'>,
  userId: string,
  nowMs: number,
): Promise<void> => {
  if (filmsAfterHours === 0) return;
  const user = await db.selectFrom('app_user').select('created_at').where('user_id', '=', userId).executeTakeFirst();
  const fromMs = (user?.created_at.getTime() ?? nowMs) + filmsAfterHours * hourMs;
  if (fromMs <= nowMs || (await hasCreatedToken(db, userId))) return;
  throw new MintageError('FILMS_NOT_YET', `Films are taken from accounts that are ${filmsAfterHours} hours old`, {
    details: { from: new Date(fromMs).toISOString() },
  });
};

const hasCreatedToken = async (db: Db, userId: string): Promise<boolean> => {
  const { rows } = await sql`
    select from user_wallet wallet, chain
    where wallet.user_id = ${userId} and exists (
      select from token where token.eid = chain.eid and token.creator = wallet.address) limit 1`.execute(db);
  return rows.length > 0;
};

/** `YYYY-MM-DD` in UTC. */
const dayOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);
