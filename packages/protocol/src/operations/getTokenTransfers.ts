import { z } from 'zod';
import { DecimalText } from '../schemas/scalars.ts';
import {
  amount,
  eventPlace,
  hash,
  historyDescription,
  RawText,
  raw,
  tokenPage,
  wallet,
} from '../schemas/tokenHistory.ts';
import { operation } from './operation.ts';

const TransferRecord = z
  .looseObject({
    ...eventPlace,
    evt_tx_hash: hash.meta({ description: 'Transaction that it is in.' }),
    transfer_type: z
      .enum(['local', 'oft_sent', 'oft_received'])
      .meta({ description: 'Within the chain, sent to another chain, or received from one.' }),
    amount: DecimalText.meta({ description: 'Tokens that moved.' }),
    amount_raw: RawText.meta({ description: '`amount`, in the token’s base units.' }),
    from_address: wallet.nullable().meta({ description: 'Sender; null where the tokens came from another chain.' }),
    to_address: wallet.nullable().meta({ description: 'Receiver, on the other chain where it went to one.' }),
    amount_received_ld: amount.meta({
      description: 'Of a transfer between chains; null for a local one, like all below.',
    }),
    amount_received_ld_raw: raw.meta({ description: '`amount_received_ld`.' }),
    guid: z.string().nullable().meta({ description: 'LayerZero’s id of the message.' }),
    src_eid: z.string().nullable().meta({ description: 'LayerZero’s id of the chain that it came from.' }),
    dst_eid: z.string().nullable().meta({ description: 'LayerZero’s id of the chain that it went to.' }),
  })
  .meta({ id: 'TransferRecord' });

export const getTokenTransfers = operation({
  name: 'getTokenTransfers',
  summary:
    'Lists the transfers of a token between wallets, on one chain and between two; those that belong to trades and to the creation are left out.',
  description: historyDescription,
  method: 'POST',
  path: '/get-token-transfers',
  tag: 'Tokens',
  input: z.object(tokenPage),
  output: z.object({ success: z.literal(true), activities: z.array(TransferRecord) }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { token_id: 'my-token', limit: 20 },
});
