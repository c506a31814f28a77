import type { Hash } from '@mintage/protocol';
import type { Listed } from './calls.ts';

/** Transactions up to a slot. */
export interface Range {
  /** Lowest slot first. */
  listed: readonly Listed[];
  /** The last slot. */
  to: number;
}

/** Transactions that name the program, as far as anybody has named them to us, above what is final in the tables. */
export class Heard {
  readonly #bySignature = new Map<Hash, Listed>();
  /** The same by slot; absent after a change. */
  #inOrder: Listed[] | undefined;

  add(list: readonly Listed[]): void {
    for (const one of list) {
      const known = this.#bySignature.get(one.signature);
      // A transaction can land again in another block after a reorg.
      const hasFailed = one.hasFailed && (known === undefined || known.hasFailed || known.slot !== one.slot);
      this.#bySignature.set(one.signature, { ...one, hasFailed });
    }
    if (list.length > 0) this.#inOrder = undefined;
  }

  /** The next ones in these slots, both included: whole slots, and no more than `most`, but for those of one slot. */
  next(from: number, to: number, most: number): Range {
    const all = this.#ordered();
    const [first, end] = [firstAt(all, from), firstAt(all, to + 1)];
    if (end - first <= most) return { listed: all.slice(first, end), to };
    const { slot } = all[first + most] as Listed;
    const whole = firstAt(all, slot);
    const last = whole > first ? whole : firstAt(all, slot + 1);
    return { listed: all.slice(first, last), to: (all[last - 1] as Listed).slot };
  }

  /** Those up to a slot are of no use any more. */
  forget(to: number): void {
    const all = this.#ordered();
    const end = firstAt(all, to + 1);
    if (end === 0) return;
    for (const { signature } of all.slice(0, end)) this.#bySignature.delete(signature);
    this.#inOrder = all.slice(end);
  }

  /** Those above a slot are listed anew. */
  forgetAbove(slot: number): void {
    const all = this.#ordered();
    const end = firstAt(all, slot + 1);
    for (const { signature } of all.slice(end)) this.#bySignature.delete(signature);
    this.#inOrder = all.slice(0, end);
  }

  #ordered(): Listed[] {
    this.#inOrder ??= [...this.#bySignature.values()].toSorted((a, b) => a.slot - b.slot);
    return this.#inOrder;
  }
}

/** Where the slots from this one on begin. */
const firstAt = (inOrder: readonly Listed[], slot: number): number => {
  let [low, high] = [0, inOrder.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((inOrder[middle] as Listed).slot < slot) low = middle + 1;
    else high = middle;
  }
  return low;
};
