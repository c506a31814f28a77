/** Who takes a share of what there is little of. Accounts are free, so an address has a share of its own. */
export interface Sender {
  /** A user; an address for whom nothing proves. */
  owner: string;
  /** As `clientAddress` has it. */
  address: string;
}

/** How many each has; who has none is forgotten. */
export class Counts {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, count: number): void {
    const sum = this.of(key) + count;
    if (sum > 0) this.#counts.set(key, sum);
    else this.#counts.delete(key);
  }
}
