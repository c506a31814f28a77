import { chainSlugs } from '@mintage/protocol';
import { operations } from '@mintage/protocol/operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, callerWith, hex, startReads } from '../../../test/api/reads/readsFixture.ts';
import { chainWarnings } from './servedChains.ts';

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
});
afterAll(() => reads?.stop());

const caller = callerWith(hex(0x77));
/** Every read whose chains are a plain list, with the rest of its input. */
const plain = {
  getMarketSummary: {},
  getWalletTrades: { wallet: hex(0x77) },
  getUserPnl: {},
  getUserPortfolio: {},
  getUserClaims: {},
  getUserFees: {},
  getUserFeeHistory: {},
} as const;

describe('chainWarnings', () => {
  test.each(Object.entries(plain))(
    'behavior: %s names what matches nothing, and reads the others',
    async (name, input) => {
      const of = (chains?: string[]) => ask(reads.context, name as keyof typeof plain, { ...input, chains }, caller);
      const answer = await of(['base-sepolia', 'bsae', 'mars', 'ethereum']);
      const codes = (answer as { warnings?: { code: string; sentence: string }[] }).warnings;
      expect(codes?.map(({ code }) => code)).toEqual(['CHAIN_UNKNOWN', 'CHAIN_UNKNOWN', 'CHAIN_NOT_SERVED']);
      expect(codes?.[0]?.sentence).toContain('did you mean base?');
      for (const known of [undefined, [], ['base-sepolia', 'BNB']])
        expect(((await of(known)) as { warnings?: unknown }).warnings).toBeUndefined();
    },
  );

  test('behavior: every operation with such a list says so in its answer', () => {
    const listing = operations.filter(({ input }) => {
      const chains = (input as { shape?: Record<string, unknown> }).shape?.chains as
        | { safeParse(x: unknown): { success: boolean } }
        | undefined;
      return chains?.safeParse(['mars']).success === true;
    });
    const names = listing.map(({ name }) => name as string).filter((name) => name !== 'stream');
    expect(names.toSorted()).toEqual([...Object.keys(plain), 'claimRewards'].toSorted());
    for (const { name, output } of listing.filter((one) => one.name !== 'stream'))
      expect((output as { shape?: object }).shape, name).toHaveProperty('warnings');
  });

  test('behavior: opbnb stays taken', () => {
    const [base] = reads.context.chains.values();
    expect(chainWarnings({ chains: new Map([['op-bnb', base as never]]) }, ['opbnb', 'op-bnb'])).toEqual({});
  });

  test('error: a list of chain slugs refuses an unknown one, and names the nearest', async () => {
    await expect(ask(reads.context, 'getTokensV2', { chains: ['base-sepola'] }, null)).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      details: [{ path: 'chains.0', message: expect.stringContaining('did you mean base-sepolia?') }],
    });
    expect(chainSlugs).toContain('base-sepolia');
  });
});
