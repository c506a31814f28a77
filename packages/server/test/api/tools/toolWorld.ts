import { type DevChain, type System, startSystem } from '@mintage/devnet';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { until } from '@mintage/devnet/until';
import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import type { RunningApi } from '../../../src/api/main.ts';
import { noLimits, type Post, postsTo, signInOver } from '../../world/call.ts';
import { connectEarlier, connectNew, type ToolClient } from './toolClients.ts';

export type { ToolClient } from './toolClients.ts';

export interface ToolUser {
  userId: string;
  accessToken: string;
  /** Made and filled with coins for gas and dollars. */
  embedded: Address;
}

/** The whole service, signer included, on one seeded chain that mines by itself. */
export interface ToolWorld {
  api: RunningApi;
  system: System;
  chain: DevChain;
  /** Of the tool server. */
  url: string;
  post: Post;
  newUser(): Promise<ToolUser>;
  apiKey(user: ToolUser, body?: object): Promise<string>;
  /** The official client of the newer era, or of the one before. */
  connect(key: string, era?: 'new' | 'earlier'): Promise<ToolClient>;
  indexed(): Promise<void>;
  /** Base units of the dollar token. */
  dollars(of: Address): Promise<bigint>;
  stop(): Promise<void>;
}

export const toolSlug = 'base-sepolia';

export const startToolWorld = async (env: Record<string, string> = {}): Promise<ToolWorld> => {
  const database = await testDatabase();
  let system: System | undefined;
  const stop = async (): Promise<void> => {
    await system?.stop();
    await database.stop();
  };
  try {
    const common = { CHAINS: toolSlug, DATABASE_URL: database.url, LOG_LEVEL: process.env.LOG ?? 'silent' };
    system = await startSystem({ env: { ...common, RATE_LIMITS: noLimits, ...env }, signerPollMs: 50 });
    return world(system, stop);
  } catch (error) {
    await stop();
    throw error;
  }
};

const world = (system: System, stop: () => Promise<void>): ToolWorld => {
  const api = system.api as RunningApi;
  const chain = system.chains[0] as DevChain;
  const url = `${system.url}/functions/v1/mcp`;

  const post = postsTo(system.url as string);
  const dollars = async (of: Address): Promise<bigint> => {
    const data = `0x70a08231${of.slice(2).padStart(64, '0')}`;
    return BigInt((await chain.rpc('eth_call', [{ to: chain.deployment.usd, data }, 'latest'])) as Hex);
  };

  return {
    api,
    system,
    chain,
    url,
    post,
    dollars,
    async newUser() {
      const account = privateKeyToAccount(generatePrivateKey());
      const { accessToken, userId } = await signInOver(post, account);
      const find = async (): Promise<Address | undefined> => {
        const { data } = (await post('/me', {}, accessToken)).body;
        return data.wallets.find((wallet: { embedded: boolean }) => wallet.embedded)?.address;
      };
      const embedded = await until(find);
      const coins = async () => BigInt((await chain.rpc('eth_getBalance', [embedded, 'latest'])) as Hex);
      await until(async () => (await coins()) > 0n && (await dollars(embedded)) > 0n);
      return { userId, accessToken, embedded };
    },
    async apiKey(user, body = {}) {
      const { status, body: made } = await post('/api-keys', { name: 'assistant', ...body }, user.accessToken);
      expect(status, JSON.stringify(made)).toBe(200);
      return made.key;
    },
    connect: (key, era = 'new') => (era === 'new' ? connectNew(url, key) : connectEarlier(url, key)),
    async indexed() {
      await system.caughtUp();
      await api.context.markets.follow();
    },
    stop,
  };
};
