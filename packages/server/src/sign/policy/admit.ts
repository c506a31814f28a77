import {
  type Address,
  buyFeeBps,
  chainByEid,
  type Decimals,
  type Deployment,
  type Eid,
  formatUnits,
  type PoolType,
  parseUnits,
  poolTypeById,
  tokenDecimalsAt,
} from '@mintage/protocol';
import { sql, type Transaction } from 'kysely';
import { tierFeeOf } from '../../chain/market.ts';
import { type Database, type Row } from '../../db/chainTables.ts';
import type { AcknowledgedFigures, SignerDatabase } from '../../db/signerTables.ts';
import { venueOf } from '../../db/venueOf.ts';
import type { Action, StepBytes, StepReader } from './actions.ts';
import { type Budget, judge } from './judge.ts';
import type { Acknowledged } from './judgeFigures.ts';
import type { Market } from './market.ts';
import type { PolicyConfig } from './policyConfig.ts';
import type { Refusal } from './refusal.ts';
import { reserve } from './reserve.ts';

type Tx = Transaction<SignerDatabase>;

/** What is to be signed for whom: the parts of an `intent` row that decide. */
export interface Wish {
  eid: Eid;
  intent_id: string;
  wallet: Address;
  /** Id of the API key or grant; null: a sign-in of the user. */
  credential: string | null;
  acknowledged: AcknowledgedFigures | null;
  /** Newest block by which it was prepared; null: none. */
  seen_block: number | null;
}

export interface AdmitOptions {
  deployment: Deployment;
  reader: StepReader;
  policy: PolicyConfig;
  /** Newest block of the chain. */
  head: number;
}

/** `wait`: the index is not far enough to decide. */
export type Admission = 'admitted' | 'wait' | Refusal;

/**
 * Whether an intent may be signed: its credential is not revoked, the policy has no objection, and the day's budget has
 * room, which is then reserved and recorded in the intent. Call it last in the transaction that stores the signed
 * bytes: a revocation waits for that transaction, and a caller that refuses after this calls `release`.
 *
 * Markets are judged by the index. While the index is far behind the chain nothing is admitted; and a refusal counts
 * only once the index has the block on which the request depends.
 */
export const admit = async (
  tx: Tx,
  wish: Wish,
  steps: readonly StepBytes[],
  { deployment, reader, policy, head }: AdmitOptions,
): Promise<Admission> => {
  const { credential, eid } = wish;
  const row = credential === null ? undefined : await budgetRow(tx, credential);
  if (row?.ended_at) {
    return { code: 'AUTHENTICATION_FAILED', message: 'The credential of this request was revoked.' };
  }
  const actions = steps.flatMap((step) => reader.actions(step));
  const index = await indexOf(tx, eid, steps, actions);
  const trades = actions.some((action) => action.does === 'order');
  if (trades && head - index.block > mostBlocksBehind(eid)) return 'wait';
  const tokenDecimals = tokenDecimalsAt(eid);
  const decimals = { token: tokenDecimals, usd: deployment.usdDecimals };
  const verdict = judge(steps, row === undefined ? null : budgetOf(row), {
    eid,
    deployment,
    tokenDecimals,
    reader,
    wallet: wish.wallet,
    isSignIn: credential === null,
    acknowledged: figuresOf(wish.acknowledged),
    maxBuilderFeeBps: BigInt(policy.maxBuilderFeeBps),
    maxApprovalUsd: parseUnits(String(policy.maxApprovalUsd), deployment.usdDecimals, 'maxApprovalUsd'),
    marketOf: (token) => index.marketOf(token, decimals, deployment),
    ownWallets: row === undefined ? new Set() : await ownWallets(tx, wish.wallet),
    priceUsd18: index.priceUsd18,
    nowMs: row?.now.getTime() ?? 0,
    recipientDelayMs: policy.recipientDelayHours * 3_600_000,
  });
  if ('refusal' in verdict) return index.block < (wish.seen_block ?? 0) ? 'wait' : verdict.refusal;
  if (row === undefined || verdict.usd18 === 0n) return 'admitted';

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
    .where('eid', '=', eid)
    .where('intent_id', '=', wish.intent_id)
    .execute();
  return 'admitted';
};

/** Most blocks that the index may be behind for trading: thirty seconds, and at least ten blocks. */
const mostBlocksBehind = (eid: Eid): number => Math.max(10, 30_000 / (chainByEid(eid)?.blockTimeMs ?? 1_000));

const figuresOf = (figures: AcknowledgedFigures | null): Acknowledged => ({
  builderFeeBps: figureOf(figures?.builderFeeBps),
  limitRaw: figureOf(figures?.limitRaw),
  approvalRaw: figureOf(figures?.approvalRaw),
});

const figureOf = (value: number | string | undefined): bigint | null => (value === undefined ? null : BigInt(value));

/** The budget, with the database's time, so that signers whose clocks differ count in the same day. */
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
  eids: row.eids,
  contracts: row.contracts,
  recipients: row.recipients,
  maxBuilderBps: row.max_builder_bps,
  createdAtMs: row.created_at.getTime(),
});

/** All wallets of this wallet's user, as the service linked them. */
const ownWallets = async (tx: Tx, wallet: Address): Promise<Set<string>> => {
  const { rows } = await sql<{ wallet: Address }>`
    with account as (select coalesce((select account from earner_wallet where wallet = ${wallet}), ${wallet}) as first)
    select first as wallet from account
    union select earner_wallet.wallet from earner_wallet join account on earner_wallet.account = account.first`.execute(
    tx,
  );
  return new Set([wallet, ...rows.map((row) => row.wallet)]);
};

/** The index's state of the tokens that the steps name. */
interface Index {
  /** Newest indexed block. */
  block: number;
  /** Dollars of one whole token, 18 decimals, rounded up. */
  priceUsd18: (token: Address) => bigint | null;
  marketOf: (token: Address, decimals: Decimals, deployment: Deployment) => Market | null;
}

const indexOf = async (tx: Tx, eid: Eid, steps: readonly StepBytes[], actions: readonly Action[]): Promise<Index> => {
  const named = new Set([...steps.map(({ to }) => to), ...actions.flatMap(tokensIn)]);
  const rows = await tx
    .withTables<Pick<Database, 'chain' | 'token'>>()
    .selectFrom('chain')
    .leftJoin('token', (join) => join.onRef('token.eid', '=', 'chain.eid').on('token.address', 'in', [...named]))
    .selectAll('token')
    .select(['chain.indexed', 'chain.indexed_time'])
    .where('chain.eid', '=', eid)
    .execute();
  const tokens = new Map(rows.map((row) => [row.address, row as IndexedToken]));
  const foreign = await pricesFromHome(
    tx,
    eid,
    [...named].filter((address) => !tokens.has(address)),
  );
  return {
    block: rows[0]?.indexed ?? 0,
    priceUsd18: (address) => priceUp(tokens.get(address)?.price_usd18 ?? foreign.get(address)),
    marketOf(address, decimals, deployment) {
      const token = tokens.get(address);
      if (token === undefined) return null;
      const ageMs = Math.max(0, (token.indexed_time ?? token.created_at).getTime() - token.created_at.getTime());
      const poolType = poolTypeById(token.pool_type) as PoolType; // `venueOf` throws for an unknown type
      return {
        ...venueOf(token, decimals, deployment),
        buyFeeBps: buyFeeBps(BigInt(Math.floor(ageMs / 1000))),
        opening: {
          poolType,
          decimals,
          floorUsd: token.floor_usd,
          venue: deployment.venue,
          tierFee: tierFeeOf(deployment),
        },
      };
    },
  };
};

/** The index rounds down. */
const priceUp = (price: bigint | undefined): bigint | null => (price === undefined ? null : price + 1n);

/** Of tokens that came here from another chain: the price is where they trade. */
const pricesFromHome = async (tx: Tx, eid: Eid, named: readonly Address[]): Promise<ReadonlyMap<Address, bigint>> => {
  if (named.length === 0) return new Map();
  const rows = await tx
    .withTables<Pick<Database, 'remote_token' | 'token'>>()
    .selectFrom('remote_token')
    .innerJoin('token', (join) =>
      join.onRef('token.eid', '=', 'remote_token.home_eid').onRef('token.address', '=', 'remote_token.address'),
    )
    .select(['token.address', 'token.price_usd18'])
    .where('remote_token.eid', '=', eid)
    .where('remote_token.address', 'in', named)
    .execute();
  return new Map(rows.map(({ address, price_usd18 }) => [address, price_usd18]));
};

type IndexedToken = Row<'token'> & Pick<Row<'chain'>, 'indexed_time'>;

const tokensIn = (action: Action): Address[] => {
  if ('token' in action) return [action.token];
  return 'currency' in action ? [action.currency] : [];
};
