import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type ErrorCode, MintageError, type TransactionStatusAnswer } from '@mintage/sdk';
import { Failure } from '../failure.ts';
import type { Shell } from '../shell.ts';

const everyMs = 500;
const mostMs = 180_000;

/** How far a wallet's transaction is to be before the command ends. */
const enough: Record<'mined' | 'final', readonly TransactionStatusAnswer['status'][]> = {
  mined: ['mined', 'final'],
  final: ['final'],
};

/**
 * Follows what the embedded wallet sends for an intent.
 *
 * @throws Failure with what to look at, when it was reverted or nothing is known of it after three minutes.
 */
export const followIntent = async (
  client: Client,
  intentId: string,
  until: 'mined' | 'final',
): Promise<TransactionStatusAnswer> => {
  const look = `mintage api transactionStatus intentId=${intentId}`;
  const longestMs = until === 'final' ? Number.POSITIVE_INFINITY : mostMs; // a chain may take a quarter of an hour to be final
  for (let waitedMs = 0; waitedMs < longestMs; waitedMs += everyMs) {
    const status = await client.transactionStatus({ intentId });
    if (enough[until].includes(status.status)) return status;
    if (status.status === 'failed' || status.status === 'reverted') {
      throw new Failure(
        'sent',
        `${status.hash} ${status.status}: ${status.error ?? 'no reason given'}`,
        `Look: ${look}`,
      );
    }
    await sleep(everyMs);
  }
  throw new Failure('sent', 'It is sent, and not yet in a block.', `Look: ${look}`);
};

/** The caller's embedded wallet, which is made when it is first asked for. */
export const embeddedAddress = async (client: Client): Promise<string> => {
  const { data } = await client.me({});
  const wallet = data.wallets.find(({ embedded }) => embedded);
  if (wallet === undefined) throw new Failure('credential', 'The service made no embedded wallet for this user.');
  return wallet.address;
};

/** Nobody said whether it was done. */
const unanswered: readonly ErrorCode[] = ['UNREACHABLE', 'UNEXPECTED_ANSWER'];

/** Has the embedded wallet sign and send by the operation's own `execute`, once, whatever happens to the connection. */
export const executeByEmbedded = async <Answer extends { executed: boolean; intentId: string | null }>(
  shell: Shell,
  call: (options: { idempotencyKey: string }) => Promise<Answer>,
  until: 'mined' | 'final',
): Promise<{ answer: Answer; status: TransactionStatusAnswer | null }> => {
  const idempotencyKey = crypto.randomUUID();
  const { output } = shell;
  const client = await shell.client();
  const look = `mintage api transactionStatus idempotencyKey=${idempotencyKey}`;
  const interrupted = (): void => {
    output.note(`\nEnded. What was asked for goes on: ${look}`);
    process.exit(130);
  };
  process.once('SIGINT', interrupted);
  try {
    const answer = await output.during('Signing', call({ idempotencyKey })).catch((error: unknown) => {
      if (!(error instanceof MintageError) || !unanswered.includes(error.code)) throw error;
      throw new Failure('sent', `${error.message}. It may have been done.`, `Look: ${look}`);
    });
    if (answer.intentId === null) return { answer, status: null };
    return { answer, status: await output.during('Waiting', followIntent(client, answer.intentId, until)) };
  } finally {
    process.off('SIGINT', interrupted);
  }
};
