import { type Address, address, type EncodedAccount } from '@solana/kit';
import { type Clock, LiteSVM } from 'litesvm';
import { emptyAccount, type MaybeAccount } from './account.ts';

/**
 * litesvm's accounts, which are those after the newest block, and those of each block that is not final yet: of every block
 * the accounts that it changed are kept as they were before it. A whole snapshot of litesvm takes a hundred times longer.
 */
export class State {
  readonly svm: LiteSVM;
  /** Oldest first. */
  readonly #changes: { height: number; before: Map<Address, MaybeAccount> }[] = [];

  constructor(svm: LiteSVM) {
    // Which blockhash is too old, and which transaction came already, the blocks know.
    this.svm = svm.withBlockhashCheck(false).withTransactionHistory(0n);
  }

  static fromBytes(bytes: Uint8Array): State {
    return new State(LiteSVM.fromBytes(bytes));
  }

  /** From now on changes are those of this block. */
  begin(height: number): void {
    this.#changes.push({ height, before: new Map() });
  }
  /** Has to be told before an account is written. */
  willChange(at: Address): void {
    const before = this.#changes.at(-1)?.before;
    if (before !== undefined && !before.has(at)) before.set(at, this.svm.getAccount(at));
  }
  setClock(slot: number, time: number): void {
    this.willChange(clockAddress);
    const clock: Clock = this.svm.getClock();
    clock.slot = BigInt(slot);
    clock.unixTimestamp = BigInt(time);
    this.svm.setClock(clock);
  }

  /** The account after the block of this height. */
  accountAt(at: Address, height: number): MaybeAccount {
    const change = this.#changes.find((one) => one.height > height && one.before.has(at));
    return change?.before.get(at) ?? this.svm.getAccount(at);
  }
  programAccountsAt(program: Address, height: number): EncodedAccount[] {
    const changed = this.#before(height);
    const unchanged = this.svm.getProgramAccounts(program).filter((one) => !changed.has(one.address));
    const then = [...changed.values()].filter((one) => one.exists && one.programAddress === program);
    return [...unchanged, ...(then as EncodedAccount[])];
  }
  /** The accounts that this block may have changed, as they were before it. */
  changedIn(height: number): ReadonlyMap<Address, MaybeAccount> {
    return this.#changes.find((one) => one.height === height)?.before ?? new Map();
  }

  /** Runs something on the accounts as they were after the block of this height. */
  at<Result>(height: number, run: (svm: LiteSVM) => Result): Result {
    const then = this.#before(height);
    const now = [...then.keys()].map((one) => this.svm.getAccount(one));
    this.#put(then.values());
    try {
      return run(this.svm);
    } finally {
      this.#put(now);
    }
  }
  /** Undoes all blocks above this height. */
  goBackTo(height: number): void {
    this.#put(this.#before(height).values());
    while ((this.#changes.at(-1)?.height ?? 0) > height) this.#changes.pop();
  }
  /** Nobody will ask for the state before this block any more, nor go back there. */
  settle(height: number): void {
    while ((this.#changes[0]?.height ?? Infinity) <= height) this.#changes.shift();
  }
  get keptAccounts(): number {
    return this.#changes.reduce((sum, { before }) => sum + before.size, 0);
  }

  /** Accounts that changed above this height, as they were at it. */
  #before(height: number): Map<Address, MaybeAccount> {
    const above = this.#changes.filter((one) => one.height > height);
    return new Map(above.toReversed().flatMap(({ before }) => [...before]));
  }
  /** Programs last: litesvm reads a program's code when its account is put. */
  #put(accounts: Iterable<MaybeAccount>): void {
    const list = [...accounts];
    for (const one of list.filter((one) => !isProgram(one)))
      this.svm.setAccount(one.exists ? one : emptyAccount(one.address));
    for (const one of list) if (one.exists && one.executable) this.svm.setAccount(one);
  }
}

const clockAddress = address('SysvarC1ock11111111111111111111111111111111');

const isProgram = (account: MaybeAccount): boolean => account.exists && account.executable;
