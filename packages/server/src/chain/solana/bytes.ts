/** Bytes of `0x` and hex digits, which is how calls carry them. */
export const bytesOf = (hex: `0x${string}`): Uint8Array => new Uint8Array(Buffer.from(hex.slice(2), 'hex'));

export const hexOf = (bytes: Uint8Array): `0x${string}` => `0x${Buffer.from(bytes).toString('hex')}`;
