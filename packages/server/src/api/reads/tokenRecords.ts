import type { Reading } from '../tokens/reading.ts';
import type { TokenPlace } from '../tokens/tokenPlace.ts';
import { showTokens } from './listTokens.ts';
import { tokenRecord, windowFigures } from './tokenRecord.ts';
import { readWindows } from './windows.ts';

/** Tokens as lists show them, in this order. */
export const tokenRecords = async (context: Reading, listed: readonly TokenPlace[]) => {
  const [tokens, windowsOf] = await Promise.all([
    showTokens(context.db, listed),
    readWindows(context.db, listed, windowFigures),
  ]);
  return tokens.map((token) => tokenRecord(context, token, windowsOf({ eid: token.eid, token: token.address })));
};
