import { type Address, type Chain, chainTypeOf, encodeMint, requireHex } from '@mintage/protocol';
import { type Listener, listen, type SignerDatabase, signedChannel } from '@mintage/server/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { type Hex, numberToHex, parseUnits } from 'viem';
import type { DevChain } from './chains.ts';
import type { LocalSolana } from './solana/localSolana.ts';

export interface Faucet {
  stop(): Promise<void>;
}

/** What a new embedded wallet gets on each local chain. */
export const faucetUsd = 1_000;
const faucetNative = 10n ** 18n;

/** Polling interval, milliseconds, for new wallets whose notification was lost. */
const lookEveryMs = 5_000;

/**
 * Fills every new embedded wallet on the local chains, so that users without a wallet of their own can trade there: one
 * native coin for gas, and test dollars. At most once per chain, even across restarts: a wallet that has native coin,
 * or has sent anything, is skipped.
 */
export const startFaucet = (db: Kysely<SignerDatabase>, taps: readonly Tap[], log: Logger): Faucet => {
  const filled = new Set<string>();
  let looking: Promise<void> = Promise.resolve();
  let isStopped = false;

  const look = async (): Promise<void> => {
    const wallets = await db
      .selectFrom('embedded_wallet')
      .select(['address', 'chain_type'])
      .where('address', 'is not', null)
      .orderBy('requested_at')
      .execute();
    for (const { address, chain_type } of wallets) {
      for (const { chain, fill } of taps) {
        const place = `${chain.slug} ${address}`;
        if (isStopped || chainTypeOf(chain) !== chain_type || filled.has(place)) continue;
        await fill(address as Address);
        filled.add(place);
      }
    }
  };
  /** One check at a time: a wallet that arrives during a check is handled by the next. */
  const lookAgain = (): void => {
    looking = looking.then(look).catch((err: unknown) => {
      if (!isStopped) log.warn({ err }, 'An embedded wallet could not be filled; that is tried again.');
    });
  };
  const listener: Listener = listen(db, {
    channel: signedChannel,
    heard: lookAgain,
    onError: (err) => log.warn({ err }, 'The faucet cannot listen to the database.'),
  });
  const timer = setInterval(lookAgain, lookEveryMs);
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await listener.stop();
      await looking;
    },
  };
};

/** Where a wallet is filled: one local chain. */
export interface Tap {
  chain: Chain;
  fill(wallet: Address): Promise<void>;
}

export const evmTap = (chain: DevChain): Tap => ({
  chain: chain.chain,
  fill: (wallet) => fillOnEvm(chain, requireHex(wallet)),
});

export const solanaTap = ({ chain, deployment, fill }: LocalSolana): Tap => ({
  chain,
  fill: (wallet) => fill(wallet, parseUnits(String(faucetUsd), deployment.usdDecimals)),
});

/** Dollars are sent first, so a wallet with native coin has received both. */
const fillOnEvm = async ({ rpc, wallet, accounts, deployment }: DevChain, address: Hex): Promise<void> => {
  const ask = async (method: string): Promise<bigint> => BigInt((await rpc(method, [address, 'latest'])) as Hex);
  if ((await ask('eth_getBalance')) > 0n || (await ask('eth_getTransactionCount')) > 0n) return;
  const dollars = parseUnits(String(faucetUsd), deployment.usdDecimals);
  await wallet.send(accounts.faucet, { to: deployment.usd, data: encodeMint(address, dollars) });
  await wallet.send(accounts.faucet, { to: address, data: '0x', value: faucetNative });
};

/** Funds the faucet, because chains built by earlier versions have an empty one. */
export const openFaucet = ({ rpc, accounts }: DevChain): Promise<unknown> =>
  rpc('anvil_setBalance', [accounts.faucet.address, numberToHex(10n ** 24n)]);
