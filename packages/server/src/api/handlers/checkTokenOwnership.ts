import { formatUnits, tokenDecimalsOf } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { addressOn } from '../tokens/addresses.ts';
import { livingOn } from '../tokens/registrations.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import { numberOf } from '../wire/usd.ts';
import { handler } from './handler.ts';

export const checkTokenOwnership = handler(
  definitions.checkTokenOwnership,
  async (context, { token_id, user_address }) => {
    const { token, served } = await requireServedToken(context, token_id);
    const row = await context.db
      .selectFrom('balance')
      .select(({ fn }) => fn.sum<bigint | null>('amount').as('amount'))
      .where('eid', 'in', livingOn(token))
      .where('token', '=', token.address)
      .where('wallet', '=', addressOn(served.chain, user_address, 'user_address'))
      .executeTakeFirst();
    const amount = row?.amount ?? 0n;
    return {
      success: true,
      is_holder: amount > 0n,
      balance: numberOf(formatUnits(amount, tokenDecimalsOf(served.chain))),
      balance_raw: amount.toString(),
      cached: false,
    };
  },
);
