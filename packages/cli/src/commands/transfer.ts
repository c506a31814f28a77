import type { Command } from 'commander';
import { addFields, withChecksum } from '../command/fields.ts';
import { namedToken } from '../command/namedToken.ts';
import { addExecuteFlags, carryOut, type ExecuteFlags } from '../execute/carryOut.ts';
import { addressOf } from '../output/addressOf.ts';
import { facts } from '../output/table.ts';
import { coins, dollars } from '../output/words.ts';
import { openShell } from '../shell.ts';
import { decimal } from './trade.ts';

/** Moves a token to another wallet, on its chain or to another. */
export const transfer = (command: Command): void => {
  command.argument('<token>', 'id, platform id, address or slug').argument('<amount>', 'whole tokens', decimal);
  command.argument('<recipient>', 'address', withChecksum);
  command.option('--from-chain <slug>', 'absent: the token’s home').option('--to-chain <slug>', 'absent: the same');
  const inputOf = addFields(addExecuteFlags(command), 'transferToken', [
    'token_id',
    'amount',
    'recipient_address',
    'wallet_address',
    'from_chain_slug',
    'to_chain_slug',
    'execute',
  ]);
  command.action(async (word: string, amount: string, recipient: string) => {
    const flags = command.opts<ExecuteFlags & { fromChain?: string; toChain?: string }>();
    const shell = openShell(flags);
    const token = await namedToken(await shell.client(), word);
    const from = flags.fromChain ?? token.origin_chain;
    const to = flags.toChain ?? from;
    await carryOut(shell, flags, {
      operation: 'transferToken',
      chainSlug: from,
      asked: {
        ...inputOf(),
        token_id: token.id,
        amount,
        recipient_address: recipient,
        from_chain_slug: from,
        to_chain_slug: to,
      },
      walletField: 'wallet_address',
      question: () => `Send ${amount} ${token.symbol} to ${recipient} on ${to}?`,
      show: ({ metadata, transaction }) =>
        facts([
          ['Sends', `${metadata.amount} ${token.symbol}`, `${token.name}, ${addressOf(token)}`],
          ['From', from],
          ['To', recipient, to],
          ...(metadata.crossChain
            ? [
                [
                  'Arrives',
                  `${metadata.amountReceived} ${token.symbol}`,
                  `in about ${metadata.estimatedSeconds} s`,
                ] as const,
                ['Stays', `${metadata.amountKept} ${token.symbol}`, 'below what crosses'] as const,
                ['Way costs', coins(metadata.nativeFee), dollars(metadata.nativeFeeUsd)] as const,
                ['At most', coins(metadata.nativeFeeMax), 'what is left returns'] as const,
              ]
            : []),
          ['Calls', transaction.description, transaction.to],
        ]),
      done: ({ metadata }, outcome) =>
        facts([
          ['Sent', `${metadata.amount} ${token.symbol}`],
          ...(outcome?.guids ?? []).map(
            (guid) => ['Message', guid, `mintage api transactionStatus guid=${guid} chainSlug=${from}`] as const,
          ),
        ]),
    });
  });
};
