import { type EvmDeployment, launchpadAbi, requireHex, voucherTypedData } from '@mintage/protocol';
import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { ChainClient, ChainClientOptions } from '../chainClient.ts';
import type { Rpc } from '../rpc.ts';
import { call } from './calls.ts';

/** How long the chain's voucher signer is believed, milliseconds. */
const signerBelievedMs = 60_000;

interface On {
  slug: string;
  rpc: Pick<Rpc, 'request'>;
  deployment: EvmDeployment;
}

/** `ChainClient.signVoucher`, by EIP-712. */
export const voucherSigning = (on: On, { voucherKey, now, log }: ChainClientOptions): ChainClient['signVoucher'] => {
  const { slug, deployment } = on;
  const signer = voucherKey === null ? null : privateKeyToAccount(voucherKey);
  let known: { accepted: boolean; untilMs: number } | undefined;

  /** Whether the chain's Launchpad accepts this signer: a voucher by another key would revert the whole transaction. */
  const isAccepted = async (account: PrivateKeyAccount): Promise<boolean> => {
    if (known && known.untilMs > now()) return known.accepted;
    let expected: Hex;
    try {
      expected = await voucherSignerOf(on);
    } catch (err) {
      log.warn({ err, chain: slug }, 'Whose vouchers the chain takes could not be read.');
      return false;
    }
    const accepted = expected === account.address.toLowerCase();
    known = { accepted, untilMs: now() + signerBelievedMs };
    if (!accepted)
      log.error({ chain: slug, expected, signer: account.address }, 'The chain takes vouchers of another key.');
    return accepted;
  };

  return async (voucher) => {
    if (signer === null || !(await isAccepted(signer))) return null;
    const { user, referrer, deadline } = voucher;
    const typed = voucherTypedData({ user: requireHex(user), referrer: requireHex(referrer), deadline }, deployment);
    return { ...voucher, signature: await signer.signTypedData(typed) };
  };
};

const voucherSignerOf = async ({ rpc, deployment }: On): Promise<Hex> => {
  const functionName = 'voucherSigner';
  const data = encodeFunctionData({ abi: launchpadAbi, functionName });
  const result = await rpc.request(call({ to: deployment.launchpad, data }, 'latest'));
  return decodeFunctionResult({ abi: launchpadAbi, functionName, data: result }).toLowerCase() as Hex;
};
