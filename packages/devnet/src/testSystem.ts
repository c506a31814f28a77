import { type System, type SystemOptions, startSystem } from './system.ts';
import { testDatabase } from './testDatabase.ts';

/**
 * As `startSystem`, for one test file: with a database of its own on the server that all files of this process share, where
 * `startSystem` would make and start a server. `stop()` drops it.
 */
export const testSystem = async (options: SystemOptions = {}): Promise<System> => {
  const database = await testDatabase();
  try {
    const system = await startSystem({ ...options, env: { DATABASE_URL: database.url, ...options.env } });
    const stop = async (): Promise<void> => {
      await system.stop();
      await database.stop();
    };
    return { ...system, stop };
  } catch (error) {
    await database.stop();
    throw error;
  }
};
