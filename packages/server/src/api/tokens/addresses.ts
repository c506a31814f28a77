import {
  type Address,
  type AddressForm,
  type Chain,
  chainTypeOf,
  chainTypeOfAddress,
  checksumRule,
  families,
  formOf,
  type Hash,
  hasWrongChecksum,
  hexAddresses,
  invalid,
  parseAddress,
  parseAnyAddress,
  parseAnyHash,
} from '@mintage/protocol';
import type { Reading } from './reading.ts';

/** How texts of callers become addresses and hashes, in the form of the chains that they are for. */

type OfFamily = Pick<Chain, 'family'>;
type Served = Pick<Reading, 'chains'>;

/**
 * An address on this chain.
 *
 * @param field - Path of the input field, for the refusal.
 * @throws INVALID_PARAMETERS for text that is no address of the chain's family.
 */
export const addressOn = (chain: OfFamily, text: string, field: string): Address => {
  const address = parseAddress(text, chain);
  if (address === null)
    throw invalid(field, hasWrongChecksum(text) ? checksumRule : families[chain.family].addresses.rule);
  return address;
};

/** An address on any of the served chains; otherwise as `addressOn`. */
export const anyAddress = (served: Served, text: string, field: string): Address => {
  const address = parseAnyAddress(text);
  const forms = formsOf(served);
  if (address !== null && forms.has(formOf(address))) return address;
  throw invalid(field, hasWrongChecksum(text) ? checksumRule : rulesOf(forms, 'rule'));
};

/** Whether an address can be one on this chain. */
export const isOn = (chain: OfFamily, address: Address): boolean => chainTypeOfAddress(address) === chainTypeOf(chain);

/** Those of the served chains. Wallets sign in by hex addresses, also where no chain is served. */
const formsOf = ({ chains }: Served): ReadonlySet<AddressForm> =>
  chains.size === 0
    ? new Set([hexAddresses])
    : new Set([...chains.values()].map(({ chain }) => families[chain.family].addresses));

/**
 * The hash of a transaction on this chain.
 *
 * @param chain - Null: any of the served ones.
 * @throws INVALID_PARAMETERS for text that is none of the chain's family.
 */
export const hashOn = (served: Served, chain: OfFamily | null, text: string, field: string): Hash => {
  const hash = parseAnyHash(text);
  const forms = chain === null ? formsOf(served) : new Set([families[chain.family].addresses]);
  if (hash !== null && forms.has(formOf(hash))) return hash;
  throw invalid(field, rulesOf(forms, 'hashRule'));
};

const rulesOf = (forms: ReadonlySet<AddressForm>, rule: 'rule' | 'hashRule'): string =>
  [...forms].map((form) => form[rule]).join(', or ');
