import {
  type Address,
  buyFeeBps,
  type Chain,
  chainByEid,
  type Decimals,
  type Deployment,
  type Eid,
  formatUnits,
  type PoolType,
  parseAnyAddress,
  parseUnits,
  poolTypeById,
  tokenDecimalsAt,
} from '@mintage/protocol';
import type { Transaction } from 'kysely';
import { tierFeeOf } from '../../chain/market.ts';
import { type Database, type Row } from '../../db/chainTables.ts';
import { findWalls } from '../../db/findWalls.ts';
import type { Claims } from '../../db/intentProof.ts';
import type { AcknowledgedFigures, SignerDatabase } from '../../db/signerTables.ts';
import { venueOf } from '../../db/venueOf.ts';
import { dayOf, type Outflow, type SigningLog } from '../signingLog/signingLog.ts';
import { type Action, recipientsOf, type StepBytes, type StepReader } from './actions.ts';
import { aboveDay, dayCapsOf, outflowOf } from './dayCaps.ts';
import { judge } from './judge.ts';
import type { Acknowledged } from './judgeFigures.ts';
import type { Market } from './market.ts';
import type { PolicyConfig } from './policyConfig.ts';
import { type Refusal, revoked } from './refusal.ts';

type Tx = Transaction<SignerDatabase>;

export interface AdmitOptions {
  deployment: Deployment;
  reader: StepReader;
  policy: PolicyConfig;
  signingLog: Pick<SigningLog, 'spentOn'>;
  /** Newest block of the chain. */
  head: number;
  /** What the gas of a wallet may cost in a day, native base units. */
  feesPerDay: bigint;
}

/** `usd18`: dollars (18 decimals) that count in the day's budget; `outflow`: what leaves the wallet. `wait`: the index is not far enough to decide. */
export type Admission = { usd18: bigint; outflow: Outflow } | 'wait' | Refusal;

/**
 * Whether an intent may be signed: its credential is not revoked, the policy has no objection, and the day's budget and what may
 * leave the wallet in a day have room. Call it in the transaction that records the signed bytes, with the user's wallets locked (`whyNot`): then no
 * other intent of the user is admitted until the signing log has this one, and a revocation waits.
 *
 * Markets are judged by the index. While the index is far behind the chain nothing is admitted; and a refusal counts
 * only once the index has the block on which the request depends.
 */
export const admit = async (
  tx: Tx,
  claims: Claims,
  steps: readonly StepBytes[],
  { deployment, reader, policy, signingLog, head, feesPerDay }: AdmitOptions,
): Promise<Admission> => {
  const { credential, session, budget, eid } = claims;
  if (await isRevoked(tx, [credential, session])) return revoked;
  const actions = steps.flatMap((step) => reader.actions(step));
  const index = await indexOf(tx, eid, steps, actions);
  const walls = await findWalls(tx, { eid, deployment }, strangersIn(actions, claims));
  const trades = actions.some((action) => action.does === 'order');
  if (trades && head - index.block > mostBlocksBehind(eid)) return 'wait';
  const tokenDecimals = tokenDecimalsAt(eid);
  const decimals = { token: tokenDecimals, usd: deployment.usdDecimals };
  const verdict = judge(steps, budget, {
    eid,
    deployment,
    tokenDecimals,
    reader,
    wallet: claims.wallet,
    isSignIn: credential === null,
    acknowledged: figuresOf(claims.acknowledged),
    maxBuilderFeeBps: BigInt(policy.maxBuilderFeeBps),
    maxApprovalUsd: parseUnits(String(policy.maxApprovalUsd), deployment.usdDecimals, 'maxApprovalUsd'),
    wallAt: (address) => walls.get(address) ?? null,
    marketOf: (token) => index.marketOf(token, decimals, deployment),
    ownWallets: new Set([claims.wallet, ...claims.ownWallets]),
    priceUsd18: index.priceUsd18,
    nowMs: claims.issuedAt * 1_000,
    recipientDelayMs: policy.recipientDelayHours * 3_600_000,
  });
  if ('refusal' in verdict) return index.block < (claims.seenBlock ?? 0) ? 'wait' : verdict.refusal;
  const { usd18 } = verdict;
  const { wallet } = claims;
  const { priceUsd18 } = index;
  const outflow = outflowOf(steps, { deployment, tokenDecimals, reader, wallet, priceUsd18 });
  const admitted = { usd18, outflow };
  const spent = await signingLog.spentOn(dayOf(claims.issuedAt), claims.userId);
  const chain = chainByEid(eid) as Chain;
  const above = aboveDay(outflow, dayCapsOf(chain, policy, feesPerDay), spent, { ...chain, wallet });
  if (above !== null) return above;
  if (budget === null || budget.perDayUsd18 === null) return admitted;
  const counted = spent.filter((one) => one.credential === credential && !one.isReleased);
  if (usd18 + counted.reduce((sum, one) => sum + one.usd18, 0n) <= budget.perDayUsd18) return admitted;
  const [wanted, perDay] = [usd18, budget.perDayUsd18].map((amount) => formatUnits(amount, 18));
  return {
    code: 'BUDGET_EXCEEDED',
    message: `This counts ${wanted} dollars, and so much is not left today (UTC) of the budget of ${perDay} a day.`,
  };
};

/** Waits for a revocation in progress, and makes a later one wait. */
const isRevoked = async (tx: Tx, credentials: readonly (string | null)[]): Promise<boolean> => {
  const known = credentials.filter((one) => one !== null);
  if (known.length === 0) return false;
  const rows = await tx.selectFrom('budget').select('ended_at').where('credential', 'in', known).forShare().execute();
  return rows.some(({ ended_at }) => ended_at !== null);
};

/** Most blocks that the index may be behind for trading: thirty seconds, and at least ten blocks. */
const mostBlocksBehind = (eid: Eid): number => Math.max(10, 30_000 / (chainByEid(eid)?.blockTimeMs ?? 1_000));

const figuresOf = (figures: AcknowledgedFigures | null): Acknowledged => ({
  builderFeeBps: figureOf(figures?.builderFeeBps),
  limitRaw: figureOf(figures?.limitRaw),
  approvalRaw: figureOf(figures?.approvalRaw),
  recipient: figures?.recipient === undefined ? null : parseAnyAddress(figures.recipient),
});

/** Recipients that are no wallets of the user. */
const strangersIn = (actions: readonly Action[], { wallet, ownWallets }: Claims): Address[] =>
  [...new Set(actions.flatMap(recipientsOf))].filter((one) => one !== wallet && !ownWallets.includes(one));

const figureOf = (value: number | string | undefined): bigint | null => (value === undefined ? null : BigInt(value));

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
