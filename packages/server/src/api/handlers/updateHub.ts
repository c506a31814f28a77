import { invalid, parseUnits, tokenDecimalsAt } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { letGoOfFiles } from '../media/looseFiles.ts';
import { lockHub, requireRole, standingOf } from '../people/hubs.ts';
import { showHub } from '../people/showHubs.ts';
import { requireToken } from '../tokens/tokenRef.ts';
import { handler } from './handler.ts';

export const updateHub = handler(definitions.updateHub, async (context, input, call) => {
  const { db, media, now } = context;
  const { userId } = call.caller;
  const { description, rules, invite_only, post_rule } = input;
  const token = await requireToken(context, input.token_id);
  requireRole(await standingOf(db, token, userId, now()), 'owner');
  const minHolding =
    input.min_holding === undefined ? undefined : holdingFrom(input.min_holding, tokenDecimalsAt(token.eid));
  const asker = { owner: userId, address: call.address, ...(call.gone && { gone: call.gone() }) };
  const banner = input.banner ? await media.image(input.banner, asker) : null;
  const changes = {
    ...(description !== undefined && { description: description || null }),
    ...(rules !== undefined && { rules: rules || null }),
    ...(input.banner !== undefined && { banner_url: banner?.url ?? null }),
    ...(invite_only !== undefined && { invite_only }),
    ...(post_rule !== undefined && { post_rule }),
    ...(minHolding !== undefined && { min_holding: minHolding }),
  };
  // Before the transaction, which would hold one connection while this waits for another.
  if (banner !== null) await media.storeForNow([banner], asker);
  await db.transaction().execute(async (tx) => {
    const before = await lockHub(tx, token, now());
    if (input.banner !== undefined) await letGoOfFiles(tx, [before.banner_url], now());
    if (Object.keys(changes).length === 0) return;
    await tx.updateTable('hub').set(changes).where('token_id', '=', token.token_id).execute();
  });
  return { success: true, hub: await showHub(context, token, call.caller) };
});

/** Base units; null: any amount. */
const holdingFrom = (text: string, tokenDecimals: number): bigint | null => {
  const holding = text === '' ? 0n : parseUnits(text, tokenDecimals, 'min_holding');
  if (holding < 0n) throw invalid('min_holding', 'must not be less than 0');
  return holding === 0n ? null : holding;
};
