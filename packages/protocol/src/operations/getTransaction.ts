import { z } from 'zod';
import {
  AddressText,
  AskedHash,
  BaseUnits,
  ChainSlug,
  DecimalText,
  IsoTime,
  SentHash,
  Uuid,
} from '../schemas/scalars.ts';
import { operation } from './operation.ts';

const Contract = z
  .enum(['launchpad', 'token bridge', 'token factory', 'dollar token', 'token', 'exchange', 'other'])
  .meta({ id: 'TransactionContract', description: 'Which contract it is; `other`: none of this service.' });

const args = z.record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())])).meta({
  description:
    'Arguments by name: whole numbers and base units as digits, a field of a struct as `struct.field`. Text is as somebody sent ' +
    'it, and cut after 250 characters.',
});

const place = {
  contract: Contract,
  address: AddressText.meta({ description: 'Of that contract.' }),
  token_id: Uuid.nullable().meta({ description: 'Of the token, where it is one of this service.' }),
};

export const TransactionCall = z
  .strictObject({
    ...place,
    function: z
      .string()
      .nullable()
      .meta({ description: 'Name of the function; null: not one that this service knows.' }),
    args,
  })
  .meta({ id: 'TransactionCall' });

export const TransactionEvent = z
  .strictObject({
    ...place,
    log_index: z.int().nonnegative().meta({ description: 'Place among the logs of the block.' }),
    event: z.string().meta({ description: 'Name of the event.' }),
    args,
  })
  .meta({ id: 'TransactionEvent' });

export const getTransaction = operation({
  name: 'getTransaction',
  summary: 'Shows any transaction of a served chain: its block, what it called and what happened.',
  description:
    'Calls and events are decoded by the contracts of this service and by the interface of its tokens; of other contracts only what ' +
    'has that form is told. It is read from the providers of the chain: two have to agree where several are configured. For chains ' +
    'that an explorer shows it is linked.',
  method: 'POST',
  path: '/get-transaction',
  tag: 'Trading',
  input: z.object({
    chainSlug: ChainSlug.meta({ description: 'Where it was sent.' }),
    hash: AskedHash.meta({ description: 'Of the transaction.' }),
  }),
  output: z.strictObject({
    success: z.literal(true),
    chain: ChainSlug.meta({ description: 'Where it is.' }),
    hash: SentHash.meta({ description: 'Of the transaction.' }),
    status: z.enum(['sent', 'mined', 'reverted', 'final', 'failed']).meta({
      description:
        '`sent`: in no block yet. `mined`: in a block, succeeded. `reverted`: in a block, failed. `final` and `failed` are the same ' +
        'two, and do not change any more.',
    }),
    one_provider: z.boolean().meta({
      description: 'True while only one of several providers answers: nobody confirms what it says.',
    }),
    block_number: z.int().nullable().meta({ description: 'Block that contains it; null while none does.' }),
    time: IsoTime.nullable().meta({ description: 'Time of that block.' }),
    from: AddressText.meta({ description: 'Who sent it.' }),
    to: AddressText.nullable().meta({ description: 'What it called or paid; null for the creation of a contract.' }),
    value: DecimalText.meta({ description: 'Native coins that it sent along.' }),
    value_raw: BaseUnits.meta({ description: '`value`.' }),
    fee: DecimalText.nullable().meta({ description: 'Native coins that it cost; null while no block holds it.' }),
    fee_raw: BaseUnits.nullable().meta({ description: '`fee`.' }),
    error: z.string().nullable().meta({ description: 'Why it was reverted, for people; null otherwise.' }),
    calls: z.array(TransactionCall).meta({
      description:
        'What it called, in order, at most 50; empty for a payment. Calls that contracts made are not in it.',
    }),
    events: z.array(TransactionEvent).meta({ description: 'What happened, in order, at most 200.' }),
    other_events: z.int().nonnegative().meta({ description: 'Logs that are not among `events`.' }),
    explorer_url: z
      .string()
      .nullable()
      .meta({ description: 'Page of the chain’s explorer; null where none shows the chain.' }),
  }),
  errors: ['UNSUPPORTED_CHAIN', 'TRANSACTION_NOT_FOUND', 'NETWORK_ERROR'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { chainSlug: 'base', hash: `0x${'12'.repeat(32)}` },
});
