import type { Address } from '@mintage/protocol';
import type { TokenOrigin, TokenText } from '../../chain/bridge.ts';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Step } from '../trade/prepareTrade.ts';
import { noRoute, requireBridge, withReserveUp } from './prepareCrossing.ts';

/** A step that makes a token known on other chains, with its price in native base units. */
export interface Announcement {
  step: Step;
  fees: { chain: ChainContext['chain']['slug']; nativeFee: bigint }[];
  /** Of all messages. */
  nativeFee: bigint;
  /** The `value` of the step; what the messages leave of it returns. */
  nativeFeeMax: bigint;
}

/** As answers say it. */
export const describeFees = ({ fees, nativeFee, nativeFeeMax }: Announcement) => ({
  chains: fees.map(({ chain, nativeFee: ofChain }) => ({ chain, nativeFee: ofChain.toString() })),
  nativeFee: nativeFee.toString(),
  nativeFeeMax: nativeFeeMax.toString(),
});

/**
 * @param token - Of `home`; it need not be created yet.
 * @throws UNSUPPORTED_CHAIN where no open route leads.
 */
export const prepareAnnouncement = async (
  home: ChainContext,
  token: TokenOrigin & TokenText & { address: Address },
  others: readonly ChainContext[],
): Promise<Announcement> => {
  const [first] = others;
  if (first === undefined) throw new Error('an announcement needs a chain');
  const bridge = requireBridge(home, first);
  const eids = others.map(({ chain }) => chain.eid);
  const quoted = await bridge.announceFees(token, eids);
  const fees = others.map(({ chain }, i) => {
    const nativeFee = quoted[i];
    if (nativeFee == null) throw noRoute(home.chain.slug, chain.slug);
    return { chain: chain.slug, nativeFee };
  });
  const nativeFee = fees.reduce((sum, fee) => sum + fee.nativeFee, 0n);
  const nativeFeeMax = withReserveUp(nativeFee);
  const description = `Make ${token.symbol} known on ${others.map(({ chain }) => chain.name).join(', ')}`;
  const step = { ...bridge.announce(token.address, token, eids, nativeFeeMax), description };
  return { step, fees, nativeFee, nativeFeeMax };
};
