import type { DevChain } from '@mintage/devnet';
import { encodeCreate, encodeOrder, launchpadAbi } from '@mintage/protocol';
import { createReader } from '@mintage/sdk';
import { type Hex, maxUint256, numberToHex, parseEventLogs, parseUnits, zeroAddress } from 'viem';

const nobody = { builder: zeroAddress, builderBps: 0n, referral: zeroAddress, deadline: maxUint256 };

/** Address of a seeded token. @param slug - Of the token. */
export const addressOf = async (url: string, slug: string): Promise<Hex> =>
  (await createReader({ baseUrl: url }).getTokenAbout({ token_id: slug })).token.primary_evm_address as Hex;

/** @param limit - The least that has to come of it, base units. */
export const buyCall = ({ deployment }: DevChain, token: Hex, recipient: Hex, usd: number, limit = 0n) => ({
  to: deployment.launchpad,
  data: encodeOrder('buyExactIn', {
    token,
    amount: parseUnits(String(usd), deployment.usdDecimals),
    limit,
    recipient,
    ...nobody,
  }),
});

/** A token in its first second, by carol. */
export const newToken = async (chain: DevChain): Promise<Hex> => {
  const data = encodeCreate({
    name: 'Fiddlehead',
    symbol: 'FERN',
    uri: '',
    salt: numberToHex(Date.now(), { size: 32 }),
    poolType: 7,
    deadline: maxUint256,
  });
  const { logs } = await chain.wallet.send(chain.accounts.carol, { to: chain.deployment.launchpad, data });
  const [created] = parseEventLogs({
    abi: launchpadAbi,
    eventName: 'TokenCreated',
    logs: logs as unknown as Parameters<typeof parseEventLogs>[0]['logs'],
  });
  return (created as unknown as { args: { token: Hex } }).args.token;
};
