import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type DevChain,
  type DevChains,
  type Proxy,
  type System,
  startChains,
  startProxy,
  startSystem,
} from '@mintage/devnet';
import { keepDeployments } from '@mintage/devnet/keepDeployments';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { until } from '@mintage/devnet/until';
import type { OperationName } from '@mintage/protocol/operations';
import { type Address, type Hex, numberToHex } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { RunningApi } from '../../src/api/main.ts';
import { makeIntentKeyFiles, makeKekFile } from '../../src/keys/keys.ts';
import { type Answer, type Call, type CallOptions, callsOf, signInWith } from '../world/call.ts';

export type { Answer } from '../world/call.ts';

export interface User {
  userId: string;
  /** The wallet that signed in. */
  signIn: Address;
  /** Made and filled. */
  embedded: Address;
  accessToken: string;
}

/** Real chains that move only when told to, the API and the index on them, and a signer that comes and goes. */
export interface ExecutionWorld {
  api: RunningApi;
  chain: DevChain;
  /** In front of the chain, in the order in which they are configured; empty without `providers`. */
  proxies: readonly Proxy[];
  call: Call;
  /** @throws When the answer is not 200. */
  done(name: OperationName, input: object, options?: CallOptions): Promise<Answer['body']>;
  /** Signs in with this wallet, by default a new one. */
  newUser(account?: PrivateKeyAccount): Promise<User>;
  apiKey(user: User, body?: object): Promise<string>;
  startSigner(): Promise<void>;
  stopSigner(): Promise<void>;
  /** Waits until `/transactions/status` says one of these; mines blocks where they are needed. */
  becomes(of: { intentId: string } | { hash: string }, bearer: string, ...statuses: string[]): Promise<Answer['body']>;
  balance(address: Address): Promise<bigint>;
  nonce(address: Address): Promise<number>;
  indexed(): Promise<void>;
  stop(): Promise<void>;
}

export const executionSlug = 'base-sepolia';
/** More than the signer wants to see on top of a block. */
const finalityBlocks = 100;

export interface ExecutionWorldOptions {
  /** Providers of the one chain, each of which may come to lie; absent: the chain itself is the only one. */
  providers?: number;
}

export const startExecutionWorld = async ({ providers = 0 }: ExecutionWorldOptions = {}): Promise<ExecutionWorld> => {
  const home = mkdtempSync(join(tmpdir(), 'mintage-execution-'));
  const database = await testDatabase();
  const common = { CHAINS: executionSlug, DATABASE_URL: database.url, LOG_LEVEL: process.env.LOG ?? 'silent' };
  let system: System | undefined;
  let signer: System | undefined;
  let ownChains: DevChains | undefined;
  const proxies: Proxy[] = [];
  const stopSigner = async (): Promise<void> => {
    await signer?.stop();
    signer = undefined;
  };
  const stop = async (): Promise<void> => {
    await stopSigner();
    await system?.stop();
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await ownChains?.stop();
    await database.stop();
    rmSync(home, { recursive: true, force: true });
  };

  const startAll = async (): Promise<ExecutionWorld> => {
    const rateLimits = JSON.stringify({ anonymous: 1e9, authenticated: 1e9, signIn: 1e9, writeDivisor: 1 });
    const kek = join(home, 'kek');
    makeKekFile(kek);
    const intentKeys = makeIntentKeyFiles(home);
    let env: Record<string, string> = {};
    if (providers > 0) {
      ownChains = await startChains([executionSlug], { heartbeat: false });
      const [chain] = ownChains.chains as [DevChain];
      for (let i = 0; i < providers; i += 1) proxies.push(await startProxy(chain.rpcUrl));
      keepDeployments(home, [chain.deployment]);
      const RPC_URL_BASE_SEPOLIA = proxies.map(({ url }) => url).join();
      env = { DEVNET: '0', NEW_ACCESS_DELAY_HOURS: '0', MINTAGE_HOME: home, RPC_URL_BASE_SEPOLIA };
    }
    const running = await startSystem({
      env: { ...common, ...env, ...intentKeys, ROLES: 'api,indexer', RATE_LIMITS: rateLimits, KEK_FILE: kek },
      seed: false,
      heartbeat: false,
    });
    system = running;
    const api = running.api as RunningApi;
    // A busy machine is not what is tested; longer would not fit into the time of a request.
    Object.assign(api.context.patience, { walletMs: 14_000, signatureMs: 14_000 });
    const [chain] = (ownChains ?? running).chains as [DevChain];
    if (ownChains === undefined) keepDeployments(home, [chain.deployment]);

    const startSigner = async (): Promise<void> => {
      const own = { ...intentKeys, ROLES: 'signer', DEVNET: '0', MINTAGE_HOME: home, KEK_FILE: kek };
      signer = await startSystem({
        env: { ...common, RPC_URL_BASE_SEPOLIA: chain.rpcUrl, ...env, ...own },
        signerPollMs: 50,
      });
    };

    const call = callsOf(api.app);
    const done: ExecutionWorld['done'] = async (name, input, options) => {
      const { status, body } = await call(name, input, options);
      if (status !== 200) throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`);
      return body;
    };
    const quantity = async (method: string, params: readonly unknown[]) =>
      BigInt((await chain.rpc(method, params)) as Hex);
    const balance = (address: Address) => quantity('eth_getBalance', [address, 'latest']);

    const newUser: ExecutionWorld['newUser'] = async (account = privateKeyToAccount(generatePrivateKey())) => {
      const login = await signInWith(call, account);
      const bearer = login.accessToken as string;
      const find = async (): Promise<Address | undefined> => {
        const { data } = await done('me', {}, { bearer });
        return data.wallets.find((wallet: { embedded: boolean }) => wallet.embedded)?.address;
      };
      const embedded = (await until(find)) as Address;
      // Where the chain is no local one to the system, nobody else fills the wallet.
      if (ownChains !== undefined) await chain.rpc('anvil_setBalance', [embedded, numberToHex(10n ** 20n)]);
      await until(async () => (await balance(embedded)) > 0n);
      const signIn = account.address.toLowerCase() as Address;
      return { userId: login.userId, signIn, embedded, accessToken: bearer };
    };

    const becomes: ExecutionWorld['becomes'] = async (of, bearer, ...statuses) => {
      let [looks, looksMined] = [0, 0];
      return until(async () => {
        const answer = await done('transactionStatus', { ...of, chainSlug: executionSlug }, { bearer });
        if (statuses.includes(answer.status)) return answer;
        // The chain mines by itself what it gets, but what is final needs blocks on top.
        const isMined = ['mined', 'reverted'].includes(answer.status);
        const hurry = isMined && looksMined % 20 === 0;
        looksMined += Number(isMined);
        if (hurry || looks % 20 === 19) await chain.rpc('anvil_mine', [numberToHex(hurry ? finalityBlocks : 1)]);
        looks += 1;
        return null;
      });
    };

    await startSigner();
    return {
      api,
      chain,
      proxies,
      call,
      done,
      newUser,
      async apiKey(user, body = {}) {
        const key = await done('createApiKey', { name: 'agent', ...body }, { bearer: user.accessToken });
        return key.key;
      },
      startSigner,
      stopSigner,
      becomes,
      balance,
      nonce: async (address) => Number(await quantity('eth_getTransactionCount', [address, 'latest'])),
      async indexed() {
        await running.caughtUp();
        await api.context.markets.follow();
      },
      stop,
    };
  };
  try {
    return await startAll();
  } catch (error) {
    await stop();
    throw error;
  }
};
