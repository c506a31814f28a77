/** What the api sees of the indexer: the tables, and how to reach them. */

export { Bell } from '../bell.ts';
export { linkWallets } from '../store/aggregates/earners.ts';
export { type News, publish, streamChannel } from '../streams/outbox.ts';
export { claimSlug, kebabCase } from './claimSlug.ts';
export { type ClockWatch, watchClock } from './clock.ts';
export { DatabaseUnavailableError, type UnavailableReason } from './databaseUnavailable.ts';
export { forgetChain, tablesOfAChain } from './forgetChain.ts';
export { type Listener, listen } from './listen.ts';
export { chainMigrations, migrate } from './migrate.ts';
export { type OpenOptions, openDatabase, unavailableCounts } from './openDatabase.ts';
export { type DatabaseConfig, type RunningDatabase, startDatabase } from './startDatabase.ts';
export type * from './tables.ts';
export { testDatabase } from './testDatabase.ts';
export { type Venue, venueOf } from './venueOf.ts';
