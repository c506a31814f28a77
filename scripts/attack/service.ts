import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DevChain, seedChain, startChains } from '@mintage/devnet';
import { freePort } from '@mintage/devnet/freePort';
import { encodeMint } from '@mintage/protocol';
import { startDatabase } from '@mintage/server/db';
import { makeKekFile } from '@mintage/server/keys';
import { numberToHex, parseUnits } from 'viem';
import { type RoleProcess, roleProcess } from '../../packages/devnet/test/scaleOut/roleProcess.ts';

/** A service as an operator runs it, all roles in one process of its own, beside a local chain and an own PostgreSQL. */
export interface Service extends AsyncDisposable {
  url: string;
  process: RoleProcess;
  databaseUrl: string;
  chain: DevChain;
  /** Coins for gas, and dollars. */
  fill(wallet: string): Promise<void>;
  /** Its error lines that came since the last call. */
  errors(): Record<string, unknown>[];
}

export const unlimited: string = JSON.stringify({
  anonymous: 1e9,
  authenticated: 1e9,
  signIn: 1e9,
  streams: 1e9,
  toolAnonymous: 1e9,
  toolAuthenticated: 1e9,
  writeDivisor: 1,
});

/**
 * @param env - Beside the usual; without `RATE_LIMITS` the service has its usual allowances.
 * @param databaseUrl - Instead of the embedded database.
 */
export const startService = async (env: Record<string, string> = {}, databaseUrl?: string): Promise<Service> => {
  await using started = new AsyncDisposableStack();
  const home = started.adopt(temporaryFolder(), remove);
  const { chains, stop } = await startChains(['base-sepolia'], { seed: seedChain });
  started.defer(stop);
  const [chain] = chains as [DevChain];
  mkdirSync(join(home, 'deployments'));
  writeFileSync(join(home, 'deployments', `${chain.chain.chainId}.json`), JSON.stringify(chain.deployment));
  const url = databaseUrl ?? started.adopt(await startDatabase({ home }), (database) => database.stop()).url;
  const kek = join(home, 'kek');
  makeKekFile(kek);
  const port = await freePort();
  const service = roleProcess('service', {
    DEVNET: '0',
    NEW_ACCESS_DELAY_HOURS: '0',
    CHAINS: chain.chain.slug,
    RPC_URL_BASE_SEPOLIA: chain.rpcUrl,
    DATABASE_URL: url,
    MINTAGE_HOME: home,
    KEK_FILE: kek,
    PORT: String(port),
    LOG_LEVEL: 'error',
    ...env,
  });
  started.defer(async () => {
    await service.end('SIGKILL');
  });
  await service.start();
  const all = started.move();
  let heard = 0;
  return {
    url: `http://127.0.0.1:${port}`,
    process: service,
    databaseUrl: url,
    chain,
    async fill(wallet) {
      await chain.rpc('anvil_setBalance', [wallet, numberToHex(10n ** 24n)]);
      const data = encodeMint(wallet as `0x${string}`, parseUnits('1000000', chain.deployment.usdDecimals));
      await chain.wallet.send(chain.accounts.dave, { to: chain.deployment.usd, data });
    },
    errors() {
      const said = service.said();
      const lines = said.slice(heard).split('\n');
      heard = said.length;
      return lines.filter((line) => line.startsWith('{"level":')).map((line) => JSON.parse(line));
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
};

/** A database may run under another account, which has to pass through. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'mintage-attack-'));
  chmodSync(folder, 0o755);
  return folder;
};

export const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** An own PostgreSQL. Killed, it is started again in place. */
export interface OwnDatabase extends AsyncDisposable {
  url: string;
  kill(): void;
  /** None of its processes goes on, until `thaw`. */
  freeze(): void;
  thaw(): void;
}

/** @param home - Where its data lies. */
export const startOwnDatabase = async (home: string): Promise<OwnDatabase> => {
  const { url, stop } = await startDatabase({ home });
  const main = (): number => Number(readFileSync(join(home, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]);
  const signalAll = (signal: NodeJS.Signals): void => {
    const pid = main();
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    for (const one of [pid, ...children]) process.kill(one, signal);
  };
  return {
    url,
    kill: () => process.kill(main(), 'SIGKILL'),
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    [Symbol.asyncDispose]: stop,
  };
};
