import { type Address, chainBySlug, type Slug, toBase58 } from '@mintage/protocol';
import { Subscription } from '@mintage/protocol/operations';
import { describe, expect, it } from 'vitest';
import { callerWith } from '../../../test/api/reads/readsFixture.ts';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { News } from '../../db/news.ts';
import type { Db } from '../../db/serviceTables.ts';
import type { Caller } from '../accounts/caller.ts';
import { filterOf } from './streamFilter.ts';

const hex = `0x${'ab'.repeat(20)}` as const;
const base58: Address = toBase58(new Uint8Array(32).fill(7));
const other: Address = toBase58(new Uint8Array(32).fill(8));
const caller: Caller = { ...callerWith(hex), wallets: [hex, base58] };
const platformId = `0x${'Cd'.repeat(32)}`;

/** Addresses and platform ids need no database. */
const serving = (...slugs: Slug[]) => ({
  db: {} as Db,
  chainNews: {} as News,
  chains: new Map(slugs.map((slug) => [slug as string, { chain: chainBySlug(slug) } as ChainContext])),
});
const both = serving('base', 'solana');
const of = (fields: object) => Subscription.parse(fields);

describe('filterOf', () => {
  it('default: singular and plural together, in the one form of each family, once and sorted', async () => {
    const wallets = [base58, hex.toUpperCase().replace('0X', '0x'), hex];
    const balances = of({ topic: 'walletBalances', wallet: other, wallets, tokenId: ` ${platformId} ` });
    expect(await filterOf(both, balances, caller, '')).toMatchObject({
      wallets: [hex, base58, other].toSorted(),
      tokenIds: [platformId.toLowerCase()],
    });
    const fees = of({ topic: 'walletFees', wallets: [base58], currency: hex, currencies: [other] });
    expect(await filterOf(both, fees, caller, '')).toMatchObject({
      wallets: [base58],
      currencies: [hex, other].toSorted(),
    });
  });

  it('error: an address of a family that is not served, by its path in the request', async () => {
    const subscription = of({ topic: 'walletBalances', wallets: [hex, base58] });
    for (const [at, path] of [
      ['', 'wallets.1'],
      ['subscription.', 'subscription.wallets.1'],
    ] as const)
      await expect(filterOf(serving('base'), subscription, caller, at)).rejects.toMatchObject({
        code: 'INVALID_PARAMETERS',
        message: `${path}: must be an address: 0x and 40 hex digits`,
      });
  });

  it('error: the fees of another wallet', async () => {
    const subscription = of({ topic: 'walletFees', wallet: other });
    await expect(filterOf(both, subscription, caller, '')).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });
});
