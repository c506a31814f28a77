import { type RawBuilder, sql } from 'kysely';
import { type Accounts, type SealedRow, sealed } from './rowSeals.ts';

interface SealedTable {
  table: string;
  /** Columns that name a row. */
  key: readonly string[];
  /** What is selected beside the columns. */
  more?: RawBuilder<unknown>;
  /** @param row - As the database gives it. */
  rowOf(row: never): SealedRow;
}

const tables: readonly SealedTable[] = [
  { table: 'user_wallet', key: ['address'], rowOf: sealed.userWallet },
  { table: 'user_identity', key: ['issuer', 'subject'], rowOf: sealed.userIdentity },
  { table: 'passkey', key: ['credential_id'], rowOf: sealed.passkey },
  {
    table: 'api_key',
    key: ['id'],
    more: sql`, exists (select from budget where budget.credential = api_key.id) as has_budget`,
    rowOf: sealed.apiKey,
  },
  { table: 'refresh_token', key: ['token_hash'], rowOf: sealed.refreshToken },
  { table: 'oauth_item', key: ['model', 'id_hash'], rowOf: sealed.oauthItem },
  { table: 'oauth_grant', key: ['grant_id'], rowOf: sealed.oauthGrant },
  {
    table: 'signing_key',
    key: ['kid'],
    rowOf: ({ kid, public_jwk }: { kid: string; public_jwk: { x?: unknown } }) =>
      sealed.signingKey({ kid, x: String(public_jwk.x) }),
  },
  { table: 'budget', key: ['credential'], rowOf: sealed.budget },
];

const atOnce = 500;

/**
 * Seals rows with the first intent key: those that another key of this API sealed, so that it can be dropped.
 *
 * @param unsealed - Those without a seal too, once at the upgrade to sealed rows: whoever wrote them gets access. Embedded
 * wallets stay without one, because they sign nobody in.
 * @returns How many rows of each table.
 */
export const sealRows = async (
  { db, seals }: Accounts,
  { unsealed }: { unsealed: boolean },
): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>();
  for (const { table, key, more = sql``, rowOf } of tables) {
    const names = sql.join(key.map((name) => sql.ref(name)));
    let after: unknown[] | undefined;
    let count = 0;
    for (;;) {
      const isBeyond = after === undefined ? sql`true` : sql`(${names}) > (${sql.join(after)})`;
      const { rows } = await sql<Record<string, unknown> & { seal: string | null }>`
        select *${more} from ${sql.table(table)} where ${isBeyond} and ${isNoEmbeddedWallet(table)}
        order by ${names} limit ${atOnce}`.execute(db);
      for (const row of rows) {
        const wanted = seals.of(rowOf(row as never));
        const isOld = row.seal !== null && row.seal !== wanted && seals.holds(rowOf(row as never), row.seal);
        if (!isOld && !(unsealed && row.seal === null)) continue;
        const isRow = sql.join(
          key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
          sql` and `,
        );
        await sql`update ${sql.table(table)} set seal = ${wanted}
          where ${isRow} and seal is not distinct from ${row.seal}`.execute(db);
        count += 1;
      }
      const last = rows.at(-1);
      if (last === undefined) break;
      after = key.map((name) => last[name]);
    }
    counts.set(table, count);
  }
  return counts;
};

const isNoEmbeddedWallet = (table: string) =>
  table === 'user_wallet'
    ? sql`not exists (select from embedded_wallet where embedded_wallet.address = user_wallet.address)`
    : sql`true`;
