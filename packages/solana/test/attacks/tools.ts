import { createHash } from 'node:crypto';
import { toBase58 } from '@mintage/protocol';
import { instructions, joinBytes, keyBytes, programErrorOf } from '@mintage/protocol/solana';
import {
  AccountRole,
  type Address,
  address,
  type Instruction,
  isOffCurveAddress,
  type KeyPairSigner,
} from '@solana/kit';
import { forever, Launchpad, type Person, type Token } from '../machine/launchpad.ts';
import { base58, derive, Machine, programAddress, type Sent } from '../machine/machine.ts';

/** What the attacks have in common. */

export const errorOf = ({ error }: Sent): string | undefined => (error === null ? 'none' : programErrorOf(error));
export const usd = (dollars: number): bigint => BigInt(dollars) * 1_000_000n;
export const nobody = toBase58(new Uint8Array(32));

export const lamportsOf = ({ svm }: Machine, at: string): bigint => svm.getBalance(address(at)) ?? 0n;
export const rentOf = (machine: Machine, at: string): bigint =>
  machine.svm.minimumBalanceForRentExemption(BigInt(machine.account(at).data.length));

/** The instruction with another account in the place of one, in its role or another. */
export const put = (
  name: keyof typeof instructions,
  instruction: Instruction,
  place: string,
  by: Address,
  role?: AccountRole,
): Instruction => {
  const at = instructions[name].accounts.findIndex((account) => account.name === place);
  const accounts = [...(instruction.accounts ?? [])];
  const right = accounts[at];
  if (right === undefined) throw new Error(`${name} has no ${place}.`);
  return { ...instruction, accounts: accounts.with(at, { address: by, role: role ?? right.role }) };
};
/** With one byte of its data changed. */
export const patch = (instruction: Instruction, at: number, value: number): Instruction => ({
  ...instruction,
  data: Uint8Array.from(instruction.data ?? [], (byte, index) => (index === at ? value : byte)),
});

export const initOf = (machine: Machine, payer: Address, dollarMint: string, places: Record<string, string> = {}) =>
  machine.instruction(
    'init',
    { payer, dollarMint, ...places },
    {
      treasury: base58(payer),
      voucherSigner: base58(payer),
      owner: base58(payer),
      allowsTest: 0,
      timelockSeconds: 172_800n,
    },
  );
export const dollar = (): Uint8Array => {
  const mint = new Uint8Array(82);
  mint[44] = 6;
  mint[45] = 1;
  return mint;
};

/** The program's address of these seeds with this bump; null where there is none, because a key could sign for it. */
export const addressOf = (seeds: Uint8Array[], bump: number): Address | null => {
  const parts = [...seeds, Uint8Array.of(bump), keyBytes(base58(programAddress)), Buffer.from('ProgramDerivedAddress')];
  const found = address(
    toBase58(
      createHash('sha256')
        .update(joinBytes(...parts))
        .digest(),
    ),
  );
  return isOffCurveAddress(found) ? found : null;
};

/** A creation whose mint may be elsewhere than it has to; what derives from it does. */
export const creationAt = async (
  machine: Machine,
  creator: KeyPairSigner,
  dollarMint: string,
  { salt, mint, mintBump }: { salt: Uint8Array; mint: Address; mintBump: number },
) => {
  const mintKey = base58(mint);
  const [launch, launchBump] = await derive('launch', { mint: mintKey });
  const [tokenVault, tokenVaultBump] = await derive('tokenVault', { mint: mintKey });
  const [usdVault, usdVaultBump] = await derive('usdVault', { mint: mintKey });
  const [creatorUser] = await derive('user', { wallet: base58(creator.address) });
  const places: Record<string, string> = { mint, launch, tokenVault, usdVault, creatorUser };
  const instruction = machine.instruction(
    'create',
    { ...places, dollarMint, creator: creator.address },
    {
      poolType: 7,
      mintBump,
      launchBump,
      tokenVaultBump,
      usdVaultBump,
      deadline: forever,
      salt: `0x${Buffer.from(salt).toString('hex')}`,
      name: 'Paper Boat',
      symbol: 'BOAT',
      uri: 'ipfs://boat',
    },
  );
  return { places, instruction };
};
export const creationBy = async (machine: Machine, creator: KeyPairSigner, dollarMint: string) => {
  const salt = new Uint8Array(32);
  const [mint, mintBump] = await derive('mint', { creator: base58(creator.address), salt });
  return creationAt(machine, creator, dollarMint, { salt, mint, mintBump });
};

export const sellAll = async (launchpad: Launchpad, token: Token, trader: Person): Promise<Instruction> => {
  const amount = launchpad.machine.balance(await launchpad.tokensOf(token, trader));
  return launchpad.order(token, trader, { kind: 'sellExactIn', amount });
};
