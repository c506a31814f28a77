import { chainBySlug } from '@mintage/protocol';

/** Keys of the chains on which tests have rows. */
export const eids = {
  ethereum: chainBySlug('ethereum').eid,
  base: chainBySlug('base').eid,
  bnb: chainBySlug('bnb').eid,
  baseSepolia: chainBySlug('base-sepolia').eid,
  unichainTestnet: chainBySlug('unichain-testnet').eid,
};
