import { randomBytes } from 'node:crypto';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { chains as allChains, type Chain, type Deployment } from '@mintage/protocol';
import type { OperationName } from '@mintage/protocol/operations';
import { operations } from '@mintage/protocol/operations';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { decodeJwt } from 'jose';
import { type Logger, pino } from 'pino';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { TokenSession } from '../../../src/api/accounts/accessTokens.ts';
import { buildApp, type ContextOptions, createContext, type ServedChainConfig } from '../../../src/api/main.ts';
import type { ServiceContext } from '../../../src/api/surfaces/serviceContext.ts';
import { basePath } from '../../../src/api/wire/limits.ts';
import type { Address } from '../../../src/chain/servedChain.ts';
import { configFromEnv } from '../../../src/config.ts';
import { memoryKek } from '../../../src/keys/fileKek.ts';

/** Rate limits for tests that are about something else. */
const unlimited = JSON.stringify({ anonymous: 1e9, authenticated: 1e9, signIn: 1e9 });

/** An API on its own database, called without a port, with a clock that tests move. */
export interface TestApi {
  context: ServiceContext;
  clock: { ms: number };
  /** Lines that the service logged. */
  logged: Record<string, unknown>[];
  /** Calls an operation; `input` is the body, or the path parameters of a GET. */
  call(name: OperationName, input?: object | string, options?: { bearer?: string }): Promise<Answer>;
  inject(request: InjectOptions): Promise<LightMyRequestResponse>;
  /** Signs in with this wallet, by default a new one. */
  signIn(account?: PrivateKeyAccount): Promise<SignedIn>;
  stop(): Promise<void>;
}

export interface Answer {
  status: number;
  // biome-ignore lint: the shape differs from call to call and is what the test asserts
  body: any;
  headers: LightMyRequestResponse['headers'];
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

export const testApi = async (
  options: Partial<Omit<ContextOptions, 'config' | 'db'>> & { env?: Record<string, string> } = {},
): Promise<TestApi> => {
  const database = await testDatabase();
  const clock = { ms: Date.parse('2030-01-01T00:00:00Z') };
  const logged: Record<string, unknown>[] = [];
  const context = await createContext({
    chains: [],
    keys: memoryKek(randomBytes(32)),
    log: memoryLog(logged),
    now: () => clock.ms,
    ...options,
    config: configFromEnv({ PORT: '0', PUBLIC_URL: 'http://127.0.0.1:8080', RATE_LIMITS: unlimited, ...options.env }),
    db: database.db,
  });
  const app = buildApp(context);

  const call: TestApi['call'] = async (name, input = {}, { bearer } = {}) => {
    const { method, path } = operations.find((operation) => operation.name === name) as {
      method: 'GET' | 'POST';
      path: string;
    };
    const values = typeof input === 'string' ? {} : (input as Record<string, string>);
    const url = basePath + path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(values[key] ?? ''));
    const answer = await app.inject({
      method,
      url,
      headers: {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      ...(method === 'POST' ? { payload: typeof input === 'string' ? input : JSON.stringify(input) } : {}),
    });
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    return { status: answer.statusCode, headers: answer.headers, body: isJson ? answer.json() : answer.rawPayload };
  };

  return {
    context,
    clock,
    logged,
    call,
    inject: (request) => app.inject(request),
    async signIn(account = privateKeyToAccount(generatePrivateKey())) {
      const { body: challenge } = await call('authChallenge', { address: account.address });
      const signature = await account.signMessage({ message: challenge.message });
      const { body } = await call('authLogin', { message: challenge.message, signature });
      return { ...body, address: account.address.toLowerCase() as Address };
    },
    async stop() {
      await app.close();
      await context.media.close();
      await database.stop();
    },
  };
};

const memoryLog = (lines: Record<string, unknown>[]): Logger =>
  pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) });

export const chainOfSlug = (slug: string): Chain => allChains.find((chain) => chain.slug === slug) as Chain;

const fill = (digit: string): Address => `0x${digit.repeat(40)}`;

/** A served chain with easily recognised addresses. Nothing is deployed there. */
export const testChain = (slug: string, rpcUrl: string, deployment: Partial<Deployment> = {}): ServedChainConfig => {
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
      poolHook: fill('b'),
      lens: fill('c'),
      tokenImplementation: fill('d'),
      tokenBridge: fill('e'),
      usd: fill('1'),
      usdDecimals: 6,
      usdSymbol: 'USDC',
      usdMintable: true,
      poolManager: fill('2'),
      create3Factory: fill('3'),
      owner: fill('4'),
      codeHashes: {},
      ...deployment,
    },
  };
};
