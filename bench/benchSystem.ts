import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type System, startSystem } from '@mintage/devnet';
import { type Closers, createClosers } from '@mintage/server';
import { startDatabase } from '@mintage/server/db';
import { otherCore } from './apiServer.ts';
import { canPin, pinSelf } from './pinned.ts';

/** A service with its chains and a database of its own, on the core where nothing is measured. */
export interface BenchSystem {
  system: System;
  databaseUrl: string;
  /** A folder that is removed at the end. */
  home: string;
  /** Ends something once the work is done, the newest first. */
  onEnd: Closers['add'];
}

/** Runs one for the time of some work, whatever becomes of it. @param chains - As `CHAINS` names them. */
export const withBenchSystem = async (chains: string, work: (bench: BenchSystem) => Promise<void>): Promise<void> => {
  pinSelf(otherCore);
  if (!canPin) console.log('Processes cannot be pinned here: the figures are less steady.');
  const closers = createClosers();
  try {
    const home = mkdtempSync(join(tmpdir(), 'mintage-bench-'));
    // The embedded database may run as another user, who has to reach it.
    chmodSync(home, 0o755);
    closers.add(() => rmSync(home, { recursive: true, force: true }));
    const database = await startDatabase({ home });
    closers.add(database.stop);
    const env = { CHAINS: chains, DATABASE_URL: database.url, LOG_LEVEL: 'error', MINTAGE_HOME: home };
    const system = await startSystem({ env });
    closers.add(system.stop);
    await work({ system, databaseUrl: database.url, home, onEnd: closers.add });
  } finally {
    await closers.closeAll();
  }
};
