import { type Address, type Deployment, isBuy, isExactIn, poolTypeById } from '@mintage/protocol';
import { type Action, type Approval, isEndless, recipientsOf, type StepBytes, type StepReader } from './actions.ts';
import { isAsGoodAs, type Market, newMarket, type Order, priceOrder } from './market.ts';
import { because, type Refusal } from './refusal.ts';

/** Figures that the caller confirmed by repeating them (`acknowledge` of the request); null: none. */
export interface Acknowledged {
  builderFeeBps: bigint | null;
  /** Base units, as the next. */
  limitRaw: bigint | null;
  approvalRaw: bigint | null;
  /** An address that keeps what is sent to it. */
  recipient: Address | null;
}

/** Kind of credential that made the request. */
export type Credential = 'signIn' | 'key' | 'budget';

/** The facts by which the figures are judged. */
export interface FigureWorld {
  deployment: Pick<Deployment, 'launchpad' | 'usd' | 'usdDecimals' | 'usdMintable' | 'venue'>;
  /** Of the chain's tokens. */
  tokenDecimals: number;
  reader: StepReader;
  wallet: Address;
  acknowledged: Acknowledged;
  /** Highest builder fee that is signed without acknowledgement, basis points. */
  maxBuilderFeeBps: bigint;
  /** Most that the Launchpad may be approved beyond what the same request spends, base units of the dollar token. */
  maxApprovalUsd: bigint;
  /** What an address is that keeps what is sent to it (`findWalls`); null: none that is known. */
  wallAt: (address: Address) => string | null;
  /** The market of a token; null when the index does not know it. */
  marketOf: (token: Address) => Market | null;
}

/** Most that a limit may differ from the market, basis points. */
export const mostSlippageBps: Readonly<Record<Credential, bigint>> = { signIn: 5_000n, key: 5_000n, budget: 300n };

/**
 * Checks builder fees, limits and approvals of the steps by their bytes alone: the rules for every credential (decision
 * 36).
 *
 * @param steps - In the order in which they will be sent.
 */
export const judgeFigures = (
  steps: readonly StepBytes[],
  credential: Credential,
  world: FigureWorld,
): Refusal | null => {
  const markets = new Markets(world);
  const events: Event[] = [];
  for (const [at, step] of steps.entries()) {
    const approvals = world.reader.approvals(step);
    if (approvals === null) return because('INVALID_PARAMETERS', `Step ${at + 1} is a multicall that cannot be read.`);
    const of = { at: at + 1 };
    events.push(...approvals.map((approval) => ({ ...of, approval })));
    events.push(...world.reader.actions(step).map((action) => ({ ...of, action })));
  }
  for (const [index, event] of events.entries()) {
    const refusal =
      'approval' in event
        ? judgeApproval(event, spentAfter(events, index, world), credential, world)
        : (judgeRecipients(event, world) ?? judgeAction(event, credential, world, markets));
    if (refusal !== null) return refusal;
  }
  return null;
};

/** An action or approval of a step; `at` counts steps from 1. */
type Event = { at: number } & ({ approval: Approval } | { action: Action });

const judgeAction = (
  { at, action }: Extract<Event, { action: Action }>,
  credential: Credential,
  world: FigureWorld,
  markets: Markets,
): Refusal | null => {
  switch (action.does) {
    case 'unreadable':
      return because('INVALID_PARAMETERS', `Step ${at} calls the Launchpad in a form that cannot be read.`);
    case 'create':
      markets.create(action.salt, action.poolType);
      return null;
    case 'order':
      return judgeBuilderFee(at, action, world) ?? judgeLimit(at, action, credential, world, markets);
    default:
      return null;
  }
};

const judgeRecipients = (
  { at, action }: Extract<Event, { action: Action }>,
  { wallAt, acknowledged }: FigureWorld,
): Refusal | null => {
  for (const recipient of recipientsOf(action)) {
    const wall = recipient === acknowledged.recipient ? null : wallAt(recipient);
    if (wall === null) continue;
    return because(
      'UNSAFE_RECIPIENT',
      `Step ${at} pays ${recipient}, which is ${wall}, and is signed only with acknowledge.recipient "${recipient}".`,
    );
  }
  return null;
};

const judgeBuilderFee = (
  at: number,
  { builderBps }: Order,
  { maxBuilderFeeBps, acknowledged }: FigureWorld,
): Refusal | null => {
  if (builderBps <= maxBuilderFeeBps || builderBps === acknowledged.builderFeeBps) return null;
  return because(
    'ACKNOWLEDGEMENT_MISSING',
    `Step ${at} pays ${builderBps} basis points to a builder, and more than ${maxBuilderFeeBps} is signed only with ` +
      `acknowledge.builderFeeBps ${builderBps}.`,
  );
};

const judgeLimit = (
  at: number,
  order: Order,
  credential: Credential,
  { acknowledged, deployment }: FigureWorld,
  markets: Markets,
): Refusal | null => {
  const market = markets.of(order.token);
  const priced = market === null ? null : priceOrder(market, order, deployment.usd);
  if (priced !== null) markets.set(order.token, priced.market);
  const worst = priced?.limitAt(mostSlippageBps[credential]);
  if (worst !== undefined && isAsGoodAs(order, worst)) return null;
  const side = isExactIn(order.kind) ? 'at least' : 'at most';
  const fault =
    worst === undefined
      ? `Step ${at} is an order that the market of ${order.token}, as it is known here, cannot fill`
      : `Step ${at} has the limit ${order.limit}; the market asks for ${side} ${worst} with a slippage of ` +
        `${mostSlippageBps[credential]} basis points, the most that is signed unasked`;
  if (credential === 'budget') return because('SLIPPAGE_TOO_HIGH', `${fault}.`);
  if (order.limit === acknowledged.limitRaw) return null;
  return because('ACKNOWLEDGEMENT_MISSING', `${fault}: acknowledge.limitRaw "${order.limit}" would sign it.`);
};

/** What buys may spend of an approval before another one replaces it, base units of the dollar token. */
const spentAfter = (events: readonly Event[], index: number, { deployment }: FigureWorld): bigint => {
  let spent = 0n;
  for (const event of events.slice(index + 1)) {
    if ('approval' in event) {
      if (event.approval.token === deployment.usd && event.approval.spender === deployment.launchpad) break;
    } else if (event.action.does === 'order') spent += mostUsdOf(event.action);
  }
  return spent;
};

/** Most that a buy may spend, fees included; a sell spends nothing. */
const mostUsdOf = ({ kind, amount, limit }: Order): bigint => {
  if (!isBuy(kind)) return 0n;
  return isExactIn(kind) ? amount : limit;
};

const judgeApproval = (
  { at, approval }: Extract<Event, { approval: Approval }>,
  spent: bigint,
  credential: Credential,
  { deployment, acknowledged, maxApprovalUsd }: FigureWorld,
): Refusal | null => {
  const { token, spender, amount, isPlain } = approval;
  if (amount === 'all' || isEndless(approval))
    return because('INVALID_PARAMETERS', `Step ${at} approves without an end: approve an amount below 2^128.`);
  if (amount === 0n) return null;
  const isOurs = isPlain && token === deployment.usd && spender === deployment.launchpad;
  if (isOurs && (amount === spent || amount <= maxApprovalUsd)) return null;
  switch (credential) {
    case 'signIn':
      if (amount === acknowledged.approvalRaw) return null;
      return because(
        'ACKNOWLEDGEMENT_MISSING',
        `Step ${at} approves ${amount} base units of ${token} for ${spender}, which is not what this request spends: ` +
          `acknowledge.approvalRaw "${amount}" would sign it.`,
      );
    case 'budget':
      // A contract that the budget lists; counted against the budget elsewhere.
      if (isPlain && spender !== deployment.launchpad) return null;
      break;
    case 'key':
      break;
  }
  return isOurs
    ? because(
        'BUDGET_EXCEEDED',
        `Step ${at} approves ${amount} base units of ${token}, and this request spends ${spent}.`,
      )
    : because('RECIPIENT_NOT_ALLOWED', `Step ${at} approves ${token} for ${spender}, which takes a sign-in.`);
};

/** Markets as the steps find them, each in the state that the earlier steps leave. */
class Markets {
  readonly #world: FigureWorld;
  readonly #changed = new Map<Address, Market>();

  constructor(world: FigureWorld) {
    this.#world = world;
  }

  of(token: Address): Market | null {
    return this.#changed.get(token) ?? this.#world.marketOf(token);
  }

  set(token: Address, market: Market): void {
    this.#changed.set(token, market);
  }

  /** Adds the token that `create` makes for the wallet. */
  create(salt: `0x${string}`, poolTypeId: number): void {
    const { deployment, tokenDecimals, reader, wallet } = this.#world;
    const poolType = poolTypeById(poolTypeId);
    if (poolType === undefined) return;
    const decimals = { token: tokenDecimals, usd: deployment.usdDecimals };
    this.set(reader.tokenAddress(wallet, salt), newMarket(poolType, decimals, deployment));
  }
}

/** Highest approval under a budget: at most what the budget allows per trade. */
export const approvalUsdWithin = (
  perTradeUsd18: bigint | null,
  maxApprovalUsd: bigint,
  usdDecimals: number,
): bigint => {
  if (perTradeUsd18 === null) return maxApprovalUsd;
  const perTradeUsd = perTradeUsd18 / 10n ** BigInt(18 - usdDecimals);
  return perTradeUsd < maxApprovalUsd ? perTradeUsd : maxApprovalUsd;
};
