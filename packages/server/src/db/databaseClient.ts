import pg from 'pg';
import { DatabaseUnavailableError, reasonOfServer } from './databaseUnavailable.ts';
import { preparedName } from './prepared.ts';
import type { Silence } from './silence.ts';

export interface DatabaseClientConfig extends pg.ClientConfig {
  /** Where the database has several: connects to the one that takes writes, in the place of `connectionString`. */
  servers?: WritableServers | undefined;
  /** Is told of the connection, which it may cut. */
  keep?: ((client: DatabaseClient) => void) | undefined;
  /** Is told of what the database says, and ends reads once it says nothing. */
  silence?: Silence | undefined;
  /** Called for each connection and statement that failed because the database was unavailable. */
  onUnavailable?: ((error: DatabaseUnavailableError) => void) | undefined;
}

/** What connections have to know of the servers of a database (`servers.ts`). */
export interface WritableServers {
  /** The one that takes writes, as far as is known. */
  writable(): { url: string };
  /** A connection to the writable server, which is cut once that is another one. */
  keep(client: DatabaseClient, url: string): void;
  /** A connection could not be made, or was to a standby: they are asked at once. */
  doubt(): void;
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
  readonly #servers: WritableServers | undefined;
  readonly #silence: Silence | undefined;
  readonly #wire: pg.Connection;
  /** Why the connection broke. */
  #lost: Error | null = null;
  #isStandby = false;
  #isInTransaction = false;

  constructor(config: DatabaseClientConfig = {}) {
    const { servers } = config;
    const url = servers?.writable().url;
    super(url === undefined ? config : { ...config, connectionString: url });
    this.#onUnavailable = config.onUnavailable;
    this.#servers = servers;
    this.#silence = config.silence;
    this.#wire = (this as unknown as { connection: pg.Connection }).connection;
    this.on('error', (error) => {
      this.#lost ??= error;
    });
    this.on('notice', ({ routine }) => {
      // Somebody cancelled the wait for a standby: the server says that it has committed, and may yet lose it.
      if (routine === 'SyncRepWaitForLSN') this.cut(new Error('committed on one server alone'));
    });
    this.#wire.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === 'in_hot_standby') this.#isStandby = parameterValue === 'on';
    });
    // Not without need: what reads rows as they come (a backup) wants the connection's data for itself.
    if (this.#silence !== undefined) this.#wire.stream.on('data', () => this.#silence?.heard());
    if (url !== undefined) servers?.keep(this, url);
    config.keep?.(this);
  }

  /** Ends the connection at once: whatever runs on it fails, and what was answered meanwhile is not believed. */
  cut(reason: Error): void {
    this.#lost ??= reason;
    this.#wire.stream.destroy(reason);
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | void {
    if (callback === undefined) {
      return new Promise((resolve, reject) => {
        this.connect((error) => (error ? reject(error) : resolve(this)));
      });
    }
    if (this.#silence?.isSilent === true) {
      const failure = this.#told(new Error('the database says nothing'), true);
      process.nextTick(callback, failure);
      return;
    }
    const over = this.#silence?.wait((reason) => this.cut(reason));
    super.connect((error: Error) => {
      over?.();
      const isWrong = this.#servers !== undefined && this.#isStandby;
      const failure = error ?? (isWrong ? new Error('this server is a standby now') : null);
      if (failure === null) return callback(error);
      this.#servers?.doubt();
      if (isWrong) this.cut(failure);
      callback(this.#told(failure, true));
    });
  }

  /**
   * Without the driver's own promise: with it the rows of every statement stay in memory until the whole heap is collected
   * (docs/decisions/0070-rows-that-stayed.md).
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- the driver's own signature has a dozen forms
  override query(...args: any[]): any {
    const [first, values] = args;
    const isOwn = typeof first.submit === 'function' || args.some((one) => typeof one === 'function');
    if (isOwn) return super.query(...(args as [string]));
    const config = typeof first === 'string' ? { name: preparedName(first), text: first, values } : first;
    const over = this.#isRead(String(config.text)) ? this.#waitForRead() : undefined;
    const answer = new Promise((resolve, reject) => {
      const done = (error: Error | null | undefined, result: unknown): void => {
        over?.();
        const failure = error ?? this.#lost;
        if (failure) reject(failure);
        else resolve(result);
      };
      const isCopy = typeof first === 'string' && first.startsWith('copy ');
      if (isCopy) super.query(new Copy(first, values[0], done));
      else void super.query(config, done as never); // which makes no promise beside `done`
    });
    return answer.catch((error: Error) => {
      Error.captureStackTrace(error); // From the socket's to the caller's, as the driver does.
      throw this.#told(error, this.#lost !== null);
    });
  }

  /** Whether nothing is lost when this statement is given up: it changes nothing, and is not a part of what does. */
  #isRead(text: string): boolean {
    if (transactionBegins.test(text)) this.#isInTransaction = true;
    if (transactionEnds.test(text)) this.#isInTransaction = false;
    return !this.#isInTransaction && reads.test(text) && !writes.test(text);
  }

  /** Fails at once where the database says nothing. */
  #waitForRead(): (() => void) | undefined {
    if (this.#silence?.isSilent === true) this.cut(new Error('the database says nothing'));
    return this.#silence?.wait((reason) => this.cut(reason));
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

const transactionBegins = /^\s*(begin|start transaction)\b/i;
const transactionEnds = /^\s*(commit|rollback)\s*;?\s*$/i;
const reads = /^(\/\* prepared \*\/)?\s*(select|with)\b/i;
/** In a part of a statement. */
const writes = /\b(insert into|update|delete from)\b/i;

/**
 * The statement and its rows in one go, without waiting until the server asks for them, so that a COPY can stand between
 * other statements that are on their way. The server passes over the rows of a COPY that failed.
 */
class Copy extends pg.Query {
  readonly #text: string;
  readonly #rows: readonly (string | Buffer)[];

  constructor(
    text: string,
    rows: readonly (string | Buffer)[],
    done: (error: Error | undefined, result: unknown) => void,
  ) {
    super(text, undefined, done);
    this.#text = text;
    this.#rows = rows;
  }

  override submit = (connection: pg.Connection): null => {
    const copying = connection as CopyingConnection;
    copying.stream.cork();
    copying.query(this.#text);
    for (const part of this.#rows) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part;
      for (let at = 0; at < bytes.length; at += chunkBytes)
        copying.sendCopyFromChunk(bytes.subarray(at, at + chunkBytes));
    }
    copying.endCopyFrom();
    copying.stream.uncork();
    return null; // no error
  };

  /** The server asks for the rows: they are on their way. */
  handleCopyInResponse(): void {}
}

const chunkBytes = 65_536;

/** What the driver's types leave out. */
interface ParameterStatus {
  parameterName: string;
  parameterValue: string;
}

interface CopyingConnection extends pg.Connection {
  sendCopyFromChunk(bytes: Buffer): void;
  endCopyFrom(): void;
}
