import { type Address, type Eid, type ErrorCode, formatUnits, isBuy, isExactIn } from '@mintage/protocol';
import type { Budget } from '../../db/intentProof.ts';
import type { Action, StepBytes } from './actions.ts';
import { approvalUsdWithin, type FigureWorld, judgeFigures } from './judgeFigures.ts';
import type { Order } from './market.ts';
import { because, type Refusal } from './refusal.ts';

/** The facts on which a verdict depends besides the bytes. */
export interface World extends FigureWorld {
  /** The chain on which the bytes are sent. */
  eid: Eid;
  /** Whether the request was made by a sign-in of the user, not by a key or grant. */
  isSignIn: boolean;
  /** The wallets of the user, the one that signs among them. */
  ownWallets: ReadonlySet<string>;
  /** Price of one whole token in dollars (18 decimals, rounded up); null when the index knows no such token of ours. */
  priceUsd18: (token: Address) => bigint | null;
  /** When the API made the request, Unix milliseconds. */
  nowMs: number;
  /** Milliseconds after the creation of a budget until its recipients count. */
  recipientDelayMs: number;
}

/** `usd18`: dollars that count against the budget, 0 without a budget. */
export type Verdict = { usd18: bigint } | { refusal: Refusal };

/** Highest amount that is counted: a larger one is not a real amount, and would fit no column. */
const mostUsd18 = 10n ** 60n;

/**
 * Judges by their bytes alone whether the steps may be signed. Their figures are checked first, for every credential
 * (decision 36). With a budget only the actions named here are allowed, and their dollars are counted (decision 24).
 *
 * @param steps - In the order in which they will be sent.
 */
export const judge = (steps: readonly StepBytes[], budget: Budget | null, world: World): Verdict => {
  const refusal =
    budget === null
      ? judgeFigures(steps, world.isSignIn ? 'signIn' : 'key', world)
      : judgeFigures(steps, 'budget', withinBudget(world, budget));
  if (refusal !== null) return { refusal };
  if (budget === null) return { usd18: 0n };
  if (budget.eids !== null && !budget.eids.includes(world.eid)) {
    return refused('RECIPIENT_NOT_ALLOWED', 'The budget of this credential does not allow this chain.');
  }
  let usd18 = 0n;
  for (const step of steps) {
    const actions = world.reader.actions(step);
    if (world.reader.coinsSent(step) !== 0n && !(actions.length === 1 && actions.every(paysItsWay)))
      return refused('BUDGET_EXCEEDED', 'A credential with a budget cannot send native coin.');
    for (const action of actions) {
      const counted = count(action, budget, world);
      if (typeof counted !== 'bigint') return { refusal: counted };
      usd18 += counted;
    }
  }
  if (usd18 > (budget.perTradeUsd18 ?? mostUsd18) || usd18 > mostUsd18) {
    const cap = budget.perTradeUsd18 === null ? 'no amount' : `at most ${formatUnits(budget.perTradeUsd18, 18)}`;
    return refused(
      'BUDGET_EXCEEDED',
      `This counts ${formatUnits(usd18, 18)} dollars; the budget allows ${cap} at once.`,
    );
  }
  return { usd18 };
};

/** The way to another chain is paid with the call: the wallet's gas of the day counts it. */
const paysItsWay = ({ does }: Action): boolean => does === 'cross' || does === 'announce';

const withinBudget = (world: World, { perTradeUsd18 }: Budget): World => {
  const { maxApprovalUsd, deployment } = world;
  return { ...world, maxApprovalUsd: approvalUsdWithin(perTradeUsd18, maxApprovalUsd, deployment.usdDecimals) };
};

/** Dollars that an action counts against the budget, or why it is refused. */
const count = (action: Action, budget: Budget, world: World): bigint | Refusal => {
  const { usd } = world.deployment;
  switch (action.does) {
    case 'nothing':
    case 'create':
      return 0n;
    case 'order':
      return feeOf(action, budget) ?? toWhom(action.recipient, budget, world) ?? valueOf(action, world);
    case 'refer':
      return world.ownWallets.has(action.user) ? 0n : stranger(action.user);
    case 'withdraw': {
      if (world.ownWallets.has(action.to)) return 0n;
      if (action.amount === 'everything') {
        return because(
          'BUDGET_EXCEEDED',
          'A withdrawal to another wallet must name its amount to count in the budget.',
        );
      }
      return toWhom(action.to, budget, world) ?? usd18Of(action.currency, action.amount, world);
    }
    case 'transfer':
      if (world.ownWallets.has(action.to)) return usable(action.token, budget, world) ?? 0n;
      return toWhom(action.to, budget, world) ?? usd18Of(action.token, action.amount, world);
    case 'cross':
      if (!world.ownWallets.has(action.refundTo)) return stranger(action.refundTo);
      if (world.ownWallets.has(action.to)) return usable(action.token, budget, world) ?? 0n;
      return toWhom(action.to, budget, world) ?? usd18Of(action.token, action.amount, world);
    case 'announce':
      return usable(action.token, budget, world) ?? 0n;
    case 'approve':
      return countApproval(action, budget, world);
    case 'mint':
      if (action.token !== usd || !world.deployment.usdMintable) return countCall(action.token, budget, world);
      return world.ownWallets.has(action.to) ? 0n : stranger(action.to);
    case 'call':
      return countCall(action.to, budget, world);
    case 'unknown':
    case 'unreadable':
      return because(
        'RECIPIENT_NOT_ALLOWED',
        `A credential with a budget cannot call ${action.selector} of ${action.to}.`,
      );
  }
};

/**
 * Value of an order: for a buy what it may spend; for a sell the value of the tokens that it may give, or the dollars
 * that it asks for.
 */
const valueOf = ({ kind, token, amount, limit }: Order, world: World): bigint | Refusal => {
  const { usd } = world.deployment;
  const [given, asked] = isExactIn(kind) ? [amount, limit] : [limit, amount];
  if (isBuy(kind)) return usd18Of(usd, given, world);
  const value = usd18Of(token, given, world);
  const wanted = usd18Of(usd, asked, world) as bigint;
  return typeof value !== 'bigint' || value > wanted ? value : wanted;
};

/** The Launchpad pulls only what its caller trades, so an approval of it counts when it is used by a trade. */
const countApproval = (
  { token, spender, amount }: Extract<Action, { does: 'approve' }>,
  budget: Budget,
  world: World,
): bigint | Refusal => {
  if (amount === 0n || spender === world.deployment.launchpad) return usable(token, budget, world) ?? 0n;
  if (!budget.contracts.includes(spender)) return stranger(spender);
  return usd18Of(token, amount, world);
};

const countCall = (to: Address, budget: Budget, world: World): bigint | Refusal => {
  if (isOurs(to, world) || !budget.contracts.includes(to)) return stranger(to);
  return 0n;
};

/** Why a token contract may not be called; null for our own tokens and those that the budget lists. */
const usable = (token: Address, budget: Budget, world: World): Refusal | null =>
  isOurs(token, world) || budget.contracts.includes(token) ? null : stranger(token);

const isOurs = (contract: Address, { deployment, priceUsd18 }: World): boolean =>
  contract === deployment.usd || contract === deployment.launchpad || priceUsd18(contract) !== null;

/** Why a recipient is refused; null for the user's own wallets, and for listed ones after their delay. */
const toWhom = (recipient: Address, budget: Budget, world: World): Refusal | null => {
  if (world.ownWallets.has(recipient)) return null;
  if (!budget.recipients.includes(recipient)) return stranger(recipient);
  const from = budget.createdAtMs + world.recipientDelayMs;
  if (world.nowMs >= from) return null;
  return because(
    'RECIPIENT_NOT_ALLOWED',
    `${recipient} is a new recipient and can be paid from ${new Date(from).toISOString()} on.`,
  );
};

const feeOf = ({ builderBps }: { builderBps: bigint }, { maxBuilderBps }: Budget): Refusal | null =>
  builderBps <= BigInt(maxBuilderBps)
    ? null
    : because('BUDGET_EXCEEDED', `A builder fee of ${builderBps} bps is above the ${maxBuilderBps} that are allowed.`);

/** Dollars that an amount is worth, rounded up. A token without a price cannot be counted, so it is refused. */
const usd18Of = (
  token: Address,
  amount: bigint,
  { deployment, tokenDecimals, priceUsd18 }: World,
): bigint | Refusal => {
  const tokenUnit = 10n ** BigInt(tokenDecimals);
  if (token === deployment.usd) return amount * 10n ** BigInt(18 - deployment.usdDecimals);
  const price = priceUsd18(token);
  if (price !== null) return (amount * price + tokenUnit - 1n) / tokenUnit;
  return because(
    'RECIPIENT_NOT_ALLOWED',
    `${token} has no price in dollars here, so a credential with a budget cannot spend it.`,
  );
};

const stranger = (address: string): Refusal =>
  because('RECIPIENT_NOT_ALLOWED', `The budget of this credential does not allow ${address}.`);
const refused = (code: ErrorCode, message: string): Verdict => ({ refusal: because(code, message) });
