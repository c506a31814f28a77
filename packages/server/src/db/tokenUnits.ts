import { chains, tokenDecimalsOf } from '@mintage/protocol';
import { type RawBuilder, sql } from 'kysely';

const eids = chains.map(({ eid }) => eid);
const units = chains.map((chain) => (10n ** BigInt(tokenDecimalsOf(chain))).toString());

/** Base units of one whole token of the chain whose endpoint id an expression says; null where that is null. */
export const tokenUnitAt = (eid: RawBuilder<unknown>): RawBuilder<bigint | null> =>
  sql`(${units}::numeric[])[array_position(${eids}::bigint[], ${eid})]`;
