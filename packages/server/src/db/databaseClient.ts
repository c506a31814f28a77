import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { DatabaseUnavailableError, reasonOfServer } from './databaseUnavailable.ts';
import { preparedName } from './prepared.ts';

export interface DatabaseClientConfig extends pg.ClientConfig {
  /** Called for each connection and statement that failed because the database was unavailable. */
  onUnavailable?: ((error: DatabaseUnavailableError) => void) | undefined;
}

/**
 * Every connection to the database. It may break at any time, also while it is checked out and nothing runs on it: the
 * driver then emits `error`, which would end the process if nobody listened. The next query then fails with a
 * `DatabaseUnavailableError`.
 *
 * `copy … from stdin` is an ordinary query here, with the list of texts to copy as its one value, so that rows can be copied
 * inside a transaction of the query builder, which does not support COPY. Statements of `prepared` get their name here, which the
 * query builder does not support either.
 */
export class DatabaseClient extends pg.Client {
  readonly #onUnavailable: DatabaseClientConfig['onUnavailable'];
  /** Why the connection broke. */
  #lost: Error | null = null;

  constructor(config: DatabaseClientConfig = {}) {
    super(config);
    this.#onUnavailable = config.onUnavailable;
    this.on('error', (error) => {
      this.#lost ??= error;
    });
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | void {
    if (callback === undefined) {
      return new Promise((resolve, reject) => {
        this.connect((error) => (error ? reject(error) : resolve(this)));
      });
    }
    super.connect((error: Error) => callback(error && this.#told(error, true)));
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature has a dozen forms
  override query(...args: any[]): any {
    const [text, values] = args;
    const copies = typeof text === 'string' && text.startsWith('copy ');
    const name = typeof text === 'string' ? preparedName(text) : undefined;
    const named = name === undefined ? args : [{ name, text, values }];
    const answer = copies ? this.#copy(text, values[0]) : super.query(...(named as [string]));
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: Error) => {
      throw this.#told(error, this.#lost !== null);
    });
  }

  async #copy(
    text: string,
    rows: readonly (string | Buffer)[],
  ): Promise<{ command: string; rowCount: number; rows: never[] }> {
    const stream = super.query(from(text));
    stream.on('error', () => undefined); // `finished` reports the first error; a broken connection may emit another
    for (const part of rows) stream.write(part);
    stream.end();
    await finished(stream);
    return { command: 'COPY', rowCount: stream.rowCount, rows: [] };
  }

  /** The error itself, or a `DatabaseUnavailableError` when it means that the database is unavailable. */
  #told(error: Error, isBroken: boolean): Error {
    const isOfServer = error instanceof pg.DatabaseError;
    const reason = isOfServer ? reasonOfServer(error) : isBroken ? 'away' : null;
    if (reason === null) return error;
    const unavailable = new DatabaseUnavailableError(reason, isOfServer ? error : (this.#lost ?? error));
    this.#onUnavailable?.(unavailable);
    return unavailable;
  }
}
