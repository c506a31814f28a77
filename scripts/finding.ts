/** Something of a deployment that may be well or not. */
export interface Check {
  name: string;
  /** @returns What is well, in a few words. @throws Wrong, or what the system says. */
  run(): Promise<string>;
}

/** What a check came to. */
export interface Finding {
  name: string;
  state: 'well' | 'wrong';
  found: string;
  /** What to do; null where it is well, and where only the words of another system are known. */
  next: string | null;
}

/** What is not as it should be, and what to do. */
export class Wrong extends Error {
  readonly next: string;

  constructor(found: string, next: string, options?: ErrorOptions) {
    super(found, options);
    this.next = next;
  }
}

export const found = async ({ name, run }: Check): Promise<Finding> => {
  try {
    return { name, state: 'well', found: await run(), next: null };
  } catch (error) {
    const { shortMessage, message, next = null } = error as Error & { shortMessage?: string; next?: string };
    return { name, state: 'wrong', found: shortMessage ?? message, next };
  }
};
