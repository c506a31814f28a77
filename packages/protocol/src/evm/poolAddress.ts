import { encodeAbiParameters, getCreate2Address, type Hex, keccak256, stringToHex } from 'viem';
import type { ExchangeV3 } from '../chains/chains.ts';
import { tierFeeV3 } from '../maths/pool/swap.ts';

const pair = [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }] as const;
const eraParts = [
  { type: 'bytes32' },
  { type: 'address' },
  { type: 'bytes32' },
  { type: 'bytes32' },
  { type: 'bytes32' },
] as const;
const eraCreate2 = keccak256(stringToHex('zksyncCreate2'));

/** Where the exchange has, or will have, this pair's pool, lower case. Source: PoolV3.addressOf. */
export const poolAddressOf = (exchange: ExchangeV3, usd: Hex, token: Hex): Hex => {
  const { deployer: from, poolCodeHash: bytecodeHash, isEra } = exchange;
  const [first, second] = usd < token ? [usd, token] : [token, usd];
  const salt = keccak256(encodeAbiParameters(pair, [first, second, tierFeeV3]));
  const address = isEra
    ? eraAddress(encodeAbiParameters(eraParts, [eraCreate2, from, salt, bytecodeHash, keccak256('0x')]))
    : getCreate2Address({ from, salt, bytecodeHash });
  return address.toLowerCase() as Hex;
};

const eraAddress = (preimage: Hex): Hex => `0x${keccak256(preimage).slice(26)}`;
