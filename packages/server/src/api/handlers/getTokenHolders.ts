import { type Eid, formatUnits, formatUsd18, valueUsd18Down } from '@mintage/protocol';
import { definitions, totalPage } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { decimalsOf } from '../../chain/servedChain.ts';
import type { Row } from '../../db/chainTables.ts';
import type { Db } from '../../db/serviceTables.ts';
import type { Paging } from '../reads/tokenEvents.ts';
import { livingOn } from '../tokens/registrations.ts';
import { servedChains } from '../tokens/servedChains.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import type { KnownToken } from '../tokens/tokenRef.ts';
import { percentOfSupply } from '../wire/decimals.ts';
import { handler } from './handler.ts';

export const getTokenHolders = handler(
  definitions.getTokenHolders,
  async (context, { token_id, ...page }, { caller }) => {
    const { token, served } = await requireServedToken(context, token_id);
    const decimals = decimalsOf(served);
    const chains = servedChains(context);
    const eids = livingOn(token).filter((eid) => chains.has(eid));
    const rows = await largestBalances(context.db, token, eids, page);
    const elsewhere = token.registrations.filter(({ eid }) => chains.has(eid));
    return {
      success: true,
      holders: rows.map(({ eid, wallet, amount, first_acquired, cost_usd, unpriced_tokens }, index) => ({
        rank: page.offset + index + 1,
        chain: chains.get(eid)?.chain.slug ?? served.chain.slug,
        wallet,
        balance: formatUnits(amount, decimals.token),
        balance_raw: amount.toString(),
        share_pct: percentOfSupply(amount, decimals.token),
        value_usd: formatUsd18(valueUsd18Down(amount, token.price_usd18, decimals.token)),
        first_acquired: first_acquired.toISOString(),
        is_creator: wallet === token.creator,
        cost_usd:
          caller?.wallets.includes(wallet) && unpriced_tokens === 0n ? formatUnits(cost_usd, decimals.usd) : null,
      })),
      pagination: totalPage(
        page,
        elsewhere.reduce((sum, { holders }) => sum + holders, token.holders),
      ),
    };
  },
);

/** Over these chains, each along its own index and no further than the end of the page. */
const largestBalances = async (
  db: Db,
  { address }: KnownToken,
  eids: readonly Eid[],
  { limit, offset }: Paging,
): Promise<Row<'balance'>[]> => {
  const onEach = eids.map(
    (eid) => sql`(select * from balance where eid = ${eid} and token = ${address} and amount > 0
      order by amount desc, wallet limit ${limit + offset})`,
  );
  const { rows } = await sql<Row<'balance'>>`select * from (${sql.join(onEach, sql` union all `)}) as held
    order by amount desc, wallet, eid limit ${limit} offset ${offset}`.execute(db);
  return rows;
};
