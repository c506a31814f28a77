import { DatabaseUnavailableError } from './databaseUnavailable.ts';

/**
 * A write that a read does without while the database only reads, is full or is away;
 * `mintage_database_unavailable_total` counts it.
 *
 * @returns What the write returns, null when it was passed over.
 */
export const ifWritable = async <T>(write: () => Promise<T>): Promise<T | null> => {
  try {
    return await write();
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) return null;
    throw error;
  }
};
