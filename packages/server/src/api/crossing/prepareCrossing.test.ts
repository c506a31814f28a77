import { chainBySlug } from '@mintage/protocol';
import { describe, expect, it } from 'vitest';
import { priceCrossing } from './prepareCrossing.ts';

/** Between chains with an EVM it is compared with their bridges in `test/api/crossing.test.ts`. */
describe('priceCrossing', () => {
  it('error: from Solana there is no way, whatever the amount, and the sentence says why', async () => {
    const [from, to] = [chainBySlug('solana-devnet'), chainBySlug('base-sepolia')];
    const move = { from: { chain: from, client: { bridge: null } }, to: { chain: to }, amount: 1_000_000n };
    const pricing = priceCrossing(undefined as never, { eid: from.eid } as never, move as never, null);
    await expect(pricing).rejects.toMatchObject({
      code: 'UNSUPPORTED_CHAIN',
      message:
        'There is no way for tokens from solana-devnet to base-sepolia. Between Solana and chains with an EVM no token crosses yet.',
    });
  });
});
