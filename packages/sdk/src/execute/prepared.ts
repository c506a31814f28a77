import type { CallOptions } from '../callOptions.ts';
import type { Calls } from '../generated/calls.ts';

/** The operations whose answers a wallet executes. `sendTransaction` is not among them: the service sends that itself. */
export type PreparedOperation =
  | 'tradeToken'
  | 'createTokenTransaction'
  | 'transferToken'
  | 'registerToken'
  | 'claimRewards'
  | 'mintUsd';

/** An answer together with what was asked, so that it can be held against it. Plain JSON. */
export type Prepared<Operation extends PreparedOperation = PreparedOperation> = {
  [Name in Operation]: {
    operation: Name;
    asked: Parameters<Calls[Name]>[0];
    answer: Awaited<ReturnType<Calls[Name]>>;
  };
}[Operation];

/** Whole dollars that `mintUsd` mints where none were asked for. */
export const mintedByDefault = 100_000;

/** Asks the service, and keeps what was asked beside the answer. */
export const prepare = async <Operation extends PreparedOperation>(
  reader: Pick<Calls, Operation>,
  operation: Operation,
  asked: Parameters<Calls[Operation]>[0],
  options?: CallOptions,
): Promise<Prepared<Operation>> => {
  const call = reader[operation] as (input: unknown, options?: CallOptions) => Promise<unknown>;
  // The three belong together: the table of calls is typed by the operation.
  return { operation, asked, answer: await call(asked, options) } as unknown as Prepared<Operation>;
};
