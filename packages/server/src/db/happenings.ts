import type { NotificationType } from '@mintage/protocol/operations';
import { type ColumnType, type Generated, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { streamChannel } from './streamChannel.ts';

/**
 * What happened in the service and has to be told: it is written in the transaction that it happens in, so it is told exactly when it did
 * happen. Whoever tells (`api/notifications`) makes events and notifications of it.
 */
export type Happening = PostHappening | VotesHappening | Notice;

/** The votes on some tokens or posts changed. */
export interface VotesHappening {
  kind: 'votes';
  target_type: 'token' | 'post';
  target_ids: readonly string[];
}

/** A post came into lists, or went. The ids are for those who are told once it is gone. */
export interface PostHappening {
  kind: 'post';
  change: 'created' | 'deleted' | 'hidden';
  post_id: string;
  type: 'post' | 'comment' | 'launch';
  author_id: string | null;
  token_id: string | null;
  parent_id: string | null;
  root_id: string | null;
  hashtags: readonly string[];
  /** ISO. */
  created_at: string;
}

/** Something concerns a user. */
export interface Notice {
  kind: 'notification';
  user_id: string;
  type: NotificationType;
  /** Names it among those of the user: it is told once. */
  key: string;
  actor_id?: string;
  token_id?: string;
  post_id?: string;
  /** Which of the type's sentences it has. */
  detail?: string;
}

export interface HappeningTable {
  happening_id: Generated<number>;
  kind: Happening['kind'];
  /** jsonb: written as text, read as a value. */
  data: ColumnType<Happening, string, never>;
  at: Date;
}

interface WithHappenings {
  happening: HappeningTable;
}

/** @param at - When it happens. */
export const happened = async (
  tx: Transaction<WithHappenings>,
  happenings: readonly Happening[],
  at: Date,
): Promise<void> => {
  if (happenings.length === 0) return;
  await tx
    .insertInto('happening')
    .values(happenings.map((one) => ({ kind: one.kind, data: JSON.stringify(one), at })))
    .execute();
  // Votes are told once a second anyway, and who announces something waits for others who do.
  if (!happenings.every(isOfVote)) await wakeTellers(tx);
};

/** The end of a statement: votes changed on what its part `counted` has, `target_type` and `target_id`. A sale may lower thousands. */
export const votesHappened = (at: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into happening (kind, data, at)
  select 'votes', jsonb_build_object('kind', 'votes', 'target_type', target_type, 'target_ids', jsonb_agg(target_id)), ${at}
  from (select target_type, target_id, (row_number() over () - 1) / 20 as part from counted) told
  group by target_type, part`;

const isOfVote = (one: Happening): boolean =>
  one.kind === 'votes' || (one.kind === 'notification' && one.type === 'vote');

/** An announcement of no topic: it wakes those who tell. */
const wakeTellers = async (db: Kysely<WithHappenings>): Promise<void> => {
  await sql`select pg_notify(${streamChannel}, '{}')`.execute(db);
};
