import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chainMigrations, migrate, startDatabase } from '@mintage/indexer/db';
import { chains, type Deployment } from '@mintage/protocol';
import { createLog, type ServedChainConfig, startApi } from './api.ts';
import { type Config, configFromEnv } from './config.ts';

/** One API process of a deployment, configured by the environment: docs/configuration.md. */

/** Where a deployment is written down: the operator's own, else the one that came with the code. */
const deploymentOf = async (config: Config, chainId: number): Promise<Deployment> => {
  const places = [
    resolve(config.home, 'deployments', `${chainId}.json`),
    fileURLToPath(new URL(`../../contracts/deployments/${chainId}.json`, import.meta.url)),
  ];
  const file = places.find((place) => existsSync(place));
  if (file === undefined) throw new Error(`No deployment on chain ${chainId}: neither ${places.join(' nor ')} exists.`);
  return JSON.parse(await readFile(file, 'utf8')) as Deployment;
};

const served = (config: Config): Promise<ServedChainConfig[]> =>
  Promise.all(
    config.chains.map(async (slug) => {
      const chain = chains.find((one) => one.slug === slug);
      if (!chain?.chainId) throw new Error(`${slug} is not an EVM chain and cannot be served yet.`);
      return {
        chain,
        deployment: await deploymentOf(config, chain.chainId),
        rpcUrls: config.rpcUrls.get(slug) ?? [],
      };
    }),
  );

const config = configFromEnv(process.env);
const log = createLog(config.logLevel);
const database = await startDatabase({
  home: config.home,
  url: config.databaseUrl ?? undefined,
  statementTimeoutMs: 20_000,
});
await migrate(database.db, chainMigrations);
const api = await startApi({ config, db: database.db, chains: await served(config), log });

const stop = async (): Promise<void> => {
  await api.stop();
  await database.stop();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
