import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { readerOf } from '../people/asked.ts';
import { listHubs } from '../people/listHubs.ts';
import { showHubs } from '../people/showHubs.ts';
import { showTokens } from '../reads/listTokens.ts';
import { searchWarnings } from '../reads/searchPage.ts';
import { handler } from './handler.ts';

export const getHubs = handler(definitions.getHubs, async (context, input, { caller }) => {
  const { order_by: order, mine, keyword, limit, offset } = input;
  const of = mine ? readerOf(caller) : null;
  if (mine && of === null)
    throw new MintageError('AUTHENTICATION_FAILED', 'Send a credential that may read your own hubs.');
  const { listed, hasMore, isWhole } = await listHubs(context, { order, of, keyword }, { limit, offset });
  const hubs = await showHubs(context, await showTokens(context.db, listed), caller);
  const pagination = { limit, offset, total_returned: hubs.length, has_more: hasMore };
  return { success: true, hubs, pagination, ...searchWarnings(isWhole) };
});
