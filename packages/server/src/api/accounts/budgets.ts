import {
  type Address,
  type ChainSlug,
  chainByEid,
  chainBySlug,
  formatUsd18,
  parseUnits,
  unitsOf,
} from '@mintage/protocol';
import type { Budget, BudgetInput } from '@mintage/protocol/operations';
import { type Insertable, sql, type Transaction } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import type { SignerDatabase } from '../../db/signerTables.ts';
import { anyAddress } from '../tokens/addresses.ts';
import type { Reading } from '../tokens/reading.ts';

type Tx = Transaction<SignerDatabase>;
type Served = Pick<Reading, 'chains'>;

/** Stores the budget of a credential; the signer enforces it. */
export const addBudget = async (
  served: Served,
  tx: Tx,
  { credential, userId }: { credential: string; userId: string },
  input: BudgetInput,
): Promise<void> => {
  const row: Insertable<SignerDatabase['budget']> = {
    credential,
    user_id: userId,
    per_trade_usd18: usd18Of(input.perTradeUsd, 'budget.perTradeUsd'),
    per_day_usd18: usd18Of(input.perDayUsd, 'budget.perDayUsd'),
    eids: input.chains?.map((slug) => chainBySlug(slug).eid) ?? null,
    contracts: addressesOf(served, input.contracts, 'budget.contracts'),
    recipients: addressesOf(served, input.recipients, 'budget.recipients'),
  };
  await tx
    .insertInto('budget')
    .values(input.maxBuilderBps === undefined ? row : { ...row, max_builder_bps: input.maxBuilderBps })
    .execute();
};

/**
 * Makes the signer refuse every request of a credential that is not signed yet, whether or not the credential has a
 * budget. Waits for a signature that is in progress.
 */
export const endBudget = async (tx: Tx, credential: string, userId: string): Promise<void> => {
  await tx
    .insertInto('budget')
    .values({ credential, user_id: userId, ended_at: sql<Date>`now()` })
    .onConflict((conflict) => conflict.column('credential').doUpdateSet({ ended_at: sql<Date>`now()` }))
    .execute();
};

/** The budgets of a user's credentials, with the part of today's allowance that is reserved. */
export const budgetsOf = async (
  db: Db,
  userId: string,
  recipientDelayHours: number,
): Promise<ReadonlyMap<string, Budget>> => {
  const rows = await db
    .selectFrom('budget')
    .leftJoin('budget_day', (join) =>
      join
        .onRef('budget_day.credential', '=', 'budget.credential')
        .on('budget_day.day', '=', sql<string>`(now() at time zone 'utc')::date`),
    )
    .selectAll('budget')
    .select('budget_day.reserved_usd18')
    .where('budget.user_id', '=', userId)
    .execute();
  return new Map(
    rows.map((row) => [
      row.credential,
      {
        perTradeUsd: row.per_trade_usd18 === null ? null : formatUsd18(row.per_trade_usd18),
        perDayUsd: row.per_day_usd18 === null ? null : formatUsd18(row.per_day_usd18),
        reservedTodayUsd: formatUsd18(row.reserved_usd18 ?? 0n),
        chains: row.eids === null ? null : row.eids.map((id) => chainByEid(id)?.slug).filter(isKnown),
        contracts: row.contracts,
        recipients: row.recipients,
        recipientsFrom: new Date(row.created_at.getTime() + recipientDelayHours * 3_600_000).toISOString(),
        maxBuilderBps: row.max_builder_bps,
      },
    ]),
  );
};

const isKnown = (slug: ChainSlug | undefined): slug is ChainSlug => slug !== undefined;

const usd18Of = (dollars: number | string | undefined, path: string): bigint | null => {
  if (dollars === undefined) return null;
  if (dollars === 0) return 0n;
  return typeof dollars === 'string' ? parseUnits(dollars, 18, path) : unitsOf(dollars, 18, path);
};

const addressesOf = (served: Served, texts: readonly string[] = [], field: string): Address[] => [
  ...new Set(texts.map((text, index) => anyAddress(served, text, `${field}.${index}`))),
];
