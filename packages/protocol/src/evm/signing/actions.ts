import { type Hex, zeroAddress } from 'viem';
import { amountTexts, type Links, linksHashes, listHash } from './hashes.ts';

/** Actions that a wallet signs by EIP-712. Field order is part of the hash. Source: wire contract 4.3 and 4.4. */

const types = {
  RegisterAction: [
    { name: 'type', type: 'string' },
    { name: 'method', type: 'string' },
    { name: 'source', type: 'string' },
    { name: 'nonce', type: 'uint64' },
    { name: 'expiresAfter', type: 'uint64' },
  ],
  CreateTokenAction: [
    { name: 'type', type: 'string' },
    { name: 'source', type: 'string' },
    { name: 'name', type: 'string' },
    { name: 'symbol', type: 'string' },
    { name: 'description', type: 'string' },
    { name: 'image', type: 'string' },
    { name: 'banner', type: 'string' },
    { name: 'video', type: 'string' },
    { name: 'chainSlug', type: 'string' },
    { name: 'destinationChainsHash', type: 'bytes32' },
    { name: 'poolType', type: 'string' },
    { name: 'userAddress', type: 'address' },
    { name: 'builderCode', type: 'address' },
    { name: 'builderFee', type: 'uint256' },
    { name: 'tokenReferral', type: 'address' },
    { name: 'tagsHash', type: 'bytes32' },
    { name: 'linksHash', type: 'bytes32' },
    { name: 'tokenType', type: 'string' },
    { name: 'amountIn', type: 'string' },
    { name: 'tokensOut', type: 'string' },
    { name: 'maxAmountIn', type: 'string' },
    { name: 'nonce', type: 'uint64' },
    { name: 'expiresAfter', type: 'uint64' },
  ],
  InfoAuth: [
    { name: 'type', type: 'string' },
    { name: 'operation', type: 'string' },
    { name: 'bodyHash', type: 'bytes32' },
    { name: 'nonce', type: 'uint64' },
    { name: 'expiresAfter', type: 'uint64' },
  ],
} as const;

/** What every signature is bound to. */
export interface SigningContext {
  /** `Acme Pad` signs as `AcmePadSignTransaction`. */
  platformName: string;
  /** The chain that the wallet is on; any. */
  signatureChainId: bigint;
  /** Milliseconds since 1970. */
  nonce: number;
  /** Milliseconds. */
  expiresAfter: number;
}

/** `Acme Pad` → `AcmePad`. */
export const platformPascal = (platformName: string): string =>
  platformName
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const typedData = <Name extends keyof typeof types, Message>(
  primaryType: Name,
  { platformName, signatureChainId, nonce, expiresAfter }: SigningContext,
  message: Message,
) => ({
  domain: {
    name: `${platformPascal(platformName)}SignTransaction`,
    version: '1',
    chainId: signatureChainId,
    verifyingContract: zeroAddress,
  },
  types: { [primaryType]: types[primaryType] } as Pick<typeof types, Name>,
  primaryType,
  message: { ...message, nonce: BigInt(nonce), expiresAfter: BigInt(expiresAfter) },
});

export const registerTypedData = (context: SigningContext, source: string) =>
  typedData('RegisterAction', context, { type: 'register', method: 'web3', source });

/** The signed fields of a creation, as the request has them. */
export interface SignedCreation {
  name: string;
  symbol: string;
  description: string;
  image: string;
  banner?: string | undefined;
  video?: string | undefined;
  chainSlug: string;
  destinationChains?: readonly string[] | undefined;
  poolType?: string | undefined;
  userAddress?: Hex | undefined;
  builder?: { code: Hex; fee?: number | undefined } | undefined;
  token_referral?: Hex | undefined;
  tags?: readonly string[] | undefined;
  links?: Links | undefined;
  amountIn?: number | undefined;
  tokensOut?: number | undefined;
  maxAmountIn?: number | undefined;
}

/**
 * Every form in which the known clients sign this creation, most usual first: they write absent links and whole
 * amounts differently. At most 16.
 */
export const createTokenTypedData = (context: SigningContext, source: string, action: SignedCreation) =>
  linksHashes(action.links).flatMap((linksHash) =>
    amountTexts(action.amountIn).flatMap((amountIn) =>
      amountTexts(action.tokensOut).flatMap((tokensOut) =>
        amountTexts(action.maxAmountIn).map((maxAmountIn) =>
          typedData('CreateTokenAction', context, {
            type: 'createToken',
            source,
            name: action.name,
            symbol: action.symbol,
            description: action.description,
            image: action.image,
            banner: action.banner ?? '',
            video: action.video ?? '',
            chainSlug: action.chainSlug,
            destinationChainsHash: listHash(action.destinationChains),
            poolType: action.poolType ?? 'meme',
            userAddress: action.userAddress ?? zeroAddress,
            builderCode: action.builder?.code ?? zeroAddress,
            builderFee: BigInt(action.builder?.fee ?? 0),
            tokenReferral: action.token_referral ?? zeroAddress,
            tagsHash: listHash(action.tags),
            linksHash,
            tokenType: 'coin',
            amountIn,
            tokensOut,
            maxAmountIn,
          }),
        ),
      ),
    ),
  );

/** @param bodyHash - `infoBodyHashes`. */
export const infoAuthTypedData = (context: SigningContext, operation: string, bodyHash: Hex) =>
  typedData('InfoAuth', context, { type: 'infoAuth', operation, bodyHash });
