import { randomBytes } from 'node:crypto';
import { type Address, type Base58, requireBase58 } from '@mintage/protocol';
import { accountBytes, type Derived, feeVaultIndex, launchpadAddress, textLimits } from '@mintage/protocol/solana';
import type { ChainClient, Creation } from '../../chainClient.ts';
import { isSomebody, type Launchpad, userAddress } from '../launchpad.ts';
import { Draft } from './draft.ts';
import { type Preparing, readFor } from './reading.ts';
import { accountsOf, addTrade, configIn } from './trade.ts';
import { derivationUnits, unitBounds } from './units.ts';

interface TokenPlaces {
  mint: Derived;
  launch: Derived;
  tokenVault: Derived;
  usdVault: Derived;
}

const placesOf = ({ program }: Launchpad, creator: Base58, salt: `0x${string}`): TokenPlaces => {
  const mint = mintOf(program, creator, salt);
  const of = (name: 'launch' | 'tokenVault' | 'usdVault') => launchpadAddress(program, name, { mint: mint.address });
  return { mint, launch: of('launch'), tokenVault: of('tokenVault'), usdVault: of('usdVault') };
};

const mintOf = (program: Base58, creator: Base58, salt: `0x${string}`): Derived =>
  launchpadAddress(program, 'mint', { creator, salt: Uint8Array.from(Buffer.from(salt.slice(2), 'hex')) });

/** `ChainClient.tokenAddress`. */
export const mintAddress = ({ program }: Launchpad, creator: Address, salt: `0x${string}`): Base58 =>
  mintOf(program, requireBase58(creator), salt).address;

/** `ChainClient.newSalt`: of the very first bump the program derives nothing. One salt in four gives two such addresses. */
export const newSalt = (on: Launchpad, creator: Address): `0x${string}` => {
  const key = requireBase58(creator);
  let salt: `0x${string}` = '0x';
  for (let tried = 0; tried < mostTried; tried += 1) {
    salt = `0x${randomBytes(32).toString('hex')}`;
    const mint = mintOf(on.program, key, salt);
    if (mint.bump === firstBump && launchpadAddress(on.program, 'launch', { mint: mint.address }).bump === firstBump)
      return salt;
  }
  return salt;
};
const firstBump = 255;
const mostTried = 64;

/** `ChainClient.create`. */
export const prepareCreation = async (
  { rpc, launchpad: on, now }: Preparing,
  ...[creation, first, voucher]: Parameters<ChainClient['create']>
): ReturnType<ChainClient['create']> => {
  const creator = requireBase58(creation.creator);
  const { mint, launch, tokenVault, usdVault } = placesOf(on, creator, creation.salt);
  const creatorUser = userAddress(on, creator);
  const index = feeVaultIndex(mint.address);
  const people = first === null ? [] : accountsOf(on, first, voucher);
  const referrer = voucher === null ? [] : [userAddress(on, requireBase58(voucher.referrer))];
  const reading = await readFor(rpc, [on.config, creatorUser, ...people, ...referrer], [on.config]);
  const { feeVaults, voucherSigner } = configIn(on, reading);
  const draft = new Draft(creator, on, reading);
  if (voucher !== null) draft.voucher(voucher, voucherSigner);
  const feeVault = openFeeVault(draft, on, creator, feeVaults, index);
  const opensUser = !draft.isOpen(creatorUser) && voucher === null;
  draft.call(
    'create',
    {
      creator,
      creatorUser,
      mint: mint.address,
      launch: launch.address,
      tokenVault: tokenVault.address,
      usdVault: usdVault.address,
    },
    {
      poolType: creation.poolType,
      mintBump: mint.bump,
      launchBump: launch.bump,
      tokenVaultBump: tokenVault.bump,
      usdVaultBump: usdVault.bump,
      deadline: BigInt(creation.deadline),
      salt: creation.salt,
      name: creation.name,
      symbol: creation.symbol,
      uri: creation.uri,
    },
    unitBounds.create +
      [mint, launch].reduce((sum, { bump }) => sum + (bump === firstBump ? 0 : derivationUnits(bump)), 0) +
      (opensUser ? draft.openingUnits(creator) : 0),
  );
  draft.opens(mint.address, accountBytes.mint + textBytes(creation));
  draft.opens(launch.address, accountBytes.launch);
  draft.opens(tokenVault.address, accountBytes.token);
  draft.opens(usdVault.address, accountBytes.token);
  if (opensUser) draft.opens(creatorUser, accountBytes.user);
  if (first !== null)
    addTrade(draft, on, reading, first, voucher, {
      mint: mint.address,
      launch: launch.address,
      tokenVault: tokenVault.address,
      usdVault: usdVault.address,
      creatorUser,
      feeVault,
    });
  return draft.finish(now());
};

const textBytes = (creation: Creation): number =>
  (Object.keys(textLimits) as (keyof typeof textLimits)[]).reduce(
    (sum, text) => sum + Buffer.byteLength(creation[text]),
    0,
  );

/** The vault that the token's fees go to, opened by whoever is the first to need it. */
const openFeeVault = (
  draft: Draft,
  { program }: Launchpad,
  payer: Base58,
  feeVaults: readonly Base58[],
  index: number,
): Base58 => {
  const known = feeVaults[index] as Base58;
  if (isSomebody(known)) return known;
  const { address: feeVault, bump } = launchpadAddress(program, 'feeVault', { index: Uint8Array.of(index) });
  draft.call('openFeeVault', { payer, feeVault }, { index }, unitBounds.openFeeVault + derivationUnits(bump));
  draft.opens(feeVault, accountBytes.token);
  return feeVault;
};
