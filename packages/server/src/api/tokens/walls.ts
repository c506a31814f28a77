import { type Address, MintageError, parseAnyAddress } from '@mintage/protocol';
import type { Warning } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import { findWalls } from '../../db/findWalls.ts';
import type { Db } from '../../db/serviceTables.ts';
import { Remembered } from '../wire/remembered.ts';

/**
 * The judge of recipients: every field that receives something is judged here, and once more by the signer.
 * docs/decisions/0093-recipients.md
 */

/** An address of the input, as a recipient. */
export interface NamedRecipient {
  address: Address;
  /** Path of the input field, for the refusal. */
  field: string;
}

export type AcknowledgedRecipient = { recipient?: string | undefined } | undefined;
type OnChain = Pick<ChainContext, 'chain' | 'deployment'>;

/** Known walls by address (`findWalls`), each remembered for a minute: a trade must not cost a query for its builder. */
export interface Walls {
  /** What this address is a wall of, as `fixedWall` says it; null: none. */
  at(served: OnChain, address: Address): Promise<string | null>;
}

export interface Judging {
  walls: Walls;
}

interface Owner {
  wallets: readonly Address[];
}

const rememberedMs = 60_000;
const mostRemembered = 50_000;

export const createWalls = (db: Db, now: () => number): Walls => {
  const known = new Remembered<string | null>(mostRemembered, now);
  return {
    async at({ chain: { eid }, deployment }, address) {
      const key = `${eid} ${address}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const wall = (await findWalls(db, { eid, deployment }, [address])).get(address) ?? null;
      known.set(key, wall, now() + rememberedMs);
      return wall;
    },
  };
};

/**
 * For addresses that a transaction credits, or that sign it themselves: whatever is a wall by its form, the deployment or
 * the index is refused.
 *
 * @param caller - The recipients that are its own wallets are fine: their keys signed.
 * @throws MintageError UNSAFE_RECIPIENT.
 */
export const refuseWalls = async (
  { walls }: Judging,
  served: OnChain,
  caller: Owner,
  recipients: readonly NamedRecipient[],
  acknowledge?: AcknowledgedRecipient,
): Promise<void> => {
  for (const { address, field } of recipients) {
    if (caller.wallets.includes(address)) continue;
    const wall = await walls.at(served, address);
    if (wall !== null) requireAcknowledged({ address, field }, wall, acknowledge);
  }
};

/** @throws MintageError UNSAFE_RECIPIENT unless the caller named this very address. */
export const requireAcknowledged = (
  { address, field }: NamedRecipient,
  wall: string,
  acknowledge: AcknowledgedRecipient,
): Warning => {
  const named = acknowledge?.recipient;
  if (named !== undefined && parseAnyAddress(named) === address)
    return {
      code: 'RECIPIENT_KEEPS_IT',
      sentence: `${address} is ${wall}: what arrives there stays there, as acknowledged.`,
    };
  throw unsafeRecipient({ address, field }, wall);
};

const unsafeRecipient = ({ address, field }: NamedRecipient, wall: string): MintageError => {
  const message = `${address} is ${wall}, and nothing that is sent there can be got out again`;
  return new MintageError('UNSAFE_RECIPIENT', `${field}: ${message}`, { details: [{ path: field, message }] });
};
