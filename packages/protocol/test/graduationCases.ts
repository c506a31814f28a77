import type { Random } from '@mintage/devnet/random';
import { curveOf, usdForTokensUp } from '../src/maths/curve.ts';
import type { GraduationInput } from '../src/maths/graduation.ts';
import { poolTypes } from '../src/maths/poolTypes.ts';
import { onEvm } from './onEvm.ts';

/** A completed curve with what rounding and the opening window can leave in it. */
export const randomGraduation = (random: Random): GraduationInput => {
  const poolType = random.pick(poolTypes);
  const decimals = onEvm(random.pick([6, 8, 18]));
  const start = curveOf(poolType, decimals);
  const dollar = 10n ** BigInt(decimals.usd);
  const extraUsd = random.pick([0n, random.between(0n, 9n), random.scaled(dollar)]);
  const reserveUsd = usdForTokensUp(start, start.tokensLeft) + extraUsd;
  return {
    poolType,
    decimals,
    curve: curveOf(poolType, decimals, { tokensLeft: 0n, reserveUsd }),
    floorUsd: random.pick([
      0n,
      random.between(0n, 9n),
      random.scaled(100_000n * dollar),
      random.between(0n, 1_000n * dollar),
    ]),
    usdIs0: random.chance(2),
  };
};
