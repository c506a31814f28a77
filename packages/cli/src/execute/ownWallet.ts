import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type Executed, execute, MintageError, type Prepared, type Sent, type Wallet } from '@mintage/sdk';
import { createWalletClient, type PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { Failure } from '../failure.ts';
import { sayAtInterrupt } from '../interrupt.ts';
import type { Shell } from '../shell.ts';
import { afterSending, lookAt, type OnItsWay } from './afterSending.ts';
import type { Family } from './family.ts';
import { type Provider, providers } from './provider.ts';
import { solanaWallet } from './solanaOwn.ts';

/** @throws Failure where the profile has no wallet of its own. */
export const ownAccount = async (shell: Shell): Promise<PrivateKeyAccount> => {
  const privateKey = await shell.privateKey();
  if (privateKey !== null) return privateKeyToAccount(privateKey);
  throw new Failure(
    'credential',
    'There is no wallet of your own here.',
    '`mintage init` or `mintage profile import` gives one; with --execute your embedded wallet signs.',
  );
};

/** @throws Failure as `ownAccount` and `solanaWallet`. */
export const ownAddress = async (shell: Shell, family: Family): Promise<string> =>
  family === 'solana' ? (await solanaWallet(() => '')).address : (await ownAccount(shell)).address;

interface Options {
  rpcUrl?: string;
  isFinal: boolean;
}

/** Executes a prepared answer by the wallet whose key the profile keeps. Told is every transaction before it is sent. */
export const executeByOwn = async (
  shell: Shell,
  prepared: Prepared,
  family: Family,
  { rpcUrl, isFinal }: Options,
): Promise<Executed> => {
  const providerOf = await providers(shell, rpcUrl);
  const wallet =
    family === 'solana' ? await solanaWallet((slug) => providerOf(slug).url) : await evmWallet(shell, providerOf);
  const calls = await shell.client();
  const { output } = shell;
  const trusted = await shell.trusted();
  const sent: OnItsWay[] = [];
  // It is told before it is sent.
  const onSent = ({ key, hash, chainSlug }: Sent): void => {
    if (hash === null) return;
    sent.push({ hash, chainSlug });
    output.note(`${key.endsWith('approve') ? 'Approval' : 'Transaction'} ${hash} on ${chainSlug}`);
  };
  const stopped = (): void => {
    output.note(sent.length === 0 ? '\nEnded. Nothing was sent.' : '\nEnded. What was sent goes on:');
    for (const one of sent) output.note(`  ${lookAt(one)}`);
  };
  return sayAtInterrupt(stopped, async () => {
    try {
      const executed = await output.during('Sending', execute(prepared, { wallet, trusted, calls, onSent }));
      if (isFinal) await output.during('Waiting until it is final', untilFinal(calls, executed.transactions));
      return executed;
    } catch (error) {
      throw afterSending(
        error,
        sent.filter(({ hash }) => hash !== refusedIn(error)),
      );
    }
  });
};

const evmWallet = async (shell: Shell, providerOf: (slug: string) => Provider) => {
  const account = await ownAccount(shell);
  return ({ slug }: { slug: string }): Wallet => createWalletClient({ account, ...providerOf(slug) });
};

/** Hash of what was signed and then refused: it was not sent. */
const refusedIn = (error: unknown): string | null => {
  if (!(error instanceof MintageError) || error.code === 'SENT_UNCONFIRMED') return null;
  return (error.details as { sent?: Sent } | undefined)?.sent?.hash ?? null;
};

const everyMs = 2_000;

/** @throws Failure when a chain has undone one of them for good. */
const untilFinal = async (
  client: Client,
  transactions: readonly { chainSlug: string; hash: string }[],
): Promise<void> => {
  for (const { chainSlug, hash } of transactions) {
    for (;;) {
      const { status, error } = await client.transactionStatus({ hash, chainSlug: chainSlug as never });
      if (status === 'final') break;
      if (status === 'failed' || status === 'reverted')
        throw new Failure('sent', `${hash} ${status} in the end: ${error ?? 'no reason given'}`);
      await sleep(everyMs);
    }
  }
};
