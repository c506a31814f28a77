/** `npm start`: the whole service on this machine. Configuration by environment: docs/configuration.md. */

import { families, platformIdOf, tokenIdOf } from '@mintage/protocol';
import { buildPages, readyFacts, readyLines, runUntilStopped } from '@mintage/server';
import { devKey } from './accounts.ts';
import { type DemoUser, demoUser } from './demoUser.ts';
import { faucetUsd } from './faucet.ts';
import { seedAddress } from './seed.ts';
import { seedTokensOn } from './seedTokens.ts';
import { type System, startSystem } from './system.ts';

/** Defaults for a laptop: the usual ports of a local chain and of the demo's issuer. */
const usual = { PORT: '8080', CHAIN_PORT: '8545', ISSUER_PORT: '8089', MINTAGE_HOME: '.mintage' };

const startedAt = performance.now();

const main = (): Promise<void> => {
  const set = Object.entries(process.env).filter(([, value]) => value !== '');
  const starting = startSystem({ env: { ...usual, ...Object.fromEntries(set) } });
  const told = process.argv.includes('--json') ? facts : welcome;
  return runUntilStopped(starting, (system) => {
    void buildPages(system.url);
    return told(system, performance.now() - startedAt);
  });
};

const servedBy = ({ config, url }: System) => (url === null ? null : config);

/** The same as `welcome` for a program, on one line. */
const facts = async (system: System, tookMs: number): Promise<string> => {
  const [first] = system.chains;
  const isServed = system.url !== null && first !== undefined;
  const user = isServed ? await demoUser(system.url ?? '', system.config.home, first.accounts.alice) : null;
  return JSON.stringify({
    ...readyFacts(system.config, servedBy(system), tookMs),
    chains: [...system.chains, ...system.solana].map(({ chain: { slug, chainId }, rpcUrl }) => ({
      slug,
      chainId,
      rpcUrl,
    })),
    contracts: first?.deployment ?? null,
    demoUser: user && { address: user.address, privateKey: devKey('alice'), apiKey: user.apiKey },
    issuerUrl: system.issuerUrl,
  });
};

const welcome = async (system: System, tookMs: number): Promise<string> => {
  const lines = readyLines(system.config, servedBy(system), tookMs);
  const [first] = system.chains;
  for (const { chain, rpcUrl } of system.chains) {
    lines.push(
      `Chain  ${rpcUrl}  ${chain.slug} (id ${chain.chainId}${families[chain.family].machine === null ? '' : ', a plain EVM'})`,
    );
  }
  for (const { chain, rpcUrl, deployment } of system.solana)
    lines.push(
      `Chain  ${rpcUrl}  ${chain.slug} (a cluster of one node)`,
      `  Program      ${deployment.launchpad}`,
      `  Test ${deployment.usdSymbol.padEnd(7)} ${deployment.usd}`,
    );
  if (first === undefined) return lines.join('\n');
  const { launchpad, lens, tokenFactory, tokenBridge, poolManager, usd, usdSymbol } = first.deployment;
  lines.push(
    '',
    'The same addresses on every local chain with an EVM:',
    `  Launchpad    ${launchpad}  also the hook of its pools`,
    `  TokenFactory ${tokenFactory}`,
    `  TokenBridge  ${tokenBridge}`,
    ...(poolManager === null ? [] : [`  PoolManager  ${poolManager}`]),
    `  Lens         ${lens}`,
    `  Test ${usdSymbol.padEnd(7)} ${usd}`,
  );
  if (system.url === null) return lines.join('\n');
  const user = await demoUser(system.url, system.config.home, first.accounts.alice);
  lines.push(
    '',
    'A demo user, worth nothing elsewhere:',
    `  Wallet       ${user.address}`,
    `  Private key  ${devKey('alice')}`,
    `  API key      ${user.apiKey}`,
    '',
    'Prepare a buy of 10 dollars:',
    '',
    await firstTrade(system, user),
    '',
    `Without a wallet: the token of \`curl -s ${system.issuerUrl}/token?name=me\` in the place of the API key signs you in, and`,
    `"execute": true trades from a wallet that is made for you here, with gas and $${faucetUsd} in it.`,
    '',
    'Ctrl-C stops everything; the data stays in the folder MINTAGE_HOME (.mintage).',
  );
  return lines.join('\n');
};

/** An example request that works as printed. */
const firstTrade = async ({ chains, config }: System, { address, apiKey }: DemoUser): Promise<string> => {
  const [chain] = chains;
  const token = chain && seedTokensOn(chain).find(({ stage, steps }) => stage === 'new' && steps.length > 0);
  if (!chain || !token) return '';
  const tokenId = tokenIdOf(platformIdOf(await seedAddress(chain, token), chain.chain.eid));
  const body = { tokenId, chainSlug: chain.chain.slug, direction: 'buy', buyAmountUSD: 10, userAddress: address };
  return [
    `curl -s ${config.publicUrl}/functions/v1/trade-token \\`,
    `  -H 'authorization: Bearer ${apiKey}' -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
};

await main();
