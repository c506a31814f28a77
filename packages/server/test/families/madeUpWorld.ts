import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { until } from '@mintage/devnet/until';
import type { Address } from '@mintage/protocol';
import { definitions, type OperationName } from '@mintage/protocol/operations';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { basePath } from '../../src/api/wire/limits.ts';
import type { ServedChain } from '../../src/chain/servedChain.ts';
import { type Closers, createClosers } from '../../src/closers.ts';
import { configFromEnv } from '../../src/config.ts';
import { createLog } from '../../src/createLog.ts';
import type { Db } from '../../src/db/serviceTables.ts';
import { makeKekFile } from '../../src/keys/fileKek.ts';
import { type Roles, signerKeysOf, startRoles } from '../../src/roles.ts';
import { testChain } from '../api/testing/testApi.ts';
import { type Answer, type Call, type CallOptions, callsOf, noLimits, signInWith } from '../world/call.ts';
import { MadeUpChain } from './madeUpChain.ts';
import { familiesWith, madeUpServed } from './madeUpFamily.ts';
import { fee } from './program.ts';

/** Somebody who signed in with an EVM wallet, as everybody does. */
export interface User {
  userId: string;
  accessToken: string;
  /** The wallet on the made-up chain that the service made. It can pay fees. */
  embedded: Address;
}

/** All roles of the service over the made-up chain, and beside it an EVM chain whose provider never answers. */
export interface MadeUpWorld {
  chain: MadeUpChain;
  db: Db;
  /** Of the API, without the base path. */
  url: string;
  call: Call;
  /** @throws When the answer is not 200, or not what the operation's schema says. */
  done(name: OperationName, input?: object, options?: CallOptions): Promise<Answer['body']>;
  newUser(account?: PrivateKeyAccount): Promise<User>;
  /** Gives a user another wallet, as if they had signed in with it. */
  linkWallet(user: User, wallet: Address): Promise<void>;
  apiKey(user: User, body?: object): Promise<{ id: string; key: string }>;
  startSigner(): Promise<void>;
  stopSigner(): Promise<void>;
  /** Waits until `/transactions/status` says so. The chain moves only when the test moves it. */
  becomes(of: { intentId: string } | { hash: string }, bearer: string, status: string): Promise<Answer['body']>;
  /** Makes the blocks that an intent needs to become final. */
  settles(intentId: string, bearer: string): Promise<void>;
  /** Waits until the index holds the chain as it is now, and quotes are computed from it. */
  indexed(): Promise<void>;
  stop(): Promise<void>;
}

export const madeUpSlug = madeUpServed.chain.slug;
export const evmSlug = 'base-sepolia';

export const startMadeUpWorld = async (): Promise<MadeUpWorld> => {
  const closers = createClosers();
  try {
    return await start(closers);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
};

const start = async (closers: Closers): Promise<MadeUpWorld> => {
  const home = mkdtempSync(join(tmpdir(), 'mintage-families-'));
  closers.add(() => rmSync(home, { recursive: true, force: true }));
  const kek = join(home, 'kek');
  makeKekFile(kek);
  const database = await testDatabase();
  closers.add(database.stop);
  const chain = new MadeUpChain();
  const chains: ServedChain[] = [madeUpServed, testChain(evmSlug, 'http://127.0.0.1:1')];
  const log = createLog(process.env.LOG ?? 'silent');

  const run = async (roles: string, within: Closers): Promise<Roles> => {
    const env = { ROLES: roles, PORT: '0', MINTAGE_HOME: home, KEK_FILE: kek, RATE_LIMITS: noLimits };
    const config = configFromEnv(env);
    return startRoles({
      config,
      databaseUrl: database.url,
      db: database.db,
      chains,
      families: familiesWith(chain),
      log,
      closers: within,
      signerKeys: await signerKeysOf(config),
      signerPollMs: 20,
    });
  };

  const { api } = await run('api,indexer', closers);
  if (api === null) throw new Error('The API does not run.');
  // A busy machine is not what is tested.
  Object.assign(api.context.patience, { walletMs: 14_000, signatureMs: 14_000 });
  const db: Db = database.db.withTables();

  let signer: Closers | undefined;
  const stopSigner = async (): Promise<void> => {
    await signer?.closeAll();
    signer = undefined;
  };
  const startSigner = async (): Promise<void> => {
    signer = createClosers();
    await run('signer', signer);
  };
  closers.add(stopSigner);
  await startSigner();

  const call = callsOf(api.app);
  const done: MadeUpWorld['done'] = async (name, input, options) => {
    const { status, body } = await call(name, input, options);
    if (status !== 200) throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`);
    definitions[name].output.parse(body);
    return body;
  };

  const becomes = (of: object, bearer: string, status: string, meanwhile = (_now: string): void => {}) =>
    until(async () => {
      const answer = await done('transactionStatus', { ...of, chainSlug: madeUpSlug }, { bearer });
      if (answer.status === status) return answer;
      meanwhile(answer.status);
      return null;
    });

  return {
    chain,
    db,
    url: api.url,
    call,
    done,
    async newUser(account = privateKeyToAccount(generatePrivateKey())) {
      const { userId, accessToken } = await signInWith(call, account);
      const embedded = await until(async (): Promise<Address | undefined> => {
        const { data } = await done('me', {}, { bearer: accessToken });
        return data.wallets.find(isMadeUp)?.address;
      });
      chain.fund(embedded, 1_000n * fee);
      return { userId, accessToken, embedded };
    },
    async linkWallet({ userId }, address) {
      await db.insertInto('user_wallet').values({ address, user_id: userId }).execute();
      api.context.auth.forgetUser(userId);
    },
    async apiKey({ accessToken }, body = {}) {
      return done('createApiKey', { name: 'agent', ...body }, { bearer: accessToken });
    },
    startSigner,
    stopSigner,
    becomes,
    async settles(intentId, bearer) {
      await becomes({ intentId }, bearer, 'final', (status) => {
        if (chain.pooled > 0 || status === 'mined') chain.produce();
      });
    },
    async indexed() {
      await until(() =>
        db
          .selectFrom('chain')
          .select('eid')
          .where('slug', '=', madeUpSlug)
          .where('indexed', '=', chain.head.height)
          .where('indexed_hash', '=', chain.head.hash)
          .executeTakeFirst(),
      );
      await api.context.markets.follow();
    },
    stop: closers.closeAll,
  };
};

const isMadeUp = ({ embedded, chainType }: { embedded: boolean; chainType: string }): boolean =>
  embedded && chainType === 'solana';

/** Path of an operation of the running API. */
export const addressIn = ({ url }: Pick<MadeUpWorld, 'url'>, path: string): string => `${url}${basePath}${path}`;
