import type { ChainSlug } from '@mintage/protocol';
import { sql } from 'kysely';
import type { Context } from '../context.ts';

export type NetworkMode = 'mainnet' | 'testnet' | 'both';

/** A user with all of his wallets, or a wallet that belongs to no user. USD with 18 fraction digits. */
export interface Earner {
  userId: string | null;
  /** The user's sign-in wallet, or the wallet itself. */
  address: string;
  earned18: bigint;
  /** Where it was earned, most first. */
  chains: { slug: ChainSlug; earned18: bigint }[];
}

/**
 * Everyone who was ever credited on chains of this kind, most first, ties by address; treasuries do not take part.
 * `total` counts all of them.
 */
export const readEarners = async (
  { db, chains }: Context,
  networkMode: NetworkMode,
  limit: number,
  offset: number,
): Promise<{ page: Earner[]; total: number }> => {
  const counted = [...chains.values()].filter(
    ({ chain }) => networkMode === 'both' || chain.testnet === (networkMode === 'testnet'),
  );
  const slugs = new Map(counted.map(({ chain }) => [chain.chainId, chain.slug]));
  const ids = counted.map(({ chain }) => chain.chainId);
  const scales = counted.map(({ deployment }) => (10n ** BigInt(18 - deployment.usdDecimals)).toString());
  const { rows } = await sql<EarnerRow>`
    with credited as (
      select coalesce(w.user_id::text, b.recipient) as who, w.user_id, b.recipient, b.chain_id, b.earned * s.scale as earned18
      from unnest(${ids}::bigint[], ${scales}::numeric[]) as s(chain_id, scale)
      join fee_balance b on b.chain_id = s.chain_id
      join chain c on c.chain_id = b.chain_id
      left join user_wallet w on w.address = b.recipient
      where b.earned > 0 and b.recipient is distinct from c.treasury
    ), earner as (
      select who, user_id, min(recipient) as recipient, sum(earned18) as earned18 from credited group by who, user_id
    ), page as (
      select * from earner order by earned18 desc, who limit ${limit} offset ${offset}
    ), line as (
      select page.who, page.user_id, page.recipient, page.earned18, credited.chain_id, sum(credited.earned18) as chain_earned18
      from page join credited on credited.who = page.who
      group by page.who, page.user_id, page.recipient, page.earned18, credited.chain_id
    )
    select n.total, line.*,
      (select address from user_wallet u where u.user_id = line.user_id order by created_at, address limit 1) as sign_in
    from (select count(*) as total from earner) n left join line on true
    order by line.earned18 desc, line.who, line.chain_earned18 desc, line.chain_id`.execute(db);

  const page = Map.groupBy(rows.filter(isLine), ({ who }) => who);
  return {
    total: rows[0]?.total ?? 0,
    page: [...page.values()].flatMap((lines) => {
      const [first] = lines;
      if (!first) return [];
      const perChain = lines.flatMap(({ chain_id, chain_earned18 }) => {
        const slug = slugs.get(chain_id);
        return slug ? [{ slug, earned18: chain_earned18 }] : [];
      });
      return [
        {
          userId: first.user_id,
          address: first.sign_in ?? first.recipient,
          earned18: first.earned18,
          chains: perChain,
        },
      ];
    }),
  };
};

/** One earner on one chain. */
interface Line {
  total: number;
  who: string;
  user_id: string | null;
  recipient: string;
  sign_in: string | null;
  earned18: bigint;
  chain_id: number;
  chain_earned18: bigint;
}

/** A page beyond the end is one row that only counts. */
type EarnerRow = Line | { [Key in keyof Line]: Key extends 'total' ? number : null };

const isLine = (row: EarnerRow): row is Line => row.who !== null;
