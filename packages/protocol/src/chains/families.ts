/**
 * Kinds of chains that differ in addresses, transactions and reads. `type` is the word of the wire for it (`GET /chains`,
 * `chainType`), `addressType` that of a token's addresses. `eravm` has an EVM interpreter on another machine, so callers
 * treat it as `evm`; a local chain of such a slug is a plain EVM in its place.
 */
export const families = {
  evm: { type: 'evm', addressType: 'evm' },
  eravm: { type: 'evm', addressType: 'evm' },
  solana: { type: 'solana', addressType: 'sol' },
} as const satisfies Record<string, { type: string; addressType: string }>;

export type Family = keyof typeof families;
export type ChainType = (typeof families)[Family]['type'];

/** The chain's `type` on the wire. */
export const chainTypeOf = ({ family }: { family: Family }): ChainType => families[family].type;
