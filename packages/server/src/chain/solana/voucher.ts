import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { type Base58, requireBase58, toBase58 } from '@mintage/protocol';
import { joinBytes, keyBytes } from '@mintage/protocol/solana';
import type { ChainClient, ChainClientOptions, Voucher } from '../chainClient.ts';
import type { Rpc } from '../rpc.ts';
import { type Launchpad, stateIn } from './launchpad.ts';
import { getMultipleAccounts } from './rpc/calls.ts';

/** How long the chain's voucher signer is believed, milliseconds. */
const signerBelievedMs = 60_000;

/** What the voucher signer signs, as the program puts it together: domain, program, dollar, user, referrer, deadline. */
export const voucherMessage = (
  { program, dollarMint }: Launchpad,
  { user, referrer, deadline }: Voucher,
): Uint8Array => {
  const time = Buffer.alloc(8);
  time.writeBigInt64LE(deadline);
  const keys = [program, dollarMint, requireBase58(user), requireBase58(referrer)].map(keyBytes);
  return joinBytes(new TextEncoder().encode('mintage voucher1'), ...keys, time);
};

/** PKCS #8 of an ed25519 key, up to its 32 bytes. */
const keyForm = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @param seed - The private key's 32 bytes. */
export const ed25519Key = (seed: Uint8Array): { key: KeyObject; address: Base58 } => {
  const key = createPrivateKey({ key: Buffer.concat([keyForm, seed]), format: 'der', type: 'pkcs8' });
  const published = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return { key, address: toBase58(new Uint8Array(published.subarray(-32))) };
};

interface On {
  slug: string;
  rpc: Pick<Rpc, 'request'>;
  launchpad: Launchpad;
}

/** `ChainClient.signVoucher`, by ed25519: 64 bytes in hex. */
export const voucherSigning = (on: On, { voucherKey, now, log }: ChainClientOptions): ChainClient['signVoucher'] => {
  const { slug, launchpad } = on;
  const signer = voucherKey === null ? null : ed25519Key(Buffer.from(voucherKey.slice(2), 'hex'));
  let known: { accepted: boolean; untilMs: number } | undefined;

  /** Whether the program takes vouchers of this signer: one by another key would fail the whole transaction. */
  const isAccepted = async (address: Base58): Promise<boolean> => {
    if (known && known.untilMs > now()) return known.accepted;
    let expected: Base58 | undefined;
    try {
      const { value } = await on.rpc.request(getMultipleAccounts([launchpad.config], 'latest'));
      expected = stateIn(launchpad, 'Config', value[0] ?? null)?.voucherSigner;
    } catch (err) {
      log.warn({ err, chain: slug }, 'Whose vouchers the chain takes could not be read.');
      return false;
    }
    const accepted = expected === address;
    known = { accepted, untilMs: now() + signerBelievedMs };
    if (!accepted) log.error({ chain: slug, expected, signer: address }, 'The chain takes vouchers of another key.');
    return accepted;
  };

  return async (voucher) => {
    if (signer === null || !(await isAccepted(signer.address))) return null;
    const signature = sign(null, voucherMessage(launchpad, voucher), signer.key);
    return { ...voucher, signature: `0x${signature.toString('hex')}` };
  };
};
