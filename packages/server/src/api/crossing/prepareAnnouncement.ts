import { type Address, type Chain, type ChainSlug, MintageError } from '@mintage/protocol';
import type { Warning } from '@mintage/protocol/operations';
import type { Bridge, TokenOrigin, TokenText } from '../../chain/bridge.ts';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Step } from '../trade/prepareTrade.ts';
import { noRoute, requireBridge, withReserveUp } from './prepareCrossing.ts';

type AnnouncedToken = TokenOrigin & TokenText & { address: Address };

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
  token: AnnouncedToken,
  others: readonly ChainContext[],
): Promise<Announcement> => {
  const [first] = others;
  if (first === undefined) throw new Error('an announcement needs a chain');
  const bridge = requireBridge(home, first);
  const quoted = await bridge.announceFees(
    token,
    others.map(({ chain }) => chain.eid),
  );
  const priced = others.map(({ chain }, i) => {
    const nativeFee = quoted[i];
    if (nativeFee == null) throw noRoute(home.chain.slug, chain.slug);
    return { chain, nativeFee };
  });
  return announcementOf(bridge, token, priced);
};

/** What a creation does about the chains that its token is to be on. */
export interface Destinations {
  /** Null: none of them can be reached. */
  announcement: Announcement | null;
  /** One for each that cannot be reached. */
  warnings: Warning[];
}

/** Prices the message to each chain that can be reached from the token's home. The others stop nothing. */
export const prepareDestinations = async (
  chains: ReadonlyMap<string, ChainContext>,
  home: ChainContext,
  token: AnnouncedToken,
  slugs: readonly ChainSlug[],
): Promise<Destinations> => {
  const warnings: Warning[] = [];
  const miss = (slug: ChainSlug, why: string): void => {
    const sentence = `The token is not deployed on ${slug}: ${why} Anyone can do it later, by \`/register-token\`.`;
    warnings.push({ code: 'DESTINATION_UNREACHABLE', sentence });
  };
  const served: ChainContext[] = [];
  for (const slug of slugs) {
    const other = chains.get(slug);
    if (other === undefined) miss(slug, 'this service does not serve it.');
    else served.push(other);
  }
  const { bridge } = home.client;
  const eids = served.map(({ chain }) => chain.eid);
  const quoted = bridge === null || eids.length === 0 ? [] : await feesOr(bridge.announceFees(token, eids));
  const priced = served.flatMap(({ chain }, i) => {
    const nativeFee = quoted instanceof MintageError ? null : quoted[i];
    if (nativeFee != null) return [{ chain, nativeFee }];
    miss(
      chain.slug,
      quoted instanceof MintageError ? `${quoted.message}.` : noRoute(home.chain.slug, chain.slug).message,
    );
    return [];
  });
  return {
    announcement: bridge === null || priced.length === 0 ? null : announcementOf(bridge, token, priced),
    warnings,
  };
};

/** A chain that does not answer for once must not cost the creation. */
const feesOr = <T>(fees: Promise<T>): Promise<T | MintageError> =>
  fees.catch((error: unknown) => {
    if (error instanceof MintageError) return error;
    throw error;
  });

const announcementOf = (
  bridge: Bridge,
  token: AnnouncedToken,
  priced: readonly { chain: Chain; nativeFee: bigint }[],
): Announcement => {
  const nativeFee = priced.reduce((sum, fee) => sum + fee.nativeFee, 0n);
  const nativeFeeMax = withReserveUp(nativeFee);
  const description = `Make ${token.symbol} known on ${priced.map(({ chain }) => chain.name).join(', ')}`;
  const eids = priced.map(({ chain }) => chain.eid);
  const step = { ...bridge.announce(token.address, token, eids, nativeFeeMax), description };
  const fees = priced.map(({ chain, nativeFee: ofChain }) => ({ chain: chain.slug, nativeFee: ofChain }));
  return { step, fees, nativeFee, nativeFeeMax };
};
