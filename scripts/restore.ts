/** `mintage restore FOLDER`: what `mintage backup` wrote, into an empty database. */
import { resolve } from 'node:path';
import { configFromEnv } from '@mintage/server/api';
import { BackupError, restore, startDatabase } from '@mintage/server/db';
import { Failure } from '../packages/cli/src/failure.ts';
import { operator } from './operator.ts';

await operator({
  usage: `Usage: mintage restore FOLDER [--json]

Fills the empty database that the environment names with what mintage backup wrote. Afterwards the index is empty and is read from
the chains anew by whatever indexes; signing is paused until mintage admin resume, because wallets may have signed after the backup.
With --json: { takenAt, tables: [{ name, columns, rows, sha256 }] }.`,
  async run([folder, ...more], output) {
    if (folder === undefined || more.length > 0)
      throw new Failure('usage', 'restore needs the folder of a backup.', 'mintage restore --help');
    const { home, databaseUrl, databaseReplicaUrls: replicaUrls } = configFromEnv(process.env);
    const database = await startDatabase({ home, url: databaseUrl ?? undefined, replicaUrls, maxConnections: 2 });
    try {
      const { takenAt, tables } = await restore(database.db, resolve(folder));
      if (output.isJson) output.json({ takenAt, tables });
      else
        output.print(`The database is as it was at ${takenAt}, without the index, which indexers now read from the chains. Signing is
paused: look at what wallets did since, then mintage admin resume.`);
    } catch (error) {
      if (error instanceof BackupError) throw new Failure('refused', `${error.message}.`, 'docs/running.md, "Backups"');
      throw error;
    } finally {
      await database.stop();
    }
  },
});
