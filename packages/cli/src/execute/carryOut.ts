import {
  type Calls,
  checkPrepared,
  checkPreparedSolana,
  type Outcome,
  type Prepared,
  type PreparedOperation,
  prepare,
} from '@mintage/sdk';
import { type Command, Option } from 'commander';
import { Failure } from '../failure.ts';
import { ask, toConfirm } from '../output/ask.ts';
import { requireTerminal } from '../output/output.ts';
import { plain } from '../output/plain.ts';
import { goOnUnread } from '../output/reader.ts';
import { facts } from '../output/table.ts';
import type { GlobalOptions, Shell } from '../shell.ts';
import { embeddedAddress, executeByEmbedded } from './embedded.ts';
import { familyOf } from './family.ts';
import { executeByOwn, ownAddress } from './ownWallet.ts';

export interface ExecuteFlags extends GlobalOptions {
  yes?: boolean;
  dryRun?: boolean;
  execute?: boolean;
  wait: 'mined' | 'final';
  rpc?: string;
}

export const waitFlag = (): Option =>
  new Option('--wait <how far>', 'when the command ends').choices(['mined', 'final']).default('mined');

/** The flags of everything that a wallet signs. */
export const addExecuteFlags = (command: Command): Command =>
  command
    .option('-y, --yes', 'do not ask')
    .option('--dry-run', 'show what would happen, and send nothing')
    .option('--execute', 'have your embedded wallet sign instead of your own')
    .addOption(waitFlag())
    .option('--rpc <url>', 'provider that your own wallet sends through; absent: the profile’s, else the service’s');

/** Fields that `carryOut` fills in. */
export const filledByCarryOut = ['userAddress', 'execute', 'simulate'];

type Asked<Name extends PreparedOperation> = Parameters<Calls[Name]>[0];
type AnswerOf<Name extends PreparedOperation> = Awaited<ReturnType<Calls[Name]>>;

/** Something that a wallet is to do. */
export interface Deal<Name extends PreparedOperation> {
  operation: Name;
  /** Where it happens, which decides what wallet it takes; null: on no chain in particular. */
  chainSlug: string | null;
  /** Without the wallet that sends it. */
  asked: object;
  /** The field that names that wallet. */
  walletField: 'userAddress' | 'wallet_address';
  /** In one line: what is confirmed. */
  question(answer: AnswerOf<Name>): string;
  show(answer: AnswerOf<Name>): string;
  /** What arrived, beside what was said; null: it is sent, and what became of it is not read here. */
  done(answer: AnswerOf<Name>, outcome: Outcome | null): string;
}

/**
 * Prepares, shows, asks, signs, sends, waits, and shows what arrived. What is shown are the bytes that are signed: they are
 * checked before anybody is asked, and nothing is prepared again behind the back of who answered.
 *
 * With --json the service's answer is printed, then what the wallet did.
 */
export const carryOut = async <Name extends PreparedOperation>(
  shell: Shell,
  flags: ExecuteFlags,
  { operation, chainSlug, asked, walletField, question, show, done }: Deal<Name>,
): Promise<void> => {
  const { output } = shell;
  goOnUnread();
  const client = await shell.client();
  const isOwn = !flags.execute;
  const family = familyOf(chainSlug);
  const address = isOwn ? await ownAddress(shell, family) : await embeddedAddress(client, family);
  // After it is known that there is who signs: else the terminal is not what is missing.
  // A draft keeps the token's name for a day, so nothing is prepared that the user cannot confirm.
  if (!flags.yes && !flags.dryRun) requireTerminal(toConfirm);
  const input = {
    ...asked,
    [walletField]: address,
    execute: false, // nothing is signed before it was shown
  } as Asked<Name>;
  const prepared = await output.during('Preparing', prepare(client, operation, input));
  const answer = prepared.answer as AnswerOf<Name>;
  const check = family === 'solana' ? checkPreparedSolana : checkPrepared;
  check(prepared as Prepared, address, await shell.trusted());

  if (output.isJson) output.json(answer);
  else output.print(`${show(answer)}\n\n${facts([['Wallet', address, isOwn ? 'your own' : 'embedded']])}\n`);
  for (const { sentence } of warningsOf(answer)) output.note(`! ${plain(sentence)}`);
  if (flags.dryRun) return;
  if ('transactions' in answer && answer.transactions.length === 0) return output.note('There is nothing to sign.');
  refuseFailing(answer);
  if (!flags.yes && !(await ask.confirm(question(answer))))
    throw new Failure('declined', 'Not confirmed. Nothing was sent.');

  const { rpc: rpcUrl, wait } = flags;
  const executed = isOwn
    ? await executeByOwn(shell, prepared as Prepared, family, { rpcUrl, isFinal: wait === 'final' })
    : await executeByEmbedded(shell, prepared as Prepared, address, { rpcUrl, until: wait });
  if (output.isJson) output.json({ executed });
  else output.print(done(answer, 'outcome' in executed ? executed.outcome : executed));
};

/** Without that an approval is needed: it is sent with the rest. */
const warningsOf = (answer: object): readonly { sentence: string }[] =>
  'warnings' in answer
    ? (answer.warnings as { code: string; sentence: string }[]).filter(({ code }) => code !== 'ALLOWANCE_NEEDED')
    : [];

/** @throws Failure: what a simulation saw fail is not sent. */
const refuseFailing = (answer: object): void => {
  const quote = 'quote' in answer ? (answer.quote as { simulation?: Simulated } | null) : null;
  const simulation = quote?.simulation ?? ('simulation' in answer ? (answer.simulation as Simulated) : null);
  if (simulation?.ok === false) {
    throw new Failure('refused', `It would fail: ${simulation.reason ?? 'no reason given'}`, 'Nothing was sent.');
  }
};

type Simulated = { ok: boolean | null; reason: string | null } | null;
