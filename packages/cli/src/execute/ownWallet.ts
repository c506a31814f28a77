import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type Executed, execute, type Prepared, type Sent, type Wallet } from '@mintage/sdk';
import { createWalletClient, type PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { Failure } from '../failure.ts';
import type { Shell } from '../shell.ts';
import { providers } from './provider.ts';

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

interface Options {
  rpcUrl?: string;
  isFinal: boolean;
}

/** Executes a prepared answer by the wallet whose key the profile keeps. Told is every transaction before it is sent. */
export const executeByOwn = async (
  shell: Shell,
  prepared: Prepared,
  { rpcUrl, isFinal }: Options,
): Promise<Executed> => {
  const account = await ownAccount(shell);
  const providerOf = await providers(shell, rpcUrl);
  const wallet = ({ slug }: { slug: string }): Wallet => createWalletClient({ account, ...providerOf(slug) });
  const { output } = shell;
  const stop = whileSending(output.note);
  try {
    const executed = await output.during(
      'Sending',
      execute(prepared, {
        wallet,
        trusted: await shell.trusted(),
        onSent: (sent) => {
          stop.know(sent);
          if (sent.hash !== null)
            output.note(
              `${sent.key.endsWith('approve') ? 'Approval' : 'Transaction'} ${sent.hash} on ${sent.chainSlug}`,
            );
        },
      }),
    );
    if (isFinal)
      await output.during('Waiting until it is final', untilFinal(await shell.client(), executed.transactions));
    return executed;
  } finally {
    stop.end();
  }
};

/** Ctrl-C while something is on its way does not stop it: says by what it is found again, and ends. */
const whileSending = (note: (text: string) => void) => {
  const known = new Map<string, Sent>();
  const interrupted = (): void => {
    const sent = [...known.values()].filter(({ hash }) => hash !== null);
    note(sent.length === 0 ? '\nEnded. Nothing was sent.' : '\nEnded. What was sent goes on:');
    for (const { hash, chainSlug } of sent) note(`  mintage api transactionStatus hash=${hash} chainSlug=${chainSlug}`);
    process.exit(130);
  };
  process.once('SIGINT', interrupted);
  return {
    know: (sent: Sent) => known.set(sent.key, sent),
    end: () => process.off('SIGINT', interrupted),
  };
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
      if (status === 'failed') throw new Failure('sent', `${hash} failed in the end: ${error ?? 'no reason given'}`);
      await sleep(everyMs);
    }
  }
};
