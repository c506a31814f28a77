/** `mintage backup FOLDER`: everything but the index, of one moment, in a new folder. docs/running.md says what belongs beside it. */
import { resolve } from 'node:path';
import { configFromEnv } from '@mintage/server/api';
import { BackupError, backUp, startDatabase } from '@mintage/server/db';
import { Failure } from '../packages/cli/src/failure.ts';
import { operator } from './operator.ts';

await operator({
  usage: `Usage: mintage backup FOLDER [--json]

Writes everything but the index of the database that the environment names into a new folder, of one moment, while the service goes
on. The keys that seal what is secret in it are not in it: keep them elsewhere. An embedded database must not be in use.
With --json: { folder, takenAt, tables: [{ name, columns, rows, sha256 }] }.`,
  async run([folder, ...more], output) {
    if (folder === undefined || more.length > 0)
      throw new Failure('usage', 'backup needs one folder, which does not exist yet.', 'mintage backup --help');
    const { home, databaseUrl, databaseReplicaUrls: replicaUrls } = configFromEnv(process.env);
    const database = await startDatabase({ home, url: databaseUrl ?? undefined, replicaUrls, maxConnections: 2 });
    try {
      const { takenAt, tables } = await backUp(database.db, resolve(folder), (leftover) =>
        process.stderr.write(`${leftover} is left from a backup that was interrupted: it starts anew.\n`),
      );
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      if (output.isJson) output.json({ folder: resolve(folder), takenAt, tables });
      else output.print(`${rows} rows of ${tables.length} tables, as they were at ${takenAt}, are in ${folder}.`);
    } catch (error) {
      if (error instanceof BackupError) throw new Failure('refused', `${error.message}.`, 'docs/running.md, "Backups"');
      throw error;
    } finally {
      await database.stop();
    }
  },
});
