import { definitions } from '@mintage/protocol/operations';
import { cardsOfWallets } from '../people/cards.ts';
import { type MemberRow, showMembers } from '../people/showMembers.ts';
import { isUuid, requireToken } from '../tokens/tokenRef.ts';
import { cursorPage, readCursor } from '../wire/cursor.ts';
import { handler } from './handler.ts';

/** Of the owner, who is first whenever others joined. */
const beforeAll = new Date('9999-12-31T00:00:00Z');

export const getHubMembers = handler(definitions.getHubMembers, async (context, input) => {
  const { db } = context;
  const { role, limit } = input;
  const after = readCursor(input.cursor, isUuid);
  const token = await requireToken(context, input.token_id);
  const owner = (await cardsOfWallets(db, [token.creator])).get(token.creator);
  const first: MemberRow[] =
    owner === undefined || after !== null || (role !== undefined && role !== 'owner')
      ? []
      : [{ user_id: owner.id, role: 'owner', joined_at: token.created_at }];
  let joined = db
    .selectFrom('hub_member')
    .select(['user_id', 'role', 'joined_at'])
    .where('token_id', '=', token.token_id);
  // Who joined before they had the wallet that created the token is listed once.
  if (owner !== undefined) joined = joined.where('user_id', '!=', owner.id);
  if (role === 'moderator' || role === 'member') joined = joined.where('role', '=', role);
  if (after !== null)
    joined = joined.where((row) =>
      row.or([
        row('joined_at', '<', after.time),
        row.and([row('joined_at', '=', after.time), row('user_id', '>', after.id)]),
      ]),
    );
  const rest =
    role === 'owner'
      ? []
      : await joined
          .orderBy('joined_at', 'desc')
          .orderBy('user_id')
          .limit(limit + 1)
          .execute();
  const { page, pagination } = cursorPage<MemberRow>([...first, ...rest], limit, (row) => ({
    time: row.role === 'owner' ? beforeAll : row.joined_at,
    id: row.user_id,
  }));
  return { success: true, members: await showMembers(db, token, page), pagination };
});
