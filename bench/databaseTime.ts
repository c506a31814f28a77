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

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client, ...args: never[]) {
  const done = (query as (...args: never[]) => unknown).apply(this, args);
  if (done instanceof Promise) {
    begin();
    done.then(end, end);
  }
  return done;
} as typeof query;
