import type { Address, TradeKind } from '@mintage/protocol';

/** One transaction of an intent: the only input a verdict depends on. */
export interface StepBytes {
  to: Address;
  /** Native base units. */
  value: bigint;
  data: `0x${string}`;
}

/** What a transaction does, as far as it matters to a budget. Amounts are base units of the token they belong to. */
export type Action =
  /** The fields of the order, as the Launchpad's function `kind` takes them. */
  | {
      does: 'order';
      kind: TradeKind;
      token: Address;
      amount: bigint;
      limit: bigint;
      recipient: Address;
      builderBps: bigint;
    }
  | { does: 'create'; salt: `0x${string}`; poolType: number }
  /** Moves nothing of the wallet's: a graduation, or a permit for the Launchpad to take what its caller trades. */
  | { does: 'nothing' }
  | { does: 'refer'; user: Address }
  /** `everything`: all that the vault owes at execution. */
  | { does: 'withdraw'; currency: Address; to: Address; amount: bigint | 'everything' }
  | { does: 'approve'; token: Address; spender: Address; amount: bigint }
  | { does: 'transfer'; token: Address; to: Address; amount: bigint }
  | { does: 'mint'; token: Address; to: Address }
  /** Tokens to another chain; `to` is there. What the fee leaves of the call's value goes to `refundTo`. */
  | { does: 'cross'; token: Address; to: Address; amount: bigint; refundTo: Address }
  /** Makes a token known on other chains; what the fees leave of the value returns. */
  | { does: 'announce'; token: Address }
  /** A call that moves no token in a known form. */
  | { does: 'call'; to: Address; selector: string }
  /** An unknown call, refused to credentials with a budget. `recipient`: the address that it pays, where that can be read. */
  | { does: 'unknown'; to: Address; selector: string; recipient?: Address }
  /** A call of the Launchpad that cannot be decoded, refused to everybody. */
  | { does: 'unreadable'; to: Address; selector: string };

/**
 * What a transaction allows others to take from the wallet later. Read from calls of any contract, and more loosely
 * than tokens do, so that whatever a token treats as an approval is one here too.
 */
export interface Approval {
  /** Token contract: the called contract, unless the call names another. */
  token: Address;
  spender: Address;
  /** Base units; `all`: without limit. */
  amount: bigint | 'all';
  /** Whether it is the plain form that sets the allowance; other forms add to it or are kept separately. */
  isPlain: boolean;
}

/** Addresses on this chain that an action pays. */
export const recipientsOf = (action: Action): readonly Address[] => {
  switch (action.does) {
    case 'order':
      return [action.recipient];
    case 'withdraw':
    case 'transfer':
    case 'mint':
      return [action.to];
    case 'cross':
      // The token has one address on every chain, and so have most contracts.
      return [action.to, action.refundTo];
    case 'call':
      return action.selector === '0x' ? [action.to] : [];
    case 'unknown':
      return action.recipient === undefined ? [] : [action.recipient];
    default:
      return [];
  }
};

/** Amounts from here on count as unlimited. */
const unlimited = 2n ** 128n;

/** Whether an approval is unlimited. It is never signed: its holder could empty the wallet at any later time. */
export const isEndless = ({ amount }: Pick<Approval, 'amount'>): boolean => amount === 'all' || amount >= unlimited;

/** Reads transactions of one chain by their bytes alone, which is a matter of its family. */
export interface StepReader {
  /** What the step does, in order. Bytes that a standard encoder would not produce are not read. */
  actions(step: StepBytes): Action[];
  /** The approvals of a step; null when it holds calls that cannot be read completely, whose approvals are unknown. */
  approvals(step: StepBytes): Approval[] | null;
  /** Native coin that the step sends away besides fees, base units: of that a budget allows only the way to another chain. */
  coinsSent(step: StepBytes): bigint;
  /** The token that a creation by this wallet with this salt gives. */
  tokenAddress(creator: Address, salt: `0x${string}`): Address;
}
