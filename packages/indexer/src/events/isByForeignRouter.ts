import type { Trade } from './events.ts';

/**
 * Whether a router that is not ours made this swap. Then `trader` is who sent the transaction, who need not be who paid,
 * and `recipient` is the router. The Launchpad books such a swap with nobody else to pay; a pool trade through the
 * Launchpad for somebody else that names no builder, referral or referrer looks the same.
 */
export const isByForeignRouter = ({ venue, trader, recipient, builder, referral, referrer }: Trade): boolean =>
  venue === 'pool' && recipient !== trader && [builder, referral, referrer].every((payee) => BigInt(payee) === 0n);
