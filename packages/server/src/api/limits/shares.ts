/** Who uses a scarce resource. Accounts are free to make, so addresses are limited as well. */
export interface Sender {
  /** User id; the address for a caller without a credential. */
  owner: string;
  /** Client address as `clientAddress` normalizes it. */
  address: string;
}

/** Counts by key; a key with a count of zero is removed. */
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
