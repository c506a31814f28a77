/** What devnet, scripts and benchmarks see of the database: how to start, migrate and read it. */

export { isOwner, type Login, makeAccounts, missingGrants } from './accounts.ts';
export { BackupError, type BackupManifest, backUp, restore } from './backup.ts';
export type * from './chainTables.ts';
export { chainTables } from './chainTables.ts';
export { claimSlug } from './claimSlug.ts';
export { type ClockWatch, watchClock } from './clock.ts';
export { startEmbeddedPostgres } from './embeddedPostgres.ts';
export { type DatabaseAccount, tableGrants } from './grants.ts';
export { askForKeeperWallet, keeperWallet } from './keeperWallet.ts';
export { type Listener, listen } from './listen.ts';
export { migrate, unappliedMigrations } from './migrate.ts';
export { makeMonths } from './months.ts';

export { type OpenOptions, openDatabase, unavailableCounts } from './openDatabase.ts';
export { openReaders } from './readers.ts';
export { type Servers, watchServers } from './servers.ts';
export * from './serviceTables.ts';
export * from './signerTables.ts';
export { type DatabaseConfig, type RunningDatabase, startDatabase } from './startDatabase.ts';
export { tablesOfAChain } from './table.ts';
