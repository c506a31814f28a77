import { protocolNames, type VenueKind } from '@mintage/protocol';

type On = { venue: VenueKind | null };

/** Where a trade is made, in the words of the wire. A market in a pool is on a chain with a venue. */
export const venueWord = (where: 'curve' | 'pool', { venue }: On): 'launchpad' | VenueKind =>
  where === 'curve' ? 'launchpad' : requireVenue(venue);

/** The same as `protocol` of a quote says it. */
export const protocolWord = (where: 'curve' | 'pool', { venue }: On) =>
  where === 'curve' ? 'BondingCurve' : protocolNames[requireVenue(venue)];

const requireVenue = (venue: VenueKind | null): VenueKind => {
  if (venue === null) throw new Error('a graduated token is on a chain without a venue');
  return venue;
};
