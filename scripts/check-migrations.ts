/** Fails when a migration would break processes of the version before, which run beside the new ones; the rules are in `migrations.ts`. */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allMigrationErrors } from './migrations.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const files = globSync(`${root}packages/server/src/db/migrations/all/*.sql`)
  .toSorted()
  .map((path) => ({ name: basename(path), text: readFileSync(path, 'utf8') }));
const errors = await allMigrationErrors(files, readFileSync(`${root}CHANGELOG.md`, 'utf8'));
for (const error of errors) console.error(error);
if (errors.length > 0) process.exitCode = 1;
else console.log(`migrations: ${files.length} files, and processes of before bear those that they have to`);
