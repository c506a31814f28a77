import type { Address, Decimals, PoolType } from '@mintage/protocol';
import type { ProgramEvent, ProgramEventName } from '@mintage/protocol/solana';

/** What an event alone does not say. */
export interface Surroundings {
  /** The deployment's dollar. */
  usd: Address;
  decimals: Decimals;
  /** @throws Error for a mint that the program has not told of. */
  poolTypeOf(mint: Address): PoolType;
  /** The Launch of a mint: the account that holds its curve and its pool. */
  launchOf(mint: Address): Address;
  /** Whose a token account of this transaction is; the account itself where the transaction does not say. */
  ownerOf(tokenAccount: Address): Address;
}

/** How one kind of event stands among those of the program. */
export interface SolanaEvent<Fields> {
  event: ProgramEventName;
  decode(told: ProgramEvent, around: Surroundings): Fields;
}

type Told<Event extends ProgramEventName> = Extract<ProgramEvent, { event: Event }>;

export const solanaEvent = <const Event extends ProgramEventName, Fields extends object>(
  event: Event,
  decode: (told: Told<Event>, around: Surroundings) => Fields,
): SolanaEvent<Fields> => ({ event, decode: (told, around) => decode(told as Told<Event>, around) });
