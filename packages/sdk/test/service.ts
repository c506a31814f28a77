import { randomBytes } from 'node:crypto';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { configFromEnv, createLog, type RunningApi, startApi } from '@mintage/server/api';
import { memoryKek } from '@mintage/server/keys';

/** A service without chains, served over HTTP. */
export interface TestService {
  url: string;
  db: RunningApi['context']['db'];
  stop(): Promise<void>;
}

export const startService = async (env: Record<string, string> = {}): Promise<TestService> => {
  const { db, stop } = await testDatabase();
  const rates = JSON.stringify({ anonymous: 1e6, authenticated: 1e6, signIn: 1e6 });
  const api = await startApi({
    config: configFromEnv({ PORT: '0', LOG_LEVEL: 'silent', RATE_LIMITS: rates, NETWORK: 'Testnet', ...env }),
    db,
    chains: [],
    createClient: () => {
      throw new Error('this service has no chains');
    },
    keys: memoryKek(randomBytes(32)),
    log: createLog('silent'),
    webhooks: { pollMs: 100 }, // no indexer tells of what a test writes
  });
  return {
    url: api.url,
    db: api.context.db,
    async stop() {
      await api.stop();
      await stop();
    },
  };
};

/** The global fetch, with what it was asked; `answer` may answer in the service's place. */
export const watchedFetch = (
  answer: (asked: Request, before: number) => Response | null | Promise<Response | null> = () => null,
) => {
  const asked: Request[] = [];
  const watched: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    asked.push(request.clone());
    return (await answer(request, asked.length - 1)) ?? fetch(request);
  };
  return { asked, fetch: watched };
};
