import { joinBytes, keyBytes, wellKnown } from '@mintage/protocol/solana';
import { address, type Instruction, type KeyPairSigner, signBytes } from '@solana/kit';
import type { Launchpad, Person } from './launchpad.ts';
import { base58, programAddress } from './machine.ts';

/** What the voucher signer signs: domain, program, dollar, user, referrer, deadline. */
export const voucherMessage = (
  { dollarMint }: Launchpad,
  user: Person,
  referrer: Person,
  deadline: bigint,
): Uint8Array => {
  const time = new Uint8Array(8);
  new DataView(time.buffer).setBigInt64(0, deadline, true);
  const keys = [programAddress, dollarMint, user.wallet, referrer.wallet].map((one) => keyBytes(base58(one)));
  return joinBytes(new TextEncoder().encode('mintage voucher1'), ...keys, time);
};

/**
 * An instruction of the Ed25519 program with one signature whose parts all lie in itself.
 *
 * @param signer - Whose key it names.
 * @param by - Who really signs, when that is somebody else.
 */
export const ed25519Instruction = async (
  signer: KeyPairSigner,
  message: Uint8Array,
  by: KeyPairSigner = signer,
): Promise<Instruction> => {
  const header = Buffer.alloc(16);
  header[0] = 1;
  [48, 0xffff, 16, 0xffff, 112, message.length, 0xffff].forEach((value, at) => header.writeUInt16LE(value, 2 + 2 * at));
  const signature = await signBytes(by.keyPair.privateKey, message);
  const data = joinBytes(header, keyBytes(base58(signer.address)), signature, message);
  return { programAddress: address(wellKnown.ed25519), data };
};

export const signVoucher = (
  launchpad: Launchpad,
  user: Person,
  referrer: Person,
  deadline: bigint,
): Promise<Instruction> =>
  ed25519Instruction(launchpad.voucherSigner, voucherMessage(launchpad, user, referrer, deadline));
