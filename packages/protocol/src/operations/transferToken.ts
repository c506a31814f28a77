import { z } from 'zod';
import {
  acknowledgeRecipientOption,
  executeOption,
  executionAnswer,
  executionErrors,
} from '../schemas/executionParts.ts';
import { TransactionItem } from '../schemas/prepared.ts';
import { Warning } from '../schemas/quoteParts.ts';
import {
  AddressText,
  BaseUnits,
  ChainSlug,
  DecimalText,
  IsoTime,
  optional,
  TokenRef,
  Uuid,
} from '../schemas/scalars.ts';
import { operation } from './operation.ts';

const moved = {
  tokenId: Uuid.meta({ description: 'Id of the token.' }),
  amount: DecimalText.meta({ description: 'As asked.' }),
  amountRaw: BaseUnits.meta({ description: '`amount`, in the token’s base units.' }),
  fromChain: ChainSlug.meta({ description: 'As asked.' }),
  toChain: ChainSlug.meta({ description: 'As asked.' }),
  nativeFee: BaseUnits.meta({ description: 'Paid on top for the way to another chain, base units of the coin.' }),
  estimatedSeconds: z.int().nonnegative().meta({ description: 'How long it usually takes to arrive; 0 on one chain.' }),
};

const LocalMetadata = z.strictObject({
  crossChain: z.literal(false).meta({ description: 'Whether it goes to another chain.' }),
  ...moved,
});

const CrossingMetadata = z.strictObject({
  crossChain: z.literal(true),
  ...moved,
  nativeFeeMax: BaseUnits.meta({
    description:
      'The `value` of the transaction: the fee and a reserve. What the fee leaves of it returns to the sender.',
  }),
  nativeFeeUsd: DecimalText.nullable().meta({
    description: '`nativeFee` by the price that the way’s executor counts with; null where it has none.',
  }),
  amountReceived: DecimalText.meta({ description: 'What arrives: whole units of 0.000001 token.' }),
  amountReceivedRaw: BaseUnits.meta({ description: '`amountReceived`, in the token’s base units.' }),
  amountKept: DecimalText.meta({ description: 'What stays with the sender, below 0.000001 token.' }),
  dstEid: z.int().positive().meta({ description: 'LayerZero endpoint id of `toChain`.' }),
  guid: z.string().nullable().meta({
    description: 'Of the message; null before it is sent. Then /transactions/status has it under `delivery`.',
  }),
  registersToken: z.boolean().meta({ description: 'Whether it also makes the token on `toChain`, which costs more.' }),
  expiresAt: IsoTime.meta({ description: 'When the fee is out of date: after 60 s.' }),
});

export const transferToken = operation({
  name: 'transferToken',
  summary: 'Prepares a transfer of a token to a wallet on the same chain or on another.',
  description:
    'A token crosses between its home chain and any other; between two others it goes through the home. It has the same ' +
    'address everywhere. The first transfer to a chain also makes the token there. `value` of the transaction pays the ' +
    'way, with a reserve of a tenth that returns to the sender.',
  method: 'POST',
  path: '/transfer-token',
  tag: 'Trading',
  input: z.object({
    token_id: TokenRef.meta({ description: 'Token to send: id, platform id, contract address or slug.' }),
    recipient_address: AddressText.meta({ description: 'Who receives them.' }),
    amount: DecimalText.meta({ description: 'Whole tokens as decimal text, more than zero.' }),
    from_chain_slug: ChainSlug.meta({ description: 'Where the tokens are.' }),
    to_chain_slug: ChainSlug.meta({ description: 'Where they go; the same for a transfer on one chain.' }),
    wallet_address: optional(AddressText).meta({
      description: 'The wallet that will send the transaction. Absent: your embedded wallet.',
    }),
    max_native_fee: optional(BaseUnits).meta({
      description: 'Most that the way to another chain may cost, base units of the coin. Absent: the fee and a tenth.',
    }),
    ...executeOption,
    ...acknowledgeRecipientOption,
  }),
  output: z.strictObject({
    success: z.literal(true),
    ...executionAnswer,
    transaction: TransactionItem,
    transactions: z.array(TransactionItem).min(1),
    metadata: z.discriminatedUnion('crossChain', [LocalMetadata, CrossingMetadata]),
    warnings: z.array(Warning),
  }),
  errors: [
    'UNSUPPORTED_CHAIN',
    'TOKEN_NOT_FOUND',
    'ROUTE_THROUGH_HOME',
    'ROUTE_PAUSED',
    'TRANSFER_LIMIT',
    'AMOUNT_TOO_SMALL',
    'NATIVE_FEE_TOO_HIGH',
    ...executionErrors,
  ],
  access: 'caller',
  scope: 'prepare',
  limit: 'writeWhenExecuted',
  errorShape: 'A',
  example: {
    token_id: 'mintage',
    recipient_address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    amount: '100.5',
    from_chain_slug: 'base-sepolia',
    to_chain_slug: 'base-sepolia',
    wallet_address: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  },
});
