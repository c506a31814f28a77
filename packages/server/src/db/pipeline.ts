import { type DatabaseConnection, DummyDriver, type Kysely, PostgresDialect, Transaction } from 'kysely';
import { poolOf } from './openDatabase.ts';
import { nameOf } from './prepared.ts';

/** A transaction whose statements are sent one behind the other, without waiting for the answers in between. */
export interface Pipeline<Tables> {
  /** For statements whose answers are needed. */
  tx: Transaction<Tables>;
  /**
   * For statements whose answers are not: each resolves when it is sent, with no rows, and the database keeps its plan. A
   * failure is thrown where an answer is awaited next, at the latest at the commit.
   */
  sent: Transaction<Tables>;
}

/** Commits when `work` ends, and rolls back when it or one of its statements fails. */
export const inPipeline = async <Tables, Result>(
  db: Kysely<Tables>,
  work: (pipeline: Pipeline<Tables>) => Promise<Result>,
): Promise<Result> => {
  const pool = poolOf(db);
  const client = await pool.connect();
  /** Of the statement that failed first: those behind it fail because of it. */
  let failure: Error | undefined;
  let isOver = false;

  const send = (text: string, values: readonly unknown[] = [], name?: string) => {
    if (isOver) throw new Error('the transaction is over');
    const isCopy = text.startsWith('copy ');
    const answer = isCopy ? client.query(text, [...values]) : client.query({ name, text, values: [...values] });
    answer.catch((error: Error) => {
      failure ??= error;
    });
    return answer;
  };
  const transaction = (executeQuery: DatabaseConnection['executeQuery']): Transaction<Tables> => {
    const connection: DatabaseConnection = { executeQuery, streamQuery };
    const dialect = new PostgresDialect({ pool });
    const executor = db.getExecutor().withConnectionProvider({ provideConnection: (use) => use(connection) });
    return new Transaction({ config: { dialect }, dialect, driver: new DummyDriver(), executor });
  };
  const pipeline: Pipeline<Tables> = {
    tx: transaction(async ({ sql, parameters }) => ({ rows: (await send(sql, parameters)).rows as never[] })),
    sent: transaction(async ({ sql, parameters }) => {
      void send(sql, parameters, nameOf(sql)); // what fails is in `failure`
      return { rows: [] };
    }),
  };

  try {
    await send('begin');
    const result = await work(pipeline);
    await send('commit');
    if (failure !== undefined) throw failure;
    return result;
  } catch (error) {
    await send('rollback').catch(() => undefined); // a connection that is lost has rolled back
    throw failure ?? error;
  } finally {
    isOver = true;
    client.release();
  }
};

const streamQuery = (): never => {
  throw new Error('rows are not streamed in a pipeline');
};
