import { DatabaseUnavailableError } from './databaseUnavailable.ts';

/**
 * Runs a write that a read can do without, and skips it while the database is read-only, full or away;
 * `mintage_database_unavailable_total` counts that.
 *
 * @returns The result of the write, null when it was skipped.
 */
export const ifWritable = async <T>(write: () => Promise<T>): Promise<T | null> => {
  try {
    return await write();
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) return null;
    throw error;
  }
};
