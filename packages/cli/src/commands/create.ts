import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Command } from 'commander';
import { addFields } from '../command/fields.ts';
import { requireChain } from '../command/requireChain.ts';
import { arrived } from '../execute/arrived.ts';
import { addExecuteFlags, carryOut, type ExecuteFlags, filledByCarryOut } from '../execute/carryOut.ts';
import { called, quoted } from '../execute/quoted.ts';
import { Failure } from '../failure.ts';
import { facts } from '../output/table.ts';
import { coins } from '../output/words.ts';
import { openShell } from '../shell.ts';

interface CreateFlags extends ExecuteFlags {
  chain?: string;
  image: string;
  banner?: string;
  video?: string;
  amountIn?: number;
}

/** What is asked for as an address, and here may be a file too. */
const media = ['image', 'banner', 'video'] as const;

export const create = (command: Command): void => {
  command.option('--chain <slug>', 'absent: the profile’s');
  command.requiredOption(
    '--image <file>',
    'picture of the token: a file or a web address; PNG, JPEG, GIF, WEBP or SVG',
  );
  command.option('--banner <file>', 'wide picture of the token: a file or a web address');
  command.option('--video <file>', 'video of the token: a file or a web address');
  const inputOf = addFields(addExecuteFlags(command), 'createTokenTransaction', [
    ...filledByCarryOut,
    'chainSlug',
    'type',
    ...media,
  ]);
  command.action(async () => {
    const flags = command.opts<CreateFlags>();
    const shell = openShell(flags);
    const chainSlug = requireChain(shell, flags.chain);
    const files = Object.fromEntries(
      media.flatMap((kind) => (flags[kind] === undefined ? [] : [[kind, addressOrFile(flags[kind])]])),
    );
    await carryOut(shell, flags, {
      operation: 'createTokenTransaction',
      chainSlug,
      asked: { ...inputOf(), ...files, chainSlug },
      walletField: 'userAddress',
      question: ({ metadata, quote }) =>
        `Create ${metadata.name} (${metadata.symbol}) on ${chainSlug}${quote === null ? '' : ` and buy for ${quote.inputAmount} ${quote.inputSymbol}`}?`,
      show: ({ metadata, quote, decoded, simulation, registration }) =>
        [
          facts([
            ['Creates', `${metadata.name} (${metadata.symbol})`, chainSlug],
            ['Address', metadata.addresses.evm || metadata.addresses.solana],
            ['Id', metadata.tokenId],
            ['Slug', metadata.slug],
            ...(registration === null
              ? []
              : ([
                  ['Deploys on', registration.chains.map(({ chain }) => chain).join(', ')],
                  ['Way costs', coins(registration.nativeFee)],
                  ['At most', coins(registration.nativeFeeMax), 'what is left returns'],
                ] as const)),
          ]),
          ...(quote === null ? [] : [quoted(quote)]),
          called(decoded, simulation),
        ].join('\n\n'),
      done: ({ metadata, quote }, outcome) =>
        [
          facts([
            [outcome === null ? 'Sent for creation' : 'Created', `${metadata.name} (${metadata.symbol})`, chainSlug],
            ['Address', outcome?.token ?? (metadata.addresses.evm || metadata.addresses.solana)],
            ['Id', metadata.tokenId],
            ['Next', `mintage buy ${metadata.slug} 10`],
            ['', 'in the first 6 seconds up to 80 % of a buy is fee'],
          ]),
          ...(quote === null ? [] : [arrived(quote, outcome?.traded ?? null)]),
        ].join('\n\n'),
    });
  });
};

const types: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
};

/** A web address or data URI as it is, a file as a data URI. */
const addressOrFile = (given: string): string => {
  if (/^(https?|data|ipfs):/i.test(given)) return given;
  const type = types[extname(given).toLowerCase()];
  if (type === undefined) {
    throw new Failure(
      'usage',
      `${given} is neither an address nor a picture or film.`,
      `Files end in ${Object.keys(types).join(', ')}.`,
    );
  }
  try {
    return `data:${type};base64,${readFileSync(given).toString('base64')}`;
  } catch (error) {
    throw new Failure('usage', `${given} cannot be read: ${(error as Error).message}`);
  }
};
