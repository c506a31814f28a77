import { z } from 'zod';
import { perFamily } from './perFamily.ts';
import { AddressText, BaseUnits, ChainId, ChainSlug, ChainTypeText, Hex, IsoTime, optional } from './scalars.ts';

/** Prepared transactions: what the caller's own wallet sends. Wire contract 3.4. `value` and `gasLimit` are decimal. */

const call = {
  to: AddressText.meta({ description: 'Contract that is called.' }),
  data: Hex.meta({ description: 'Calldata.' }),
  value: BaseUnits.meta({ description: 'Native coin that is sent with it, wei.' }),
};
/** On Solana `data` is a whole transaction that waits for the sender's signature; these say what stands in it. */
export const wholeFields = {
  transactionBase64: optional(
    z
      .string()
      .regex(/^[A-Za-z0-9+/]+={0,2}$/)
      .meta({ description: 'On Solana: `data` in base64, the whole transaction without its signature.' }),
  ),
  lastValidBlockHeight: optional(
    z.int().min(0).meta({ description: 'On Solana: in a later block the transaction does nothing any more.' }),
  ),
  expiresAt: optional(IsoTime.meta({ description: 'On Solana: about when that is. Prepare again after it.' })),
  priorityFeeMicroLamports: optional(
    BaseUnits.meta({
      description: 'On Solana: paid for a million units of `gasLimit` beside the fee of the signature, lamports.',
    }),
  ),
  accountsOpened: optional(
    z.array(AddressText).meta({
      description: 'On Solana: accounts that it opens. `value` is what they hold from then on.',
    }),
  ),
};
const WholeFields = z.object(wholeFields);

const GasLimit = BaseUnits.meta({ description: 'Most gas that it may use.' });
const What = z.string().min(1).meta({ description: 'What it does, for people.' });

/** `transaction` of a trade. */
export const TradeTransaction = z
  .strictObject({
    ...call,
    gasLimit: GasLimit,
    chain: ChainSlug.meta({ description: 'Where it is sent.' }),
    ...wholeFields,
  })
  .meta({ id: 'TradeTransaction' });

/** `transaction` of a creation: the item of `transactions` that creates, in its older form. */
export const CreateTransaction = z
  .strictObject({ ...call, gasLimit: GasLimit, ...wholeFields })
  .meta({ id: 'CreateTransaction' });

/** One step of a creation or a trade. Its gas limit holds whether or not an earlier step is mined yet. */
export const TransactionItem = z
  .strictObject({
    ...call,
    gasLimit: GasLimit,
    description: What,
    chainId: ChainId.meta({ description: 'EIP-155 id of the chain.' }),
    chainType: ChainTypeText.meta({ description: 'Family of the chain.' }),
    chainSlug: ChainSlug.meta({ description: 'Where it is sent.' }),
    transactionDelay: z.int().min(0).meta({ description: 'Seconds to wait before the next item.' }),
    ...wholeFields,
  })
  .meta({ id: 'TransactionItem' });

/** One claim: `chainId` is decimal text here. */
export const ClaimItem = z
  .strictObject({
    ...call,
    chainSlug: ChainSlug.meta({ description: 'Where it is sent.' }),
    chainId: perFamily(z.string().regex(/^(0|[1-9][0-9]*)$/), {
      evm: { type: 'string', pattern: '^[1-9][0-9]*$' },
      solana: { type: 'string', const: '0' },
    }).meta({ description: 'EIP-155 id of the chain, in text; 0 for a chain that has none.' }),
    chainType: ChainTypeText.meta({ description: 'Family of the chain.' }),
    gasLimit: GasLimit,
    description: What,
    from: AddressText.meta({ description: 'The wallet whose credit this claims; it must be the sender.' }),
    ...wholeFields,
  })
  .meta({ id: 'ClaimItem' });

export type WholeFields = z.output<typeof WholeFields>;
export type TransactionItem = z.output<typeof TransactionItem>;
export type ClaimItem = z.output<typeof ClaimItem>;
