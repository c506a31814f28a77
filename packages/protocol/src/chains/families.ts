/**
 * Kinds of chains that differ in addresses, transactions and reads. `type` is the family's word on the wire (`GET /chains`,
 * `chainType`): `eravm` has an EVM interpreter on another machine, so callers treat it as `evm`. A local chain of such a
 * slug is a plain EVM in its place.
 */
export const families = {
  evm: { type: 'evm' },
  eravm: { type: 'evm' },
  solana: { type: 'solana' },
} as const satisfies Record<string, { type: string }>;

export type Family = keyof typeof families;
export type ChainType = (typeof families)[Family]['type'];

/** The chain's `type` on the wire. */
export const chainTypeOf = ({ family }: { family: Family }): ChainType => families[family].type;
