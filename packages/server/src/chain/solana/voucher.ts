import { sign } from 'node:crypto';
import { type Base58, requireBase58 } from '@mintage/protocol';
import { voucherMessage } from '@mintage/protocol/solana';
import type { ChainClient, ChainClientOptions, Voucher } from '../chainClient.ts';
import type { Rpc } from '../rpc.ts';
import { ed25519Key } from './ed25519Key.ts';
import { type Launchpad, stateIn } from './launchpad.ts';
import { getMultipleAccounts } from './rpc/calls.ts';

/** How long the chain's voucher signer is believed, milliseconds. */
const signerBelievedMs = 60_000;

/** What is signed for these, whose addresses are of this family. */
export const signedOf = (on: Launchpad, { user, referrer, deadline }: Voucher): Uint8Array =>
  voucherMessage(on, { user: requireBase58(user), referrer: requireBase58(referrer), deadline });

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
    const signature = sign(null, signedOf(launchpad, voucher), signer.key);
    return { ...voucher, signature: `0x${signature.toString('hex')}` };
  };
};
