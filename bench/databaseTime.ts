import pg from 'pg';

/** How long at least one statement was with the database since this was loaded: from sending it until its rows are read. */
export const databaseMs = (): number => total + (underWay > 0 ? performance.now() - since : 0);

let total = 0;
let underWay = 0;
let since = 0;

const begin = (): void => {
  if (underWay === 0) since = performance.now();
  underWay += 1;
};
const end = (): void => {
  underWay -= 1;
  if (underWay === 0) total += performance.now() - since;
};

const { query } = pg.Client.prototype as { query: (...args: unknown[]) => unknown };
/** Our own client asks with a callback. */
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const at = args.findIndex((one) => typeof one === 'function');
  if (at >= 0) {
    const done = args[at] as (...result: unknown[]) => void;
    begin();
    const told = (...result: unknown[]): void => {
      end();
      done(...result);
    };
    args[at] = told;
  }
  return query.apply(this, args);
} as typeof pg.Client.prototype.query;
