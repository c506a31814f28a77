import { z } from 'zod';
import { createTokenTransaction } from '../operations/createTokenTransaction.ts';
import { AddressText, optional } from '../schemas/scalars.ts';
import { AutoExecute, TransactionHash, tool } from './tool.ts';
import type { ToolChain } from './toolChain.ts';

const { shape } = createTokenTransaction.input;
const answer = createTokenTransaction.output.shape;

/** How an image is given; a local server (`npm run mcp`) reads files too and sends them on as data URIs. */
const imageHint = 'PNG, JPEG, GIF, WEBP or SVG as a web address or a base64 data URI.';

export const create_token = (chains: ToolChain) =>
  tool({
    name: 'create_token',
    description:
      'Creates a token, or prepares its creation. Without autoExecute nothing is created: show the user `transactions`, ' +
      'which their own wallet sends. The token’s id and contract address are fixed by this answer.',
    operation: createTokenTransaction,
    input: z.object({
      name: shape.name,
      symbol: shape.symbol
        .refine((value) => [...value].length >= 2, 'must be at least 2 characters')
        .meta({ minLength: 2, maxLength: 10, description: 'Ticker, 2 to 10 characters.' }),
      description: shape.description,
      image: shape.image.meta({ description: imageHint }),
      chainSlug: chains,
      banner: shape.banner.meta({ description: imageHint }),
      video: shape.video.meta({ description: 'MP4 or WebM as a web address or a base64 data URI.' }),
      links: shape.links,
      tags: shape.tags,
      autoExecute: AutoExecute,
      userAddress: optional(AddressText).meta({
        description: 'The wallet that will send the transaction; absent: the embedded wallet. Not with autoExecute.',
      }),
    }),
    output: z.object({
      success: z.boolean(),
      tokenId: answer.metadata.shape.tokenId,
      contractAddress: AddressText,
      transactionHash: TransactionHash,
      executed: answer.executed,
      intentId: answer.intentId,
      transactions: answer.transactions.meta({ description: 'For the user’s own wallet, in order.' }),
      metadata: answer.metadata,
      decoded: answer.decoded,
      simulation: answer.simulation,
      warnings: answer.warnings,
    }),
    toInput: ({ autoExecute, ...fields }) => ({ ...fields, ...(autoExecute ? { execute: true } : {}) }),
    toAnswer: (created: z.output<typeof createTokenTransaction.output>) => ({
      success: created.success,
      tokenId: created.metadata.tokenId,
      contractAddress: created.metadata.addresses.evm,
      transactionHash: created.transactionHash,
      executed: created.executed,
      intentId: created.intentId,
      transactions: created.transactions,
      metadata: created.metadata,
      decoded: created.decoded,
      simulation: created.simulation,
      warnings: created.warnings,
    }),
    example: {
      name: 'Demo Coin',
      symbol: 'DEMO',
      description: 'A coin to try things with.',
      image:
        'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      chainSlug: 'base-sepolia',
      userAddress: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    },
  });
