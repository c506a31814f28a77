import {
  canonicalText,
  createTokenTypedData,
  infoAuthTypedData,
  platformPascal,
  registerTypedData,
  type SignedCreation,
  type SigningContext,
  signedReads,
  textHash,
} from '@mintage/protocol/signing';
import type { LocalAccount, TypedDataDefinition } from 'viem';
import type { Auth, Network, SignedEnvelope } from './auth.ts';

/** What this needs of an account of viem. */
export type SigningWallet = Pick<LocalAccount, 'address' | 'signMessage' | 'signTypedData'>;

type TypedData =
  | ReturnType<typeof infoAuthTypedData | typeof registerTypedData>
  | ReturnType<typeof createTokenTypedData>[number];

export interface WalletOptions {
  /** Name of the deployment, which is in what the wallet signs: `Acme Pad`. */
  platformName: string;
  /** Of the deployment. */
  network: Network;
  /** EIP-155 id of the chain that the wallet is on; any will do. */
  chainId: number;
  /** For how long a signature is worth something, milliseconds, at most an hour; absent: a minute. */
  expiresAfterMs?: number;
}

/**
 * A wallet that signs what it asks: reads of its own account by `client.info`, and `register` and `createToken` by
 * `client.actions`. For everything else the service wants an account: sign in, or make an API key.
 *
 * Source: wire contract 4.
 */
export const wallet = (
  signer: SigningWallet,
  { platformName, network, chainId, expiresAfterMs = 60_000 }: WalletOptions,
): Auth => {
  /** Two actions of one millisecond would be one. */
  let lastNonce = 0;
  const newContext = (): SigningContext => {
    lastNonce = Math.max(Date.now(), lastNonce + 1);
    return { platformName, signatureChainId: BigInt(chainId), nonce: lastNonce, expiresAfter: expiresAfterMs };
  };
  const signatureChainId = `0x${chainId.toString(16)}`;
  const signed = (data: TypedData) => signer.signTypedData(data as TypedDataDefinition);
  const envelopeOf = async (data: TypedData, { nonce, expiresAfter }: SigningContext): Promise<SignedEnvelope> => ({
    nonce,
    expiresAfter,
    signature: await signed(data),
    signatureChainId,
  });
  return {
    isAccount: false,
    async authorize({ path, input }) {
      const bearer = { authorization: `Bearer ${signer.address}` };
      const type = 'type' in input ? String(input.type) : '';
      if (path !== '/info' || !Object.hasOwn(signedReads, type)) return bearer;
      const context = newContext();
      const sent: unknown = JSON.parse(JSON.stringify(input));
      const data = infoAuthTypedData(context, type, textHash(canonicalText(sent)));
      return {
        ...bearer,
        'x-info-signature': await signed(data),
        'x-info-nonce': String(context.nonce),
        'x-info-expires-after': String(context.expiresAfter),
        'x-info-signature-chain-id': signatureChainId,
      };
    },
    async sign(action) {
      const context = newContext();
      if (action.type === 'register') {
        const message = [
          `${platformPascal(platformName)} register`,
          `address: ${signer.address}`,
          `timestamp: ${context.nonce}`,
        ].join('\n');
        return {
          ...(await envelopeOf(registerTypedData(context, network), context)),
          action: { ...action, message, signature: await signer.signMessage({ message }) },
        };
      }
      if (action.type !== 'createToken') return null;
      const [data] = createTokenTypedData(context, network, action as unknown as SignedCreation);
      return data === undefined ? null : { ...(await envelopeOf(data, context)), action };
    },
  };
};
