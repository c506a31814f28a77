import { MintageError } from '../src/schemas/errors.ts';

/** The code with which `run` is refused; `none` when it is not. Any other error is thrown on. */
export const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof MintageError) return error.code;
    throw error;
  }
  return 'none';
};
