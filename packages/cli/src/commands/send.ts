import type { SendTransactionInput } from '@mintage/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { formatUnits, parseUnits } from 'viem';
import { addFields } from '../command/fields.ts';
import { requireChain } from '../command/requireChain.ts';
import { waitFlag } from '../execute/carryOut.ts';
import { sendByEmbedded } from '../execute/embedded.ts';
import { Failure } from '../failure.ts';
import { ask } from '../output/ask.ts';
import { goOnUnread } from '../output/reader.ts';
import { facts } from '../output/table.ts';
import { type GlobalOptions, openShell } from '../shell.ts';

interface SendFlags extends GlobalOptions {
  chain?: string;
  data?: string;
  yes?: boolean;
  dryRun?: boolean;
  wait: 'mined' | 'final';
}

/** Any transaction of the embedded wallet; a wallet of one's own has better tools for that. */
export const send = (command: Command): void => {
  command
    .argument('<to>', 'address')
    .argument('<amount>', 'of the chain’s coin, whole units, as 0.01; 0 with --data', coins);
  command.option('--chain <slug>', 'absent: the profile’s');
  command.option('-y, --yes', 'do not ask').option('--dry-run', 'show what would be sent, and send nothing');
  command.addOption(waitFlag());
  const inputOf = addFields(command, 'sendTransaction', ['to', 'amount', 'chainSlug']);
  command.action(async (to: string, amount: string) => {
    const flags = command.opts<SendFlags>();
    const shell = openShell(flags);
    goOnUnread();
    const chainSlug = requireChain(shell, flags.chain);
    const wei = parseUnits(amount, 18);
    const input = { ...inputOf(), to, chainSlug, amount: wei.toString() };
    if (shell.output.isJson && flags.dryRun) return shell.output.json(input);
    if (!shell.output.isJson) {
      shell.output.print(
        facts([
          ['Sends', `${formatUnits(wei, 18)} of the coin`, chainSlug],
          ['To', to],
          ['Data', flags.data ?? 'none'],
        ]),
      );
    }
    if (flags.dryRun) return;
    if (!flags.yes && !(await ask.confirm(`Send ${amount} to ${to} on ${chainSlug}?`))) {
      throw new Failure('declined', 'Not confirmed. Nothing was sent.');
    }
    // The service reads the words, as of any client.
    const status = await sendByEmbedded(
      shell,
      await shell.client(),
      input as unknown as SendTransactionInput,
      flags.wait,
    );
    if (shell.output.isJson) return shell.output.json(status);
    shell.output.print(
      facts([
        ['Transaction', status.hash],
        ['Status', status.status],
      ]),
    );
  });
};

const coins = (text: string): string => {
  if (/^(0|[1-9]\d*)(\.\d{1,18})?$/.test(text)) return text;
  throw new InvalidArgumentError('It is a number, as 0.01, with at most 18 digits after the dot.');
};
