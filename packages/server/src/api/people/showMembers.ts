import { formatUnits, tokenDecimalsAt } from '@mintage/protocol';
import type { HubMember, UserCard } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import type { Row } from '../../db/chainTables.ts';
import type { Db } from '../../db/serviceTables.ts';
import { oneOf } from '../reads/oneOf.ts';
import { userCards } from './cards.ts';
import { holdingsOf } from './holdings.ts';
import { type HubRole, orderNumbers } from './hubs.ts';

export interface MemberRow {
  user_id: string;
  role: HubRole;
  joined_at: Date;
}

/** Members of a hub as answers show them, in their order. */
export const showMembers = async (
  db: Db,
  { token_id, eid }: Pick<Row<'token'>, 'token_id' | 'eid'>,
  rows: readonly MemberRow[],
): Promise<HubMember[]> => {
  const userIds = rows.map(({ user_id }) => user_id);
  const [cards, open] = await Promise.all([userCards(db, userIds), showingHoldings(db, userIds)]);
  const holding = await holdingsOf(db, [token_id], [...open]);
  return rows.map(({ user_id, role, joined_at }) => ({
    user: cards.get(user_id) as UserCard,
    role,
    order_no: orderNumbers[role],
    joined_at: joined_at.toISOString(),
    holding: open.has(user_id) ? formatUnits(holding(token_id, user_id), tokenDecimalsAt(eid)) : null,
  }));
};

/** Those of these users who let others see what they hold. */
const showingHoldings = async (db: Db, userIds: readonly string[]): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('profile')
    .select('user_id')
    .where(oneOf('user_id', userIds))
    .where(sql<boolean>`show_holdings and show_wallet`)
    .execute();
  return new Set(rows.map(({ user_id }) => user_id));
};
