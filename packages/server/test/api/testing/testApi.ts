import { chains as allChains, type Chain, type EvmDeployment, solanaDeployment, toBase58 } from '@mintage/protocol';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { decodeJwt } from 'jose';
import type { Address } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { TokenSession } from '../../../src/api/accounts/accessTokens.ts';
import type { ServedChain } from '../../../src/api/main.ts';
import type { ServiceContext } from '../../../src/api/surfaces/serviceContext.ts';
import { configFromEnv } from '../../../src/config.ts';
import { type ApiOptions, type ApiWorld, startApiWorld, unlimited } from '../../world/apiWorld.ts';
import { type Call, callsOf, signInWith } from '../../world/call.ts';

export type { Answer } from '../../world/call.ts';

/** An API on its own database, called without a port, with a clock that tests move. */
export interface TestApi {
  context: ServiceContext;
  /** With the account that the service has; that of `context` is the owner's. */
  processDb: ApiWorld['processDb'];
  clock: { ms: number };
  /** Lines that the service logged. */
  logged: Record<string, unknown>[];
  call: Call;
  inject(request: InjectOptions): Promise<LightMyRequestResponse>;
  /** Signs in with this wallet, by default a new one. */
  signIn(account?: PrivateKeyAccount): Promise<SignedIn>;
  stop(): Promise<void>;
}

/** The session of an access token. */
export const sessionOf = ({ accessToken }: Pick<SignedIn, 'accessToken'>): TokenSession => {
  const { sub, sid } = decodeJwt(accessToken);
  return { userId: sub as string, sessionId: sid as string };
};

export interface SignedIn {
  address: Address;
  userId: string;
  accessToken: string;
  refreshToken: string;
}

export const testApi = async ({
  env,
  ...options
}: ApiOptions & { env?: Record<string, string> } = {}): Promise<TestApi> => {
  const { start, stop, clock, logged, processDb } = await startApiWorld(options);
  const config = { PORT: '0', PUBLIC_URL: 'http://127.0.0.1:8080', RATE_LIMITS: unlimited, ...env };
  const { context, app } = await start(configFromEnv(config));
  const call = callsOf(app);
  return {
    context,
    processDb,
    clock,
    logged,
    call,
    inject: (request) => app.inject(request),
    signIn: async (account = privateKeyToAccount(generatePrivateKey())) => ({
      ...(await signInWith(call, account)),
      address: account.address.toLowerCase() as Address,
    }),
    stop,
  };
};

export const chainOfSlug = (slug: string): Chain => allChains.find((chain) => chain.slug === slug) as Chain;

const fill = (digit: string): Address => `0x${digit.repeat(40)}`;

type EvmServedChain = ServedChain & { deployment: EvmDeployment };

/** A served chain with easily recognised addresses. Nothing is deployed there. */
export const testChain = (slug: string, rpcUrl: string, deployment: Partial<EvmDeployment> = {}): EvmServedChain => {
  const chain = chainOfSlug(slug);
  return {
    chain,
    rpcUrls: [rpcUrl],
    local: true,
    staleAfterMs: Number.POSITIVE_INFINITY,
    deployment: {
      chainId: chain.chainId as number,
      startBlock: 1,
      launchpad: fill('a'),
      poolHook: fill('a'),
      tokenFactory: fill('b'),
      lens: fill('c'),
      tokenImplementation: fill('d'),
      tokenBridge: fill('e'),
      layerZeroEndpoint: fill('f'),
      usd: fill('1'),
      usdDecimals: 6,
      usdSymbol: 'USDC',
      usdMintable: true,
      poolManager: fill('2'),
      venue: 'uniswap_v4',
      exchange: null,
      create3Factory: fill('3'),
      owner: fill('4'),
      codeHashes: {},
      ...deployment,
    },
  };
};

const base58 = (byte: number) => toBase58(new Uint8Array(32).fill(byte));

/** As `testChain`, a cluster of Solana. */
export const testSolanaChain = (rpcUrl: string): ServedChain => ({
  chain: chainOfSlug('solana-devnet'),
  rpcUrls: [rpcUrl],
  local: true,
  staleAfterMs: Number.POSITIVE_INFINITY,
  deployment: solanaDeployment({
    startBlock: 1,
    launchpad: base58(1),
    usd: base58(2),
    owner: base58(3),
    usdDecimals: 6,
    usdSymbol: 'USDC',
    usdMintable: false,
  }),
});
