import { z } from 'zod';
import { base58Addresses } from '../chains/address.ts';
import { limitUpTo, offsetUpTo } from './paging.ts';
import { perFamily } from './perFamily.ts';
import { ShownPlatformId } from './platformId.ts';
import { DecimalText, IsoTime, SentHash, TokenRef } from './scalars.ts';

/** What trades, transfers and activity share: the page of one token, and how amounts are written. */
export const tokenPage = { token_id: TokenRef, limit: limitUpTo(100, 20), offset: offsetUpTo(10_000) };

export const historyDescription =
  'Newest first, by block and log. There is no count: a page shorter than `limit` is the last. Amounts are decimal text ' +
  'in whole units; under `_raw` the same in base units, and for prices and market caps USD with 18 fraction digits.';

/** Digits only. */
export const RawText = z.string().regex(/^-?(0|[1-9][0-9]*)$/);
/** A number in text. */
export const CountText = z.string().regex(/^(0|[1-9][0-9]*)$/);

export const amount = DecimalText.nullable();
export const raw = RawText.nullable();
export const hash = SentHash;
export const wallet = perFamily(z.string().regex(/^0x[0-9a-f]{40}$|^[1-9A-HJ-NP-Za-km-z]{32,44}$/), {
  evm: { type: 'string', pattern: '^0x[0-9a-f]{40}$' },
  solana: { type: 'string', pattern: base58Addresses.pattern.source },
});

/** The id of a pool on Uniswap v4; the address of one that is a contract of its own. */
export const pool = z.union([hash, wallet]);

/** Where on the chain. */
export const eventPlace = {
  chain: z.string().meta({ description: 'Slug of the chain.' }),
  token_address: wallet.meta({ description: 'Contract address of the token.' }),
  platform_id: ShownPlatformId,
  evt_block_number: z.int().meta({ description: 'Block that it is in.' }),
  evt_index: z.int().meta({ description: 'Index of the log in its block.' }),
  evt_block_time: IsoTime.meta({ description: 'Time of that block.' }),
};
