import type { Address, Hex } from 'viem';
import type { ChainContext } from '../../../src/chain/chainContext.ts';
import { makeMonths } from '../../../src/db/months.ts';
import { hex, tokenRow, tradeRow } from '../reads/readsFixture.ts';
import { type SignedIn, type TestApi, testApi, testChain } from '../testing/testApi.ts';

/** For the tests of referral codes: an API on its own database that serves a mainnet and a test chain, both final to block 100. */
export interface ReferralsWorld extends TestApi {
  /** A new user whose wallet traded this many whole dollars in final blocks. */
  trader(dollars: Partial<Record<Slug, bigint>>): Promise<SignedIn>;
  /** A trade in block 101 or another, as the index books it. */
  trade(slug: Slug, wallet: Address, dollars: bigint, block?: number): Promise<void>;
}

type Slug = 'base' | 'bnb' | 'base-sepolia';
export const finalBlock = 100;

/** @param rpcUrl - Provider of Base; absent: it is away, as those of the other chains. */
export const startReferrals = async ({
  rpcUrl = 'http://127.0.0.1:1',
  voucherKey,
}: {
  rpcUrl?: string;
  voucherKey?: Hex;
} = {}): Promise<ReferralsWorld> => {
  const served = [
    testChain('base', rpcUrl),
    testChain('bnb', 'http://127.0.0.1:1', { usdDecimals: 18 }),
    testChain('base-sepolia', 'http://127.0.0.1:1'),
  ];
  const api = await testApi({ chains: served, voucherKey, env: { APP_URL: 'https://app.example' } });
  const { db, chains } = api.context;
  await db
    .insertInto('chain')
    .values(
      [...chains.values()].map(({ chain, deployment }) => ({
        eid: chain.eid,
        slug: chain.slug,
        usd: deployment.usd,
        usd_decimals: deployment.usdDecimals,
        launchpad: deployment.launchpad,
        pool_manager: null,
        indexed: 110,
        finalized: finalBlock,
      })),
    )
    .execute();

  const book = async (slug: Slug, wallet: Address, dollars: bigint): Promise<void> => {
    const { chain, deployment } = chains.get(slug) as ChainContext;
    const usd = dollars * 10n ** BigInt(deployment.usdDecimals);
    const at = new Date('2026-01-01T00:00:00Z');
    await db
      .insertInto('trader')
      .values({
        eid: chain.eid,
        wallet,
        volume_usd: usd,
        trades: 1,
        first_trade_at: at,
        last_trade_at: at,
      })
      .onConflict((conflict) =>
        conflict.columns(['eid', 'wallet']).doUpdateSet((eb) => ({
          volume_usd: eb('trader.volume_usd', '+', usd),
        })),
      )
      .execute();
  };
  let logIndex = 0;
  return {
    ...api,
    async trader(dollars) {
      const user = await api.signIn();
      for (const [slug, amount] of Object.entries(dollars)) await book(slug as Slug, user.address, amount);
      return user;
    },
    async trade(slug, wallet, dollars, block = finalBlock + 1) {
      await book(slug, wallet, dollars);
      const decimals = BigInt((chains.get(slug) as ChainContext).deployment.usdDecimals);
      const row = tradeRow(tokenRow(slug, hex(1)), block, logIndex++, {
        trader: wallet,
        recipient: wallet,
        gross_usd: dollars * 10n ** decimals,
      });
      await makeMonths(db, [row.time]);
      await db.insertInto('trade').values(row).execute();
    },
  };
};
