import {
  type Address,
  type ChainSlug,
  chainByEid,
  chainBySlug,
  formatUsd18,
  MintageError,
  parseUnits,
  unitsOf,
} from '@mintage/protocol';
import type { Budget, BudgetInput } from '@mintage/protocol/operations';
import { sql, type Transaction } from 'kysely';
import type { Config } from '../../config.ts';
import type { Budget as SignedBudget } from '../../db/intentProof.ts';
import type { Db, ServiceDatabase } from '../../db/serviceTables.ts';
import type { SignerDatabase } from '../../db/signerTables.ts';
import { anyAddress } from '../tokens/addresses.ts';
import type { Reading } from '../tokens/reading.ts';
import type { Caller } from './caller.ts';
import { type Accounts, type RowSeals, sealed } from './rowSeals.ts';

type Tx = Transaction<SignerDatabase>;
type Served = Pick<Reading, 'chains'>;

/** Stores the budget of a credential; the signer enforces it. */
export const addBudget = async (
  served: Served & Pick<Accounts, 'seals'>,
  tx: Tx,
  { credential, userId }: { credential: string; userId: string },
  input: BudgetInput,
): Promise<void> => {
  const now = await sql<{ now: Date }>`select date_trunc('milliseconds', now()) as now`.execute(tx);
  const row = {
    credential,
    user_id: userId,
    created_at: now.rows[0]?.now as Date,
    max_builder_bps: input.maxBuilderBps ?? usualBuilderBps,
    per_trade_usd18: usd18Of(input.perTradeUsd, 'budget.perTradeUsd'),
    per_day_usd18: usd18Of(input.perDayUsd, 'budget.perDayUsd'),
    eids: input.chains?.map((slug) => chainBySlug(slug).eid) ?? null,
    contracts: addressesOf(served, input.contracts, 'budget.contracts'),
    recipients: addressesOf(served, input.recipients, 'budget.recipients'),
  };
  await tx
    .insertInto('budget')
    .values({ ...row, seal: served.seals.of(sealed.budget(row)) })
    .execute();
};

/** Of the gross amount, where the user says nothing else. */
const usualBuilderBps = 100;

/**
 * The budget of a credential as the signer judges by it; null: it has none.
 *
 * @throws MintageError AUTHENTICATION_FAILED where its row is not one of ours, or is gone.
 */
export const budgetOf = async (tx: Tx, seals: RowSeals, credential: string): Promise<SignedBudget | null> => {
  const row = await tx.selectFrom('budget').selectAll().where('credential', '=', credential).executeTakeFirst();
  if (row === undefined) {
    await requireUnlimited(tx, seals, credential);
    return null;
  }
  if (!seals.holds(sealed.budget({ ...row, credential }), row.seal))
    throw new MintageError('AUTHENTICATION_FAILED', 'The budget of this credential was not made by this service');
  return {
    perTradeUsd18: row.per_trade_usd18,
    perDayUsd18: row.per_day_usd18,
    eids: row.eids,
    contracts: row.contracts,
    recipients: row.recipients,
    maxBuilderBps: row.max_builder_bps,
    createdAtMs: row.created_at.getTime(),
  };
};

/** Every grant has a budget, and the seal of a key says whether it has one: without its row neither is without limits. */
const requireUnlimited = async (tx: Tx, seals: RowSeals, credential: string): Promise<void> => {
  const key = await tx
    .withTables<Pick<ServiceDatabase, 'api_key'>>()
    .selectFrom('api_key')
    .selectAll()
    .where('id', '=', credential)
    .executeTakeFirst();
  if (key === undefined || !seals.holds(sealed.apiKey({ ...key, id: credential, has_budget: false }), key.seal))
    throw new MintageError('AUTHENTICATION_FAILED', 'The budget of this credential is gone: make a new credential');
};

/** The budget of a key or grant, narrowed while it is new to `NEW_KEY_USD_PER_DAY` and to the user's own wallets. */
export const withinFirstDays = (
  budget: SignedBudget | null,
  { newUntilMs }: Pick<Caller, 'newUntilMs'>,
  { newKeyUsdPerDay }: Pick<Config, 'newKeyUsdPerDay'>,
  nowMs: number,
): SignedBudget | null => {
  if (newUntilMs === null || nowMs >= newUntilMs) return budget;
  const mostUsd18 = BigInt(newKeyUsdPerDay) * 10n ** 18n;
  const least = (usd18: bigint | null): bigint => (usd18 === null || usd18 > mostUsd18 ? mostUsd18 : usd18);
  return {
    perTradeUsd18: least(budget?.perTradeUsd18 ?? null),
    perDayUsd18: least(budget?.perDayUsd18 ?? null),
    eids: budget?.eids ?? null,
    contracts: [],
    recipients: [],
    maxBuilderBps: budget?.maxBuilderBps ?? usualBuilderBps,
    createdAtMs: budget?.createdAtMs ?? nowMs,
  };
};

/**
 * Makes the signer refuse, for good, every request of an API key, grant or session that is not signed yet, whether or
 * not it has a budget. Waits for a signature that is in progress.
 */
export const revokeCredential = async (tx: Tx, credential: string, userId: string): Promise<void> => {
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
    .selectAll('budget')
    .select((select) =>
      select
        .selectFrom('intent')
        .select((of) => of.fn.sum<bigint>('usd18').as('usd18'))
        .whereRef('intent.credential', '=', 'budget.credential')
        .where('intent.budget_day', '=', sql<string>`(now() at time zone 'utc')::date`)
        .as('reserved_usd18'),
    )
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
