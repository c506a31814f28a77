import { type Address, type AddressForm, base58Addresses, formOf, hexAddresses, parseAs } from './address.ts';

/** The facts by which families of chains differ. What a server does differently is in its `families.ts`. */
interface FamilyFacts {
  /** The word of the wire for it (`GET /chains`, `chainType`). */
  type: string;
  /** The word of the wire for its tokens' addresses. */
  addressType: string;
  addresses: AddressForm;
  /** Decimals of its tokens' base units. */
  tokenDecimals: number;
  /** What a local chain in the place of one of its chains is; null: one like it. */
  standIn: string | null;
  /** What its chains run on, where the stand-in does not; null: the same. */
  machine: string | null;
}

/**
 * `eravm` has an EVM interpreter on another machine, so callers treat it as `evm`; a local chain of such a slug is a plain EVM
 * in its place.
 */
export const families = {
  evm: {
    type: 'evm',
    addressType: 'evm',
    addresses: hexAddresses,
    tokenDecimals: 18,
    standIn: 'A local EVM chain',
    machine: null,
  },
  eravm: {
    type: 'evm',
    addressType: 'evm',
    addresses: hexAddresses,
    tokenDecimals: 18,
    standIn: 'A plain EVM chain',
    machine: 'EraVM',
  },
  solana: {
    type: 'solana',
    addressType: 'sol',
    addresses: base58Addresses,
    tokenDecimals: 6,
    standIn: null,
    machine: null,
  },
} as const satisfies Record<string, FamilyFacts>;

export type Family = keyof typeof families;
export type ChainType = (typeof families)[Family]['type'];

type OfFamily = { family: Family };

/** The chain's `type` on the wire. */
export const chainTypeOf = ({ family }: OfFamily): ChainType => families[family].type;

/** Decimals of the chain's tokens. A token crosses only between chains that have the same. */
export const tokenDecimalsOf = ({ family }: OfFamily): number => families[family].tokenDecimals;

/** The chain's address that a text means, in its one form; null when it is none. */
export const parseAddress = (text: string, { family }: OfFamily): Address | null =>
  parseAs(families[family].addresses, text);

/** Families of one form have one word. */
const typeOfForm: ReadonlyMap<AddressForm, ChainType> = new Map(
  Object.values(families).map(({ addresses, type }) => [addresses, type]),
);

/** The `type` of the chains on which an address may be. */
export const chainTypeOfAddress = (address: Address): ChainType => typeOfForm.get(formOf(address)) as ChainType;
