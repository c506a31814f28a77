import type { SendTransactionInput } from '@mintage/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { parseUnits } from 'viem';
import { addFields, withChecksum } from '../command/fields.ts';
import { requireChain } from '../command/requireChain.ts';
import { waitFlag } from '../execute/carryOut.ts';
import { embeddedAddress, sendByEmbedded } from '../execute/embedded.ts';
import { familyOf } from '../execute/family.ts';
import { Failure } from '../failure.ts';
import { ask } from '../output/ask.ts';
import { goOnUnread } from '../output/reader.ts';
import { facts } from '../output/table.ts';
import { type GlobalOptions, openShell, type Shell } from '../shell.ts';

interface SendFlags extends GlobalOptions {
  chain?: string;
  data?: string;
  dollars?: boolean;
  yes?: boolean;
  dryRun?: boolean;
  wait: 'mined' | 'final';
}

/** Any transaction of the embedded wallet; a wallet of one's own has better tools for that. */
export const send = (command: Command): void => {
  command
    .argument('<to>', 'address', withChecksum)
    .argument('<amount>', 'of the chain’s coin, whole units, as 0.01; 0 with --data', numeral)
    .option('--dollars', 'the amount is of dollars, and <to> the wallet that gets them');
  command.option('--chain <slug>', 'absent: the profile’s');
  command.option('-y, --yes', 'do not ask').option('--dry-run', 'show what would be sent, and send nothing');
  command.addOption(waitFlag());
  const inputOf = addFields(command, 'sendTransaction', ['to', 'amount', 'chainSlug', 'usd']);
  command.action(async (to: string, amount: string) => {
    const flags = command.opts<SendFlags>();
    const shell = openShell(flags);
    goOnUnread();
    const chainSlug = requireChain(shell, flags.chain);
    const { symbol, decimals } = await currencyOn(shell, chainSlug, flags.dollars === true);
    if ((amount.split('.')[1] ?? '').length > decimals)
      throw new Failure('usage', `${symbol} has at most ${decimals} digits after the dot on ${chainSlug}.`);
    const units = parseUnits(amount, decimals).toString();
    const input = { ...inputOf(), to, chainSlug, ...(flags.dollars ? { usd: units } : { amount: units }) };
    if (shell.output.isJson && flags.dryRun) return shell.output.json(input);
    if (!shell.output.isJson) {
      shell.output.print(
        facts([
          ['Sends', `${amount} ${symbol}`, chainSlug],
          ['To', to],
          ['Data', flags.data ?? 'none'],
        ]),
      );
    }
    if (flags.dryRun) return;
    await embeddedAddress(await shell.client(), familyOf(chainSlug)); // else the terminal is not what is missing
    if (!flags.yes && !(await ask.confirm(`Send ${amount} ${symbol} to ${to} on ${chainSlug}?`))) {
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

/** @throws Failure for a chain that the service does not serve. */
const currencyOn = async (shell: Shell, slug: string, isDollars: boolean) => {
  const { chains } = await (await shell.client()).chains();
  const chain = chains.find((one) => one.slug === slug);
  if (chain === undefined)
    throw new Failure('usage', `The service has no chain ${slug}.`, '`mintage chains` lists those that it has.');
  return isDollars ? chain.dollarToken : chain.nativeCurrency;
};

const numeral = (text: string): string => {
  if (/^(0|[1-9]\d*)(\.\d+)?$/.test(text)) return text;
  throw new InvalidArgumentError('It is a number, as 0.01.');
};
