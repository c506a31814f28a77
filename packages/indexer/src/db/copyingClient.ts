import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from } from 'pg-copy-streams';

/**
 * A connection on which `copy … from stdin` is a query like any other: its one value is the text that is copied. So rows
 * are copied in the transaction of a query builder that knows nothing of COPY.
 */
export class CopyingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature has a dozen forms
  override query(...args: any[]): any {
    const [text, values] = args;
    if (typeof text !== 'string' || !text.startsWith('copy ')) return super.query(...(args as [string]));
    return this.#copy(text, values[0]);
  }

  async #copy(text: string, rows: string): Promise<{ command: string; rowCount: number; rows: never[] }> {
    const stream = super.query(from(text));
    stream.end(rows);
    await finished(stream);
    return { command: 'COPY', rowCount: stream.rowCount, rows: [] };
  }
}
