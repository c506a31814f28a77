import type { Address, Base58, SolanaDeployment, TradeKind } from '@mintage/protocol';
import {
  type LaunchpadCall,
  launchpadAddress,
  mostCounted,
  type ReadPrepared,
  readPrepared,
  readTransaction,
  tokenAccountOf,
} from '@mintage/protocol/solana';
import { bytesOf } from '../../chain/solana/bytes.ts';
import type { Action, StepBytes, StepReader } from '../policy/policy.ts';

/**
 * Reads from a transaction's bytes the actions that matter to a budget, by the decoder that shares nothing with what prepared them.
 * Whatever it does not know is refused to everybody, so nothing can stand beside the readable part.
 */
export const solanaReader = ({ launchpad, usd }: SolanaDeployment): StepReader => ({
  actions(step) {
    if (isPayment(step)) return [{ does: 'call', to: step.to, selector: '0x' }];
    const read = readStep(step, launchpad);
    if (read === null) return [{ does: 'unreadable', to: step.to, selector: step.data.slice(0, 10) }];
    return new Actions(read, launchpad, usd).all();
  },
  /** A transaction is signed for what stands in it; nothing here lets others take something later. */
  approvals: () => [],
  /** Rent stays in accounts; no whole transaction that is read here sends coins to anybody. */
  coinsSent: (step) => (isPayment(step) ? step.value : 0n),
  tokenAddress: (creator, salt) =>
    launchpadAddress(launchpad, 'mint', { creator: creator as Base58, salt: bytesOf(salt) }).address,
});

/** A step without data sends lamports; any other is a whole transaction. */
export const isPayment = ({ data }: Pick<StepBytes, 'data'>): boolean => data === '0x';

/** Null for bytes that no service of ours prepares. */
export const readStep = ({ to, data }: Pick<StepBytes, 'to' | 'data'>, program: Base58): ReadPrepared | null => {
  if (to !== program) return null;
  try {
    return readPrepared(readTransaction(bytesOf(data)).message, program);
  } catch {
    return null; // whatever is wrong with them
  }
};

/** What one transaction does, in order. */
class Actions {
  readonly #read: ReadPrepared;
  readonly #program: Base58;
  readonly #usd: Base58;

  constructor(read: ReadPrepared, program: Base58, usd: Base58) {
    this.#read = read;
    this.#program = program;
    this.#usd = usd;
  }

  all(): Action[] {
    return [
      ...this.#read.calls.map((call) => this.#actionOf(call)),
      ...this.#read.transfers.map(
        ({ tokenProgram, mint, to, amount }): Action => ({
          does: 'transfer',
          token: mint,
          to: this.#ownerOf(to, mint, tokenProgram),
          amount,
        }),
      ),
    ];
  }

  #actionOf(call: LaunchpadCall): Action {
    const { name, accounts, args } = call;
    const amount = (which: string): bigint => BigInt(args[which] as bigint);
    switch (name) {
      case 'create':
        return { does: 'create', salt: args.salt as `0x${string}`, poolType: Number(args.poolType) };
      case 'buyExactIn':
      case 'buyExactOut':
      case 'sellExactIn':
      case 'sellExactOut':
        return this.#order(name, call);
      case 'withdraw': {
        const paid = amount('amount');
        return {
          does: 'withdraw',
          currency: this.#usd,
          to: this.#ownerOf(accounts.to, this.#usd, 'token'),
          amount: paid === mostCounted ? 'everything' : paid,
        };
      }
      case 'setReferrer':
        return { does: 'refer', user: this.#walletOf(accounts.user) };
      case 'mintTestUsd':
        return { does: 'mint', token: this.#usd, to: this.#ownerOf(accounts.to, this.#usd, 'token') };
      case 'openUser':
      case 'openFeeVault':
      case 'graduate':
      case 'collectTreasury':
        return { does: 'nothing' };
      default:
        return { does: 'unknown', to: this.#program, selector: name };
    }
  }

  /** What a trade pays out goes to the account that is named, whosever it is. */
  #order(kind: TradeKind, { accounts, args }: LaunchpadCall): Action {
    const mint = accounts.mint as Base58;
    const recipient = kind.startsWith('buy')
      ? this.#ownerOf(accounts.traderTokens, mint, 'token2022')
      : this.#ownerOf(accounts.traderUsd, this.#usd, 'token');
    return {
      does: 'order',
      kind,
      token: mint,
      amount: BigInt(args.amount as bigint),
      limit: BigInt(args.limit as bigint),
      recipient,
      builderBps: BigInt(Number(args.builderBps)),
    };
  }

  /** The wallet whose token account that is, as far as the bytes say it; else the account itself, which is nobody's own wallet. */
  #ownerOf(account: Base58 | null | undefined, mint: Base58, tokens: 'token' | 'token2022'): Address {
    const { payer, opens } = this.#read;
    if (account == null) return this.#program;
    if (account === tokenAccountOf(payer, mint, tokens)) return payer;
    return opens.find((one) => one.account === account)?.owner ?? account;
  }

  #walletOf(user: Base58 | null | undefined): Address {
    const { payer } = this.#read;
    return user === launchpadAddress(this.#program, 'user', { wallet: payer }).address
      ? payer
      : (user ?? this.#program);
  }
}
