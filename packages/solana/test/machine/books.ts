import { poolTypeById } from '@mintage/protocol';
import { wellKnown } from '@mintage/protocol/solana';
import type { Launchpad, Person, Token } from './launchpad.ts';

/** What does not add up, a sentence each; empty when every dollar and token has its place. */
export const faultsOf = (
  { machine, feeVaults }: Launchpad,
  tokens: readonly Token[],
  people: readonly Person[],
): string[] => {
  const faults: string[] = [];
  const same = (what: string, held: bigint, owed: bigint): void => {
    if (held !== owed) faults.push(`${what}: ${held} held, ${owed} owed`);
  };
  for (const { places } of tokens) {
    const launch = machine.state('Launch', places.launch);
    same(
      `dollars of ${places.mint}`,
      machine.balance(places.usdVault),
      launch.reserveUsd + launch.floorUsd + launch.treasuryUsd,
    );
    const forPool =
      launch.graduated === 0n ? (poolTypeById(Number(launch.poolType))?.poolTokens ?? 0n) * 10n ** 6n : 0n;
    same(`tokens of ${places.mint}`, machine.balance(places.tokenVault), launch.tokensLeft + forPool);
    same(`supply of ${places.mint}`, supplyOf(machine.account(places.mint).data), 10n ** 15n);
    if (machine.account(places.mint).owner !== wellKnown.token2022) faults.push(`${places.mint} is no mint any more`);
  }
  const credits = people.map(({ user }) => user).filter((user) => machine.account(user).data.length > 0);
  const owed = credits.reduce((sum, user) => sum + machine.state('User', user).creditUsd, 0n);
  const held = feeVaults.reduce((sum, vault) => sum + machine.balance(vault), 0n);
  same('credits', held, owed);
  return faults;
};

const supplyOf = (mint: Uint8Array): bigint => new DataView(mint.buffer, mint.byteOffset).getBigUint64(36, true);
