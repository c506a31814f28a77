import { type Address, invalid, MintageError } from '@mintage/protocol';
import { definitions, type InputOf } from '@mintage/protocol/operations';
import type { Caller } from '../accounts/caller.ts';
import { accountOf } from '../accounts/users.ts';
import { idAsked, readerOf } from '../people/asked.ts';
import { noUser } from '../people/profile.ts';
import { readHoldings } from '../reads/holdings.ts';
import { listTokens } from '../reads/listTokens.ts';
import { tokenRecords } from '../reads/tokenRecords.ts';
import { anyAddress } from '../tokens/addresses.ts';
import { servedChains } from '../tokens/servedChains.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

export const getUserTokens = handler(definitions.getUserTokens, async (context, input, { caller }) => {
  const { kind, limit, offset } = input;
  const wallets = await walletsAsked(context, input, readerOf(caller));
  const { listed, hasMore } = await (kind === 'created' ? created : held)(context, wallets, { limit, offset });
  const tokens = await tokenRecords(context, listed);
  return { success: true, tokens, pagination: { limit, offset, total_returned: tokens.length, has_more: hasMore } };
});

/**
 * An address has the tokens that the chain says, whoever has it. Of a user whose wallets are hidden others see none: tokens lead to
 * the wallet that created or holds them.
 */
const walletsAsked = async (
  context: Context,
  { user_id, address, kind }: InputOf<'getUserTokens'>,
  reader: Caller | null,
): Promise<Address[]> => {
  if (user_id !== undefined && address !== undefined) throw invalid('', 'name one of user_id and address');
  if (address !== undefined) return [anyAddress(context, address, 'address')];
  const { db } = context;
  const userId = idAsked(user_id, reader);
  const [account, settings] = await Promise.all([
    accountOf(db, userId),
    db.selectFrom('profile').select(['show_wallet', 'show_holdings']).where('user_id', '=', userId).executeTakeFirst(),
  ]);
  if (account === null) throw noUser();
  const isOwn = userId === reader?.userId;
  const showsWallet = isOwn || settings?.show_wallet !== false;
  const showsHoldings = isOwn || (showsWallet && settings?.show_holdings === true);
  if (kind === 'held' && !showsHoldings)
    throw new MintageError('HOLDINGS_PRIVATE', 'The user does not show what they hold.');
  return showsWallet ? account.wallets : [];
};

interface Cut {
  limit: number;
  offset: number;
}

const created = (context: Context, creators: readonly Address[], cut: Cut) =>
  listTokens(context, { creators }, { order: 'created_at', ascending: false }, cut);

const held = async (context: Context, wallets: readonly Address[], { limit, offset }: Cut) => {
  const filter = { chains: servedChains(context), wallets, token: null, closedToo: false };
  const { page, total } = await readHoldings(context, filter, limit, offset);
  const listed = page.map(({ token }) => ({ eid: token.eid, token: token.address }));
  return { listed, hasMore: offset + limit < total };
};
