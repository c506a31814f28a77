import { z } from 'zod';
import { perFamily } from './perFamily.ts';
import { AddressText, BaseUnits, ChainId, ChainSlug, ChainTypeText, Hex } from './scalars.ts';

/** Prepared transactions: what the caller's own wallet sends. Wire contract 3.4. `value` and `gasLimit` are decimal. */

const call = { to: AddressText, data: Hex, value: BaseUnits };

/** `transaction` of a trade. */
export const TradeTransaction = z
  .strictObject({ ...call, gasLimit: BaseUnits, chain: ChainSlug })
  .meta({ id: 'TradeTransaction' });

/** `transaction` of a creation: the last item of `transactions` in its older form. */
export const CreateTransaction = z.strictObject({ ...call, gasLimit: BaseUnits }).meta({ id: 'CreateTransaction' });

/** One step of a creation or a trade. Its gas limit holds whether or not an earlier step is mined yet. */
export const TransactionItem = z
  .strictObject({
    ...call,
    gasLimit: BaseUnits,
    description: z.string().min(1),
    chainId: ChainId,
    chainType: ChainTypeText,
    chainSlug: ChainSlug,
    transactionDelay: z.int().min(0).meta({ description: 'Seconds to wait before the next item.' }),
  })
  .meta({ id: 'TransactionItem' });

/** One claim: `chainId` is decimal text here. */
export const ClaimItem = z
  .strictObject({
    ...call,
    chainSlug: ChainSlug,
    chainId: perFamily(z.string().regex(/^(0|[1-9][0-9]*)$/), {
      evm: { type: 'string', pattern: '^[1-9][0-9]*$' },
      solana: { type: 'string', const: '0' },
    }),
    chainType: ChainTypeText,
    gasLimit: BaseUnits,
    description: z.string().min(1),
    from: AddressText.meta({ description: 'The wallet whose credit this claims; it must be the sender.' }),
  })
  .meta({ id: 'ClaimItem' });

export type TransactionItem = z.output<typeof TransactionItem>;
export type ClaimItem = z.output<typeof ClaimItem>;
