import { z } from 'zod';
import {
  acknowledgeRecipientOption,
  executeOption,
  executionAnswer,
  executionErrors,
} from '../schemas/executionParts.ts';
import { perFamily } from '../schemas/perFamily.ts';
import { wholeFields } from '../schemas/prepared.ts';
import { AddressText, BaseUnits, ChainSlug, ChainTypeText, Hex, optional } from '../schemas/scalars.ts';
import { PositiveNumber } from '../schemas/tradeInput.ts';
import { operation } from './operation.ts';

export const mintUsd = operation({
  name: 'mintUsd',
  summary: 'Prepares a transaction that mints test dollars. Test chains only.',
  description:
    'Anyone may send the transaction; `userAddress` receives the dollars. With `execute: true` your embedded wallet ' +
    'sends it.',
  method: 'POST',
  path: '/mint-usd',
  tag: 'Account',
  input: z.object({
    chainSlug: ChainSlug.meta({ description: 'Test chain to mint on.' }),
    userAddress: optional(AddressText).meta({ description: 'Who receives the dollars. Absent: your embedded wallet.' }),
    amount: optional(PositiveNumber).meta({
      description: 'Dollars, at most as many decimals as the dollar token has; by default 100000.',
    }),
    ...executeOption,
    ...acknowledgeRecipientOption,
  }),
  output: z.strictObject({
    success: z.literal(true),
    ...executionAnswer,
    transaction: z.strictObject({
      to: AddressText.meta({ description: 'The dollar token.' }),
      data: Hex.meta({ description: 'Calldata.' }),
      value: BaseUnits.meta({ description: 'Native coin that is sent with it: 0.' }),
      gasLimit: BaseUnits.meta({ description: 'Most gas that it may use.' }),
      chainType: ChainTypeText.meta({ description: 'Family of the chain.' }),
      chainId: perFamily(z.string().regex(/^(eip155:[1-9][0-9]*|solana:[1-9A-HJ-NP-Za-km-z]+)$/), {
        evm: { type: 'string', pattern: '^eip155:[1-9][0-9]*$' },
        solana: { type: 'string', pattern: '^solana:[1-9A-HJ-NP-Za-km-z]+$' },
      }).meta({ description: 'Id of the chain in the form of CAIP-2.' }),
      ...wholeFields,
    }),
  }),
  errors: ['AUTHENTICATION_FAILED', 'UNSUPPORTED_CHAIN', ...executionErrors],
  access: 'caller',
  scope: 'prepare',
  limit: 'writeWhenExecuted',
  errorShape: 'A',
  example: { chainSlug: 'base-sepolia', userAddress: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', amount: 2500 },
});
