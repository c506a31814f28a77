import { type ChainSlug, tokenDecimalsOn } from '@mintage/sdk';
import type { Command } from 'commander';
import { formatUnits } from 'viem';
import { addFields } from '../command/fields.ts';
import { addExecuteFlags, carryOut, type ExecuteFlags, filledByCarryOut } from '../execute/carryOut.ts';
import { facts, table } from '../output/table.ts';
import { counted } from '../output/words.ts';
import { openShell } from '../shell.ts';

/** Pays out everything that a wallet earned. */
export const claim = (command: Command): void => {
  const inputOf = addFields(addExecuteFlags(command), 'claimRewards', filledByCarryOut);
  command.action(async () => {
    const flags = command.opts<ExecuteFlags>();
    const shell = openShell(flags);
    const trusted = await shell.trusted();
    const asked = inputOf();
    const [named] = (asked.chains as string[] | undefined) ?? [];
    await carryOut(shell, flags, {
      operation: 'claimRewards',
      chainSlug: named ?? (process.env.MINTAGE_CHAIN || shell.profile?.chain) ?? null,
      asked,
      walletField: 'userAddress',
      question: ({ metadata }) => `Claim on ${counted(metadata.totalChainsWithBalance, 'chain')}?`,
      show: ({ transactions, metadata }) =>
        [
          facts([
            ['Claims', 'everything that the vault owes at that moment'],
            ['Chains', metadata.totalChainsWithBalance],
            ['Currencies', metadata.totalCurrenciesClaimed],
          ]),
          table(transactions, [
            { head: 'chain', of: ({ chainSlug }) => chainSlug },
            { head: 'does', of: ({ description }) => description },
            { head: 'vault', of: ({ to }) => to },
          ]),
        ].join('\n\n'),
      done: ({ transactions }, outcome) =>
        outcome === null
          ? facts([['Claimed on', transactions.map(({ chainSlug }) => chainSlug).join(', ')]])
          : facts(
              outcome.withdrawn.map(({ chainSlug, currency, amount }) => {
                const dollar = trusted[chainSlug as 'base'];
                const isDollar = dollar?.usd === currency;
                return [
                  'Paid',
                  `${formatUnits(amount, isDollar ? dollar.usdDecimals : tokenDecimalsOn(chainSlug as ChainSlug))} ${isDollar ? 'dollars' : currency}`,
                  chainSlug,
                ] as const;
              }),
            ),
    });
  });
};
