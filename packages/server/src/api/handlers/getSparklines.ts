import { definitions } from '@mintage/protocol/operations';
import { readSparklines } from '../reads/sparklines.ts';
import { servedChains } from '../tokens/servedChains.ts';
import { changePct18, text18 } from '../wire/decimals.ts';
import { isoTime } from '../wire/isoTime.ts';
import { handler } from './handler.ts';

export const getSparklines = handler(definitions.getSparklines, async (context, { token_ids: refs }) => {
  const lines = await readSparklines(context.db, refs, [...servedChains(context).keys()]);
  return {
    success: true,
    sparklines: lines.map(({ asked, tokenId, fromMs, stepSeconds, prices18, then18, now18 }) => ({
      asked,
      token_id: tokenId,
      from: isoTime(fromMs),
      step_seconds: stepSeconds,
      closes: prices18.map((price18) => text18(price18) as string),
      change_24h_pct: then18 === null ? null : text18(changePct18(now18, then18)),
    })),
  };
});
