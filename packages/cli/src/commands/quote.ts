import { Argument, type Command } from 'commander';
import { addFields } from '../command/fields.ts';
import { namedToken } from '../command/namedToken.ts';
import { facts, table } from '../output/table.ts';
import { percent } from '../output/words.ts';
import { type GlobalOptions, openShell } from '../shell.ts';
import { decimal } from './trade.ts';

/** The price of a trade, for nobody in particular; `--dry-run` of buy and sell shows what a wallet of one's own would sign. */
export const quote = (command: Command): void => {
  command
    .addArgument(new Argument('<direction>').choices(['buy', 'sell']))
    .argument('<token>', 'id, platform id, address or slug');
  command.argument('<amount>', 'of dollars for a buy, of tokens for a sell', decimal);
  command.option('--other', 'the amount is of the other side: tokens of a buy, dollars of a sell');
  command.option('--chain <slug>', 'absent: the token’s home');
  const inputOf = addFields(command, 'quoteToken', [
    'tokenId',
    'direction',
    'amount',
    'inputToken',
    'chainSlug',
    'poolType',
  ]);
  command.action(async (direction: string, word: string, amount: string) => {
    const flags = command.opts<GlobalOptions & { other?: boolean; chain?: string }>();
    const shell = openShell(flags);
    const client = shell.anonymous();
    const token = await namedToken(client, word);
    const isDollars = (direction === 'buy') !== (flags.other ?? false);
    const answer = await client.quoteToken({
      ...inputOf(),
      tokenId: token.id,
      direction: direction as 'buy',
      amount: Number(amount),
      inputToken: isDollars ? 'usdc' : 'token',
      chainSlug: (flags.chain ?? token.origin_chain) as 'base',
    });
    if (shell.output.isJson) return shell.output.json(answer);
    const { data } = answer;
    shell.output.print(
      [
        facts([
          [`${direction} ${token.name}`, `${data.inputAmount} ${data.inputTokenSymbol}`, 'given'],
          ['', `${data.outputAmount} ${data.outputTokenSymbol}`, 'all fees included'],
          ['Price impact', percent(data.priceImpactBps)],
          ...(data.antiSnipe === null
            ? []
            : [['Opening fee', percent(data.antiSnipe.feeBps), `for ${data.antiSnipe.secondsLeft} s more`] as const]),
          ['As of', data.state.blockNumber === null ? 'its start' : `block ${data.state.blockNumber}`],
        ]),
        table(data.fees, [
          { head: 'fee', of: ({ kind }) => kind.replaceAll('_', ' ') },
          { head: '', isNumber: true, of: ({ bps }) => percent(bps) },
          { head: 'dollars', isNumber: true, of: ({ amountUsd }) => amountUsd },
        ]),
      ].join('\n\n'),
    );
  });
};
