/** `npm start`: the whole service on this machine. Configuration by environment: docs/configuration.md. */

import { platformIdOf, tokenIdOf } from '@mintage/protocol';
import { devKey } from './accounts.ts';
import { type DemoUser, demoUser } from './demoUser.ts';
import { faucetUsd } from './faucet.ts';
import { seedAddress, seedTokensOn } from './seed.ts';
import { type System, startSystem } from './system.ts';

/** What a laptop gets when nothing else is said: where wallets expect a local chain, and the demo the issuer. */
const usual = { PORT: '8080', CHAIN_PORT: '8545', ISSUER_PORT: '8089', MINTAGE_HOME: '.mintage' };

const main = async (): Promise<void> => {
  const startedAt = performance.now();
  const set = Object.entries(process.env).filter(([, value]) => value !== '');
  const start = startSystem({ env: { ...usual, ...Object.fromEntries(set) } });
  const signals = stopOnSignals(start);
  try {
    const system = await start;
    const text = await welcome(system, performance.now() - startedAt);
    console.log(text);
  } catch (error) {
    if (!signals.stopping) throw error; // while it ends in order, what still starts may fail
  }
};

/** One Ctrl-C may come twice: from the terminal, and from npm, which passes on what the terminal sent to all of us. */
const samePressMs = 500;

/**
 * Ends in order on the first signal, at once on the second; the chains end themselves when we are gone. An error that nobody
 * caught ends us too, with code 1, so that a supervisor starts us again: what it left in memory cannot be trusted, what is in
 * the database can.
 */
const stopOnSignals = (start: Promise<System>): { stopping: boolean } => {
  const state = { stopping: false };
  let firstMs = 0;
  const stop = async (code: number): Promise<void> => {
    if (state.stopping) {
      if (performance.now() - firstMs > samePressMs) process.exit(1);
      return;
    }
    state.stopping = true;
    firstMs = performance.now();
    try {
      await (await start).stop();
      process.exit(code);
    } catch (error) {
      fail(error);
    }
  };
  process.on('SIGINT', () => stop(0));
  process.on('SIGTERM', () => stop(0));
  process.on('uncaughtException', (error) => {
    console.error('An error that nobody caught; Mintage ends:', error);
    setTimeout(() => process.exit(1), endWithinMs).unref();
    stop(1);
  });
  return state;
};

const endWithinMs = 10_000;

const welcome = async (system: System, tookMs: number): Promise<string> => {
  const { roles, chains } = system.config;
  const parts = `${[...roles].join(', ')} for ${chains.join(', ')}`;
  const lines = [`Mintage is ready after ${(tookMs / 1000).toFixed(1)} s: ${parts}.`, ''];
  const [first] = system.chains;
  if (system.url !== null) {
    lines.push(`API    ${system.config.publicUrl}/functions/v1`, `Docs   ${system.config.publicUrl}/functions/v1/docs`);
  }
  for (const { chain, rpcUrl } of system.chains) {
    lines.push(
      `Chain  ${rpcUrl}  ${chain.slug} (id ${chain.chainId}${isAsInReality(chain) ? '' : ', a plain EVM with Uniswap v4'})`,
    );
  }
  if (first === undefined) return lines.join('\n');
  const { launchpad, lens, poolHook, poolManager, usd, usdSymbol } = first.deployment;
  lines.push(
    '',
    'The same addresses on every local chain:',
    `  Launchpad    ${launchpad}`,
    `  PoolHook     ${poolHook}`,
    `  PoolManager  ${poolManager}`,
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

const isAsInReality = (chain: { family: string; uniswapV4: object | null }): boolean =>
  chain.family === 'evm' && chain.uniswapV4 !== null;

/** A request that works as it stands. */
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

const fail = (error: unknown): never => {
  console.error(sentenceOf(error));
  if (process.env.LOG_LEVEL === 'debug' || process.env.LOG_LEVEL === 'trace') console.error(error);
  process.exit(1);
};

const sentenceOf = (error: unknown): string => {
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
    return `Port ${process.env.PORT || 8080} is taken by another program. Stop it, or start with another PORT.`;
  return error instanceof Error ? error.message : String(error);
};

main().catch(fail);
