/**
 * Loaded into every worker of the tests when `TEST_STATEMENTS` names a folder: notes each statement that goes to a database, once a
 * worker, so that `npm run test:deep` can have them read by another server (`compare.ts`).
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

const noting = Symbol.for('mintage.notesStatements');
const client = pg.Client.prototype as pg.Client & { [noting]?: true };
const folder = process.env.TEST_STATEMENTS;

// Runs again for every file of a worker, which all have the one driver.
if (folder && !client[noting]) {
  client[noting] = true;
  const file = join(folder, `${process.pid}.jsonl`);
  const known = new Set<string>();
  const send = client.query as (...args: unknown[]) => unknown;
  client.query = function query(this: pg.Client, ...args: unknown[]): unknown {
    const [first] = args as [string | { text?: string }];
    const text = typeof first === 'string' ? first : first.text;
    if (text && !known.has(text)) {
      known.add(text);
      appendFileSync(file, `${JSON.stringify(text)}\n`);
    }
    return send.apply(this, args);
  } as typeof client.query;
}
