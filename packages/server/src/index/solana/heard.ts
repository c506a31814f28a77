import type { Hash } from '@mintage/protocol';
import type { Listed } from './source.ts';

/** Transactions that name the program, as far as anybody has named them to us, above what is final in the tables. */
export class Heard {
  readonly #bySignature = new Map<Hash, Listed>();

  add(list: readonly Listed[]): void {
    for (const one of list) {
      const known = this.#bySignature.get(one.signature);
      // A transaction can land again in another block after a reorg.
      this.#bySignature.set(one.signature, {
        ...one,
        hasFailed: one.hasFailed && (known === undefined || known.hasFailed || known.slot !== one.slot),
      });
    }
  }

  /** Those in these slots, both included, lowest slot first. */
  between(from: number, to: number): Listed[] {
    return [...this.#bySignature.values()]
      .filter(({ slot }) => slot >= from && slot <= to)
      .toSorted((a, b) => a.slot - b.slot);
  }

  /** Those up to a slot are of no use any more. */
  forget(to: number): void {
    for (const [signature, { slot }] of this.#bySignature) if (slot <= to) this.#bySignature.delete(signature);
  }

  /** Those above a slot are listed anew. */
  forgetAbove(slot: number): void {
    for (const [signature, one] of this.#bySignature) if (one.slot > slot) this.#bySignature.delete(signature);
  }
}
