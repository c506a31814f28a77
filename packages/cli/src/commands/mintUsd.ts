import type { Command } from 'commander';
import { addFields, valueOf } from '../command/fields.ts';
import { requireChain } from '../command/requireChain.ts';
import { addExecuteFlags, carryOut, type ExecuteFlags, filledByCarryOut } from '../execute/carryOut.ts';
import { facts } from '../output/table.ts';
import { openShell } from '../shell.ts';
import { decimal } from './trade.ts';

/** Test dollars, on test chains. */
export const mintUsd = (command: Command): void => {
  command.argument('[amount]', 'dollars; absent: 100000', decimal).option('--chain <slug>', 'absent: the profile’s');
  const inputOf = addFields(addExecuteFlags(command), 'mintUsd', [...filledByCarryOut, 'chainSlug', 'amount']);
  command.action(async (amount: string | undefined) => {
    const flags = command.opts<ExecuteFlags & { chain?: string }>();
    const shell = openShell(flags);
    const chainSlug = requireChain(shell, flags.chain);
    const dollars =
      amount === undefined ? {} : { amount: valueOf({ name: 'amount', kind: 'number', about: '' }, amount) };
    await carryOut(shell, flags, {
      operation: 'mintUsd',
      chainSlug,
      asked: { ...inputOf(), ...dollars, chainSlug },
      walletField: 'userAddress',
      question: () => `Mint ${amount ?? '100000'} test dollars on ${chainSlug}?`,
      show: ({ transaction }) =>
        facts([
          ['Mints', `${amount ?? '100000'} test dollars`, chainSlug],
          ['Calls', transaction.to],
        ]),
      done: () => facts([['Minted', `${amount ?? '100000'} test dollars`, chainSlug]]),
    });
  });
};
