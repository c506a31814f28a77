import { type DevChain, seedAddress, seedTokens } from '@mintage/devnet';
import { encodeOrder } from '@mintage/protocol';
import { type Hex, maxUint256, parseUnits, zeroAddress } from 'viem';

/** Buys a little of a seeded token, and says in which transaction. */
export const buyer = async (chain: DevChain): Promise<() => Promise<Hex>> => {
  const token = seedTokens.find(({ stage }) => stage === 'new');
  if (token === undefined) throw new Error('No seeded token is still on its curve.');
  const { accounts, deployment, wallet } = chain;
  const data = encodeOrder('buyExactIn', {
    token: await seedAddress(chain, token),
    amount: parseUnits('2', deployment.usdDecimals),
    limit: 0n,
    recipient: accounts.bob.address,
    builder: zeroAddress,
    builderBps: 0n,
    referral: zeroAddress,
    deadline: maxUint256,
  });
  return async () => (await wallet.send(accounts.bob, { to: deployment.launchpad, data })).transactionHash;
};
