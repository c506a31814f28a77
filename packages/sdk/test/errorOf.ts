import { MintageError } from '../src/sdk.ts';

/** The error of a call that has to fail as everything of ours does. Another kind of error is thrown on. */
export const errorOf = async (call: Promise<unknown>): Promise<MintageError> => {
  const error = await call.then(
    () => new Error('it did not fail'),
    (caught: unknown) => caught,
  );
  if (error instanceof MintageError) return error;
  throw error;
};
