import { type Address, parseBase58Address } from '@mintage/protocol';

/** Another address of 32 bytes that is the same but for the case of one letter. */
export const twinOf = (address: Address): Address => {
  for (const [at, letter] of [...address].entries()) {
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    const twin = parseBase58Address(address.slice(0, at) + other + address.slice(at + 1));
    if (twin !== null && twin !== address) return twin;
  }
  throw new Error(`${address} has no twin.`);
};
