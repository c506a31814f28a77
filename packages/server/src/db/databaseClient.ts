import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { DatabaseUnavailableError, reasonOfServer } from './databaseUnavailable.ts';

export interface DatabaseClientConfig extends pg.ClientConfig {
  /** Hears of each connection and statement that the database could not do now. */
  onUnavailable?: ((error: DatabaseUnavailableError) => void) | undefined;
}

/**
 * Every connection to the database. It may break at any time, also while it is checked out and nothing runs on it: the
 * driver then emits `error`, which would end the process if nobody listened. Whoever asks next is told, by a
 * `DatabaseUnavailableError`.
 *
 * `copy … from stdin` is a query like any other here: its one value is the text that is copied. So rows are copied in the
 * transaction of a query builder that knows nothing of COPY.
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
    const answer = copies ? this.#copy(text, values[0]) : super.query(...(args as [string]));
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: Error) => {
      throw this.#told(error, this.#lost !== null);
    });
  }

  async #copy(text: string, rows: string): Promise<{ command: string; rowCount: number; rows: never[] }> {
    const stream = super.query(from(text));
    stream.on('error', () => undefined); // `finished` hears the first one; a broken connection may tell another
    stream.end(rows);
    await finished(stream);
    return { command: 'COPY', rowCount: stream.rowCount, rows: [] };
  }

  /** The error as it is, unless it says that the database cannot do anything now. */
  #told(error: Error, isBroken: boolean): Error {
    const isOfServer = error instanceof pg.DatabaseError;
    const reason = isOfServer ? reasonOfServer(error) : isBroken ? 'away' : null;
    if (reason === null) return error;
    const unavailable = new DatabaseUnavailableError(reason, isOfServer ? error : (this.#lost ?? error));
    this.#onUnavailable?.(unavailable);
    return unavailable;
  }
}
