import {
  type Address,
  bytesToHex,
  concat,
  getCreate2Address,
  type Hex,
  hexToBytes,
  keccak256,
  stringToHex,
} from 'viem';
import { creationCodeOf } from './artifact.ts';

/** The keyless CREATE2 proxy (Arachnid's), at the same address on every chain that has it. */
export const create2Proxy: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c';

/** What a Uniswap v4 hook may do is in the low 14 bits of its address; these are the Launchpad's (venues/PoolHook.sol). */
const hookFlags = 0x28cc;
const hookFlagsMask = 0x3fff;

/** The code of solady's CREATE3 proxy: it creates the code that it is called with. */
const create3ProxyHash = keccak256('0x67363d3d37363d34f03d5260086018f3');

/** Grows when contracts change in a way that wants new addresses beside the old ones. */
const generation = 2;

export const saltOf = (name: string): Hex => keccak256(stringToHex(`mintage/${name}/${generation}`));

/** Creation of the factory for one deployer: what to send to the CREATE2 proxy, and where the factory then is. */
export const create3FactoryOf = (deployer: Address): { address: Address; data: Hex } => {
  const salt = saltOf('create3-factory');
  const bytecode = creationCodeOf('Create3Factory', [deployer]);
  const address = getCreate2Address({ from: create2Proxy, salt, bytecode });
  return { address: lower(address), data: concat([salt, bytecode]) };
};

/** The one-use contract between factory and deployed contract: with its nonce 1 it decides the address. */
export const create3ProxyOf = (factory: Address, salt: Hex): Address =>
  lower(getCreate2Address({ from: factory, salt, bytecodeHash: create3ProxyHash }));

/** Where the factory puts a contract; the same as `Create3Factory.addressOf`. */
export const create3AddressOf = (factory: Address, salt: Hex): Address =>
  `0x${keccak256(concat(['0xd694', create3ProxyOf(factory, salt), '0x01'])).slice(26)}`;

/**
 * The first salt, counting from 0, that gives an address with the hook's flags. About 16,000 tries. The Launchpad's on
 * every chain, because tokens trust one address of it everywhere.
 *
 * Written on bytes: the loop of `create3AddressOf` without text.
 */
export const hookSaltOf = (factory: Address): Hex => {
  const known = minedSalts.get(factory);
  if (known !== undefined) return known;
  const mined = mineHookSalt(factory);
  minedSalts.set(factory, mined);
  return mined;
};

/** Pure, but slow enough to remember. */
const minedSalts = new Map<Address, Hex>();

const mineHookSalt = (factory: Address): Hex => {
  const proxyPreimage = hexToBytes(concat(['0xff', factory, `0x${'00'.repeat(32)}`, create3ProxyHash]));
  const preimage = hexToBytes(`0xd694${'00'.repeat(20)}01`);
  const salt = proxyPreimage.subarray(21, 53);
  const counter = new DataView(salt.buffer, salt.byteOffset + 28, 4);
  for (let tries = 0; tries < 2 ** 32; tries++) {
    counter.setUint32(0, tries);
    preimage.set(keccak256(proxyPreimage, 'bytes').subarray(12), 2);
    const [high = 0, low = 0] = keccak256(preimage, 'bytes').subarray(30);
    if ((((high << 8) | low) & hookFlagsMask) === hookFlags) return bytesToHex(salt);
  }
  throw new Error('No hook salt in 2^32 tries.');
};

/** Whether the PoolManager will give a hook at this address exactly the calls that it answers. */
export const hasHookFlags = (address: Address): boolean =>
  (Number.parseInt(address.slice(-4), 16) & hookFlagsMask) === hookFlags;

export const lower = (address: Address): Address => address.toLowerCase() as Address;
