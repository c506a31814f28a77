/**
 * Bad days of a provider, made on purpose:
 * - `error`: answers that something inside went wrong
 * - `busy`: refuses with HTTP status 429
 * - `hang`: never answers
 * - `cut`: takes the request and closes the connection
 * - `omit`: leaves entries out of a list, as if they had not happened
 */
export const faultKinds = ['error', 'busy', 'hang', 'cut', 'omit'] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  /** All methods when absent. */
  method?: string;
  kind: FaultKind;
  /** The next so many requests; all when absent. */
  times?: number;
  /** One of so many requests, or entries; every one when absent. */
  oneOf?: number;
}

export class Faults {
  #list: { fault: Fault; left: number; seen: number }[] = [];

  add(fault: Fault): void {
    this.#list.push({ fault, left: fault.times ?? Infinity, seen: 0 });
  }
  clear(): void {
    this.#list = [];
  }

  /** What befalls a request; null for nothing. */
  of(method: string): Exclude<FaultKind, 'omit'> | null {
    for (const one of this.#meant(method)) {
      const { kind, oneOf = 1 } = one.fault;
      one.seen += 1;
      if (kind === 'omit' || one.seen % oneOf !== 0) continue;
      one.left -= 1;
      return kind;
    }
    return null;
  }
  /** An answer without the entries that are left out. */
  thin(method: string, result: unknown): unknown {
    if (!Array.isArray(result)) return result;
    const omitting = this.#meant(method).filter(({ fault }) => fault.kind === 'omit');
    for (const one of omitting) one.left -= 1;
    return omitting.reduce<unknown[]>(
      (list, { fault: { oneOf = 1 } }) => list.filter((_, at) => (at + 1) % oneOf !== 0),
      result,
    );
  }

  #meant(method: string) {
    return this.#list.filter(({ fault, left }) => left > 0 && (fault.method ?? method) === method);
  }
}
