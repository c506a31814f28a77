import type { RawLog } from './log.ts';
import { numberAt, signedAt, uintAt } from './words.ts';

/** What a `Trade` log says of the market; the one place that knows where. Source: ILaunchpad.TradeRecord. */
export interface TradeWords {
  /** 0 curve, 1 pool, 2 pool by a foreign router. */
  venue: number;
  /** Base units; negative: sold. */
  tokens: bigint;
  /** Virtual tokens of the curve, or the pool's square-root price. */
  stateA: bigint;
  /** Virtual USD of the curve, or the pool's tick. */
  stateB: bigint;
}

/** @throws RangeError for data that is too short. */
export const tradeWords = ({ data }: Pick<RawLog, 'data'>): TradeWords => ({
  venue: numberAt(data, 1),
  tokens: signedAt(data, 3),
  stateA: uintAt(data, 9),
  stateB: signedAt(data, 10),
});
