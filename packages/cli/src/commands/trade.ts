import type { TradeTokenAnswer } from '@mintage/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { parseUnits } from 'viem';
import { addFields, valueOf } from '../command/fields.ts';
import { namedToken } from '../command/namedToken.ts';
import { arrived } from '../execute/arrived.ts';
import { addExecuteFlags, carryOut, type ExecuteFlags, filledByCarryOut } from '../execute/carryOut.ts';
import { heldAmount, tokenDecimalsOf } from '../execute/held.ts';
import { called, quoted } from '../execute/quoted.ts';
import { addressOf } from '../output/addressOf.ts';
import { facts } from '../output/table.ts';
import { openShell } from '../shell.ts';

const amounts = ['buyAmountUSD', 'buyAmountToken', 'sellAmountToken', 'sellAmountUSD'];
const filledIn = [...filledByCarryOut, ...amounts, 'tokenId', 'direction', 'chainSlug'];

interface TradeFlags extends ExecuteFlags {
  chain?: string;
  tokens?: boolean;
  usd?: boolean;
}

const trade =
  (direction: 'buy' | 'sell') =>
  (command: Command): void => {
    command.argument('<token>', 'id, platform id, address or slug');
    if (direction === 'buy') {
      command.argument('<amount>', 'dollars that you pay, all fees included', decimal);
      command.option('--tokens', 'the amount is of tokens that you get');
    } else {
      command.argument('<amount>', 'tokens that you sell: a number, 50%, or all', part);
      command.option('--usd', 'the amount is of dollars that arrive');
    }
    command.option('--chain <slug>', 'absent: the token’s home');
    const inputOf = addFields(addExecuteFlags(command), 'tradeToken', filledIn);
    command.action(async (word: string, amount: string) => {
      const flags = command.opts<TradeFlags>();
      const shell = openShell(flags);
      const token = await namedToken(await shell.client(), word);
      const chainSlug = flags.chain ?? token.origin_chain;
      const inDollars = direction === 'buy' ? !flags.tokens : flags.usd;
      const ofTokens = async () =>
        parseUnits(await heldAmount(shell, flags, { token, chainSlug, amount }), tokenDecimalsOf(token)).toString();
      const field = `${direction}Amount${inDollars ? 'USD' : 'Token'}`;
      const asked = {
        ...inputOf(),
        tokenId: token.id,
        chainSlug,
        direction,
        [field]: inDollars ? valueOf({ name: field, kind: 'number', about: '' }, amount) : await ofTokens(),
      };
      const name = `${token.name} (${token.symbol})`;
      await carryOut(shell, flags, {
        operation: 'tradeToken',
        chainSlug,
        asked,
        walletField: 'userAddress',
        question: ({ quote }) =>
          direction === 'buy'
            ? `Pay ${quote.limitKind === 'max_input' ? 'at most ' : ''}${paid(quote)} for ${name} on ${chainSlug}?`
            : `Sell ${quote.limitKind === 'max_input' ? 'at most ' : ''}${paid(quote)} of ${name} on ${chainSlug}?`,
        show: ({ quote }) =>
          [
            facts([
              [direction === 'buy' ? 'Buy' : 'Sell', name, `on ${chainSlug}`],
              ['Token', addressOf(token)],
            ]),
            quoted(quote),
            called(quote.decoded, quote.simulation),
          ].join('\n\n'),
        done: ({ quote }, outcome) => arrived(quote, outcome?.traded ?? null),
      });
    });
  };

/** The most that leaves the wallet. */
const paid = ({ limitKind, limitAmount, inputAmount, inputSymbol }: TradeTokenAnswer['quote']): string =>
  `${limitKind === 'max_input' ? limitAmount : inputAmount} ${inputSymbol}`;

export const decimal = (text: string): string => {
  if (/^(0|[1-9]\d*)(\.\d{1,18})?$/.test(text) && Number(text) > 0) return text;
  throw new InvalidArgumentError('It is a number greater than zero, as 12.5, with at most 18 digits after the dot.');
};

const part = (text: string): string => {
  if (text === 'all') return '100%';
  const share = /^(\d{1,3})%$/.exec(text)?.[1];
  return share !== undefined && Number(share) >= 1 && Number(share) <= 100 ? text : decimal(text);
};

export const buy = trade('buy');
export const sell = trade('sell');
