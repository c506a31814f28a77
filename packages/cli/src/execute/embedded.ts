import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  type Outcome,
  outcomeOf,
  type Prepared,
  type SendTransactionInput,
  solanaOutcomeOf,
  type TransactionStatusAnswer,
  trustedOn,
  trustedSolanaOn,
} from '@mintage/sdk';
import { createPublicClient, decodeFunctionData, erc20Abi } from 'viem';
import { Failure, told } from '../failure.ts';
import { sayAtInterrupt } from '../interrupt.ts';
import { plain } from '../output/plain.ts';
import type { Shell } from '../shell.ts';
import { afterSending, type OnItsWay } from './afterSending.ts';
import { type Family, familyOf } from './family.ts';
import { providers } from './provider.ts';
import { lookByKey, unanswered } from './unanswered.ts';

/** The caller's embedded wallet, which is made when it is first asked for. */
export const embeddedAddress = async (client: Client, family: Family): Promise<string> => {
  const { data } = await client.me({});
  const wallet = data.wallets.find(({ embedded, chainType }) => embedded && chainType === family);
  if (wallet === undefined) throw new Failure('credential', 'The service made no embedded wallet for this user.');
  return wallet.address;
};

interface Options {
  until: 'mined' | 'final';
  rpcUrl?: string;
}

export interface ExecutedByEmbedded {
  transactions: OnItsWay[];
  /** By the events; null where they were not read. */
  outcome: Outcome | null;
}

/**
 * Has the embedded wallet sign the items of an answer as they are, one after the other: what was shown, and not what the service
 * would prepare now.
 *
 * @param wallet - The embedded one, for which `checkPrepared` has held every item against what was asked.
 */
export const executeByEmbedded = async (
  shell: Shell,
  { asked, answer }: Prepared,
  wallet: string,
  { until, rpcUrl }: Options,
): Promise<ExecutedByEmbedded> => {
  const client = await shell.client();
  const items: Item[] =
    'transactions' in answer
      ? [...answer.transactions]
      : [{ ...answer.transaction, chainSlug: (asked as { chainSlug: string }).chainSlug }];
  const transactions: OnItsWay[] = [];
  for (const [index, item] of items.entries()) {
    const isLast = index === items.length - 1;
    const { hash } = await sendByEmbedded(shell, client, inputOf(item), isLast ? until : 'mined').catch(
      (error: unknown) => {
        throw afterSending(error, transactions);
      },
    );
    transactions.push({ chainSlug: item.chainSlug, hash });
  }
  return { transactions, outcome: await outcomeIn(shell, transactions, wallet, rpcUrl) };
};

interface Item {
  chainSlug: string;
  to: string;
  data: string;
  value: string;
}

/** An approval that stands alone is signed because the caller repeats it: it is what the order after it takes. */
const inputOf = ({ chainSlug, to, data, value }: Item): SendTransactionInput => {
  const approvalRaw = approvedBy(data);
  // The slug is the service's own, of the answer before.
  const input = { to, data, amount: value, chainSlug } as SendTransactionInput;
  return approvalRaw === null ? input : { ...input, acknowledge: { approvalRaw } };
};

const approveSelector = '0x095ea7b3';

const approvedBy = (data: string): string | null => {
  if (!data.startsWith(approveSelector)) return null;
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: data as `0x${string}` });
  return functionName === 'approve' ? args[1].toString() : null;
};

const everyMs = 500;
const mostMs = 180_000;

/** How far a wallet's transaction is to be before the command ends. */
const enough: Record<'mined' | 'final', readonly TransactionStatusAnswer['status'][]> = {
  mined: ['mined', 'final'],
  final: ['final'],
};

/** Follows what the embedded wallet sends. @throws Failure with what to look at, when it failed or is not mined in three minutes. */
const followIntent = async (client: Client, intentId: string, until: 'mined' | 'final') => {
  const look = `Look: mintage api transactionStatus intentId=${intentId}`;
  const longestMs = until === 'final' ? Number.POSITIVE_INFINITY : mostMs; // a chain may take a quarter of an hour to be final
  for (let waitedMs = 0; waitedMs < longestMs; waitedMs += everyMs) {
    const status = await client.transactionStatus({ intentId });
    if (enough[until].includes(status.status)) return status;
    if (status.status === 'failed' || status.status === 'reverted')
      throw new Failure('sent', `${status.hash} ${status.status}: ${status.error ?? 'no reason given'}`, look);
    await sleep(everyMs);
  }
  throw new Failure('sent', 'It is sent, and not yet in a block.', look);
};

/** Signs and sends once, whatever happens to the connection, and waits. */
export const sendByEmbedded = async (
  { output }: Shell,
  client: Client,
  input: SendTransactionInput,
  until: 'mined' | 'final',
): Promise<TransactionStatusAnswer> => {
  const idempotencyKey = crypto.randomUUID();
  const look = lookByKey(idempotencyKey);
  const stopped = () => output.note(`\nEnded. What was asked for goes on: ${look}`);
  return sayAtInterrupt(stopped, async () => {
    const sending = client.sendTransaction(input, { idempotencyKey }).catch((error: unknown) => {
      throw unanswered(error, () => `Look: ${look}`);
    });
    const { hash, intentId } = await output.during('Signing', sending);
    output.note(plain(`Transaction ${hash} on ${input.chainSlug}`));
    return output.during('Waiting', followIntent(client, intentId, until)).catch((error: unknown) => {
      throw afterSending(error, [], [look]);
    });
  });
};

/** By the chain, or on Solana by the service; null where it could not be read. */
const outcomeIn = async (
  shell: Shell,
  transactions: ExecutedByEmbedded['transactions'],
  wallet: string,
  rpcUrl: string | undefined,
): Promise<Outcome | null> => {
  const [first] = transactions;
  if (first === undefined) return null;
  const read = familyOf(first.chainSlug) === 'solana' ? outcomeOnSolana : outcomeOnEvm;
  try {
    return await read(shell, transactions, wallet, rpcUrl);
  } catch (error) {
    // It is mined, as the service says: what is missing is only how it went.
    shell.output.note(`What arrived was not read from the chain: ${plain(told(error).message)}`);
    return null;
  }
};

const outcomeOnEvm: typeof outcomeIn = async (shell, transactions, wallet, rpcUrl) => {
  const providerOf = await providers(shell, rpcUrl);
  const trusted = await shell.trusted();
  const receipts = await Promise.all(
    transactions.map(async ({ chainSlug, hash }) => {
      const receipt = await createPublicClient(providerOf(chainSlug)).waitForTransactionReceipt({
        hash: hash as `0x${string}`,
        timeout: 30_000,
      });
      return { chain: trustedOn(trusted, chainSlug), receipt };
    }),
  );
  return outcomeOf(receipts, wallet as `0x${string}`);
};

const outcomeOnSolana: typeof outcomeIn = async (shell, transactions, wallet) => {
  const client = await shell.client();
  const trusted = await shell.trusted();
  const landed = await Promise.all(
    transactions.map(async ({ chainSlug, hash }) => {
      const { events } = await client.getTransaction({ hash, chainSlug: chainSlug as 'solana' });
      return { chain: trustedSolanaOn(trusted, chainSlug), events };
    }),
  );
  return solanaOutcomeOf(landed, wallet);
};
