import { invalid } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import type { z } from 'zod';
import type { Caller } from '../accounts/caller.ts';
import { idAsked, readerOf } from '../people/asked.ts';
import { cardsOfWallets } from '../people/cards.ts';
import { noUser, profileOf } from '../people/profile.ts';
import { anyAddress } from '../tokens/addresses.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

export const getUser = handler(definitions.getUser, async (context, input, { caller: sender }) => {
  const caller = readerOf(sender);
  const asked = Object.values(input).filter((value) => value !== undefined).length;
  if (asked > 1) throw invalid('', 'name one of user_id, username and address');
  const userId = asked === 0 ? idAsked(undefined, caller) : await userNamed(context, caller, input);
  if (userId === undefined) throw noUser();
  return { success: true, user: await profileOf(context.db, userId, caller?.userId ?? null) };
});

/** By a wallet only those who show theirs, and oneself. */
const userNamed = async (
  context: Context,
  caller: Caller | null,
  { user_id, username, address: text }: z.output<typeof definitions.getUser.input>,
): Promise<string | undefined> => {
  if (user_id !== undefined) return user_id.toLowerCase();
  const { db } = context;
  if (text !== undefined) {
    const address = anyAddress(context, text, 'address');
    if (caller?.wallets.includes(address)) return caller.userId;
    return (await cardsOfWallets(db, [address])).get(address)?.id;
  }
  const name = (username ?? '').replace(/^@/, '').toLowerCase();
  const row = await db.selectFrom('username').select('user_id').where('username', '=', name).executeTakeFirst();
  return row?.user_id;
};
