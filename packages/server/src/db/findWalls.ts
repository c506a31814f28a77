import { type Address, type Deployment, type Eid, fixedWall } from '@mintage/protocol';
import type { Kysely } from 'kysely';
import { type Database } from './chainTables.ts';
import type { SignerDatabase } from './signerTables.ts';

interface OnChain {
  eid: Eid;
  deployment: Deployment;
}

/**
 * Which of these addresses keep what is sent to them, and what each is, as `walls.ts` says it: by their form, by the
 * deployment, and by the tokens and pools of the index.
 */
export const findWalls = async (
  db: Kysely<SignerDatabase>,
  { eid, deployment }: OnChain,
  addresses: readonly Address[],
): Promise<Map<Address, string>> => {
  const walls = new Map<Address, string>();
  for (const address of addresses) {
    const wall = fixedWall(address, deployment);
    if (wall !== null) walls.set(address, wall);
  }
  const open = addresses.filter((address) => !walls.has(address));
  if (open.length === 0) return walls;
  const on = db.withTables<Pick<Database, 'token' | 'remote_token'>>();
  const rows = await on
    .selectFrom('token')
    .select(['address as wall', 'symbol'])
    .where('eid', '=', eid)
    .where('address', 'in', open)
    .unionAll(
      on
        .selectFrom('remote_token')
        .select(['address as wall', 'symbol'])
        .where('eid', '=', eid)
        .where('address', 'in', open),
    )
    .execute();
  const pools = await on
    .selectFrom('token')
    .select(['pool_id', 'symbol'])
    .where('pool_id', 'in', open)
    .where('eid', '=', eid)
    .execute();
  for (const { wall, symbol } of rows) walls.set(wall, `the token ${symbol} itself`);
  for (const { pool_id: pool, symbol } of pools) if (pool !== null) walls.set(pool, `the pool of ${symbol}`);
  return walls;
};
