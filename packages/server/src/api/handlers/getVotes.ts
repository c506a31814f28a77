import { formatUnits } from '@mintage/protocol';
import { definitions, type UserCard } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { readerIdOf } from '../people/asked.ts';
import { isBlockedPair } from '../people/between.ts';
import { userCards } from '../people/cards.ts';
import { voteCounts, weighedAt, weight18, wordOf } from '../people/voteCounts.ts';
import { noTarget, requireTarget } from '../people/voteTarget.ts';
import { cursorPage, readCursor } from '../wire/cursor.ts';
import { handler } from './handler.ts';

export const getVotes = handler(definitions.getVotes, async (context, input, { caller }) => {
  const { db } = context;
  const after = readCursor(input.cursor, (id) => /^\d{1,18}$/.test(id));
  const target = await requireTarget(context, input.target_type, input.target_id);
  const readerId = readerIdOf(caller);
  const { authorId } = target;
  if (authorId !== null && readerId !== null && (await isBlockedPair(db, authorId, readerId)))
    throw noTarget(input.target_type, input.target_id);
  const rows = await db
    .selectFrom('vote')
    .leftJoin('profile', 'profile.user_id', 'vote.user_id')
    .select(['vote_id', 'vote.user_id', 'is_up', 'weight', 'token_id', 'vote.created_at', 'show_wallet'])
    .select(weighedAt.as('eid'))
    .where('target_type', '=', target.type)
    .where('target_id', '=', target.id)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(vote.created_at, vote_id) < (${after?.time}, ${after?.id}::int8)`),
    )
    .orderBy('vote.created_at', 'desc')
    .orderBy('vote_id', 'desc')
    .limit(input.limit + 1)
    .execute();
  const placeOf = ({ created_at: time, vote_id: id }: (typeof rows)[number]) => ({ time, id: String(id) });
  const { page, pagination } = cursorPage(rows, input.limit, placeOf);
  const ids = page.map(({ user_id: id }) => id);
  const [cards, counts] = await Promise.all([
    userCards(db, ids),
    voteCounts(db, { type: target.type, ids: [target.id] }, readerId),
  ]);
  return {
    success: true,
    voters: page.map((row) => ({
      user: cards.get(row.user_id) as UserCard,
      vote: wordOf(row.is_up),
      weight: row.show_wallet === false ? null : formatUnits(weight18(row), 18),
      voting_token_id: row.token_id,
      created_at: row.created_at.toISOString(),
    })),
    votes: counts.of(target.id),
    pagination,
  };
});
