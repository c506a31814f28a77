import type { ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '@mintage/devnet';
import { freePort } from '@mintage/devnet/freePort';
import type { ServedChain } from '@mintage/server';
import { startPinned } from './pinned.ts';

/** The core of the server that is measured; everything else (load, chain, index, database) is on the other. */
export const serverCore = 1;
export const otherCore = 0;

/** The API as an operator runs it: its own process, production settings, its log written and thrown away. */
export const startApiProcess = async (
  { chains }: System,
  databaseUrl: string,
  home: string,
): Promise<{ child: ChildProcess; port: number }> => {
  const [local] = chains;
  if (!local) throw new Error('The system has no chain.');
  mkdirSync(join(home, 'deployments'), { recursive: true });
  writeFileSync(join(home, 'deployments', `${local.chain.chainId}.json`), JSON.stringify(local.deployment));
  return startApi(new URL('../scripts/start.mjs', import.meta.url), databaseUrl, home, {
    DEVNET: '0',
    CHAINS: local.chain.slug,
    [`RPC_URL_${local.chain.slug.toUpperCase().replaceAll('-', '_')}`]: local.rpcUrl,
  });
};

/** The same over local chains of any family. */
export const startLocalApiProcess = (
  { chains, solana }: System,
  databaseUrl: string,
  home: string,
): Promise<{ child: ChildProcess; port: number }> => {
  const served = [...chains, ...solana].map(
    ({ chain, deployment, rpcUrl }): ServedChain => ({ chain, deployment, rpcUrls: [rpcUrl], local: true }),
  );
  return startApi(new URL('localApi.ts', import.meta.url), databaseUrl, home, {
    CHAINS: served.map(({ chain }) => chain.slug).join(),
    SERVED: JSON.stringify(served),
  });
};

const startApi = async (
  program: URL,
  databaseUrl: string,
  home: string,
  chains: Record<string, string>,
): Promise<{ child: ChildProcess; port: number }> => {
  const port = await freePort();
  const child = startPinned(serverCore, program, {
    ROLES: 'api',
    NODE_ENV: 'production',
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    MINTAGE_HOME: home,
    LOG_LEVEL: 'info',
    RATE_LIMITS: JSON.stringify({
      anonymous: 1_000_000_000,
      authenticated: 1_000_000_000,
      toolAuthenticated: 1_000_000_000,
    }),
    ...chains,
  });
  await untilListening(port);
  return { child, port };
};

/** @throws After a minute without an answer. */
export const untilListening = async (port: number): Promise<void> => {
  for (let attempt = 0; attempt < 1_200; attempt++) {
    const answered = await fetch(`http://127.0.0.1:${port}/health`).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await sleep(50);
  }
  throw new Error(`Nothing listens on port ${port}.`);
};
