import type { Database } from '@mintage/indexer/db';
import { type Deployment, formatUnits } from '@mintage/protocol';
import { sql, type Transaction } from 'kysely';
import type { SignerDatabase } from '../db/db.ts';
import { type Budget, judge, type Refusal } from './judge.ts';
import { type Action, type Hex, readActions, type StepBytes } from './readActions.ts';
import { reserve } from './reserve.ts';

type Tx = Transaction<SignerDatabase>;

/** Who wants what signed: the parts of an `intent` row that decide. */
export interface Wish {
  chain_id: number;
  intent_id: string;
  wallet: string;
  credential: string | null;
}

export interface AdmitOptions {
  deployment: Deployment;
  /** How long after a budget was made its recipients begin to count. */
  recipientDelayHours: number;
}

/**
 * Whether an intent may be signed: its credential is not revoked, the policy has no objection, and the day's budget has
 * room, which is then reserved and written into the intent. To be called last in the transaction that stores the signed
 * bytes: a revocation waits for that transaction, and whoever refuses after this calls `release`.
 *
 * @returns Undefined: admitted.
 */
export const admit = async (
  tx: Tx,
  wish: Wish,
  steps: readonly StepBytes[],
  { deployment, recipientDelayHours }: AdmitOptions,
): Promise<Refusal | undefined> => {
  const { credential, chain_id: chainId } = wish;
  const row = credential === null ? undefined : await budgetRow(tx, credential);
  if (row !== undefined && row.ended_at !== null) {
    return { code: 'AUTHENTICATION_FAILED', message: 'The credential of this request was revoked.' };
  }
  const isLimited = row !== undefined;
  const prices = isLimited ? await pricesOf(tx, chainId, steps, deployment) : new Map<string, bigint>();
  const verdict = judge(steps, row === undefined ? null : budgetOf(row), {
    chainId,
    deployment,
    ownWallets: isLimited ? await ownWallets(tx, wish.wallet) : new Set(),
    priceUsd18: (token) => prices.get(token) ?? null,
    nowMs: row?.now.getTime() ?? 0,
    recipientDelayMs: recipientDelayHours * 3_600_000,
  });
  if ('refusal' in verdict) return verdict.refusal;
  if (row === undefined || verdict.usd18 === 0n) return undefined;

  const { usd18 } = verdict;
  if (!(await reserve(tx, { credential: row.credential, day: row.today, usd18 }, row.per_day_usd18))) {
    const [counted, perDay] = [usd18, row.per_day_usd18 ?? 0n].map((amount) => formatUnits(amount, 18));
    return {
      code: 'BUDGET_EXCEEDED',
      message: `This counts ${counted} dollars, and so much is not left today (UTC) of the budget of ${perDay} a day.`,
    };
  }
  await tx
    .updateTable('intent')
    .set({ usd18, budget_day: row.today })
    .where('chain_id', '=', chainId)
    .where('intent_id', '=', wish.intent_id)
    .execute();
  return undefined;
};

/** With the time of the database, so that signers whose clocks differ count in the same day. */
const budgetRow = (tx: Tx, credential: string) =>
  tx
    .selectFrom('budget')
    .selectAll()
    .select([sql<Date>`now()`.as('now'), sql<string>`(now() at time zone 'utc')::date::text`.as('today')])
    .where('credential', '=', credential)
    .forShare()
    .executeTakeFirst();

const budgetOf = (row: NonNullable<Awaited<ReturnType<typeof budgetRow>>>): Budget => ({
  perTradeUsd18: row.per_trade_usd18,
  perDayUsd18: row.per_day_usd18,
  chainIds: row.chain_ids,
  contracts: row.contracts,
  recipients: row.recipients,
  maxBuilderBps: row.max_builder_bps,
  createdAtMs: row.created_at.getTime(),
});

/** This wallet and those that its user has beside it, as the service linked them. */
const ownWallets = async (tx: Tx, wallet: string): Promise<Set<string>> => {
  const { rows } = await sql<{ wallet: string }>`
    with account as (select coalesce((select account from earner_wallet where wallet = ${wallet}), ${wallet}) as first)
    select first as wallet from account
    union select earner_wallet.wallet from earner_wallet join account on earner_wallet.account = account.first`.execute(
    tx,
  );
  return new Set([wallet, ...rows.map((row) => row.wallet)]);
};

/** Of the tokens that the steps name and the index knows: dollars of one whole token, 18 decimals, rounded up. */
const pricesOf = async (
  tx: Tx,
  chainId: number,
  steps: readonly StepBytes[],
  deployment: Deployment,
): Promise<Map<string, bigint>> => {
  const named = steps.flatMap((step) => [step.to, ...readActions(step, deployment).flatMap(tokensIn)]);
  const rows = await tx
    .withTables<Pick<Database, 'token'>>()
    .selectFrom('token')
    .select(['address', 'price_usd18'])
    .where('chain_id', '=', chainId)
    .where('address', 'in', [...new Set(named)])
    .execute();
  // The index rounds down.
  return new Map(rows.map((row) => [row.address, row.price_usd18 + 1n]));
};

const tokensIn = (action: Action): Hex[] => {
  if ('token' in action) return [action.token];
  return 'currency' in action ? [action.currency] : [];
};
