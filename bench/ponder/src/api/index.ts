import { db } from 'ponder:api';
import { trade } from 'ponder:schema';
import { Hono } from 'hono';
import { count, desc, eq, sum } from 'ponder';

const app = new Hono();

/** What a reader sees: a token's newest trade, and what there is in all. */
app.get('/newest/:token', async (c) => {
  const token = c.req.param('token') as `0x${string}`;
  const [row] = await db
    .select({ block: trade.block })
    .from(trade)
    .where(eq(trade.token, token))
    .orderBy(desc(trade.time))
    .limit(1);
  return c.json({ block: row?.block ?? 0 });
});
app.get('/total', async (c) => {
  const [row] = await db.select({ trades: count(), grossUsd: sum(trade.grossUsd) }).from(trade);
  return c.json({ trades: Number(row?.trades ?? 0), grossUsd: row?.grossUsd ?? '0' });
});

export default app;
