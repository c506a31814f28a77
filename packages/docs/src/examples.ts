import type { OperationName } from '@mintage/protocol/operations';

/** Calls that were really made and what came back, recorded by `scripts/record-examples.ts`. */
export interface Examples {
  operations: Readonly<Partial<Record<OperationName, Example>>>;
  /** Parameters of a call that succeeded, of tools with fields of their own, by the name of the tool. */
  tools: Readonly<Record<string, object>>;
}

export interface Example {
  input: Readonly<Record<string, unknown>>;
  /** Made with a credential, although the call does not need one. */
  credential?: true;
  /** As JSON; of a file or stream its first lines. */
  answer: unknown;
  /** Where the answer is longer than shown: how many entries each shortened list has in truth, by path. */
  lengths?: Readonly<Record<string, number>>;
}
