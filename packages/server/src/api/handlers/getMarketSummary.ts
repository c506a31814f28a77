import { formatUsd18, usd18 } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import type { Stage } from '../../db/chainTables.ts';
import { type DayFigures, marketFigures } from '../reads/marketFigures.ts';
import { chainWarnings, servedChains } from '../tokens/servedChains.ts';
import { handler } from './handler.ts';

export const getMarketSummary = handler(definitions.getMarketSummary, async (context, input) => {
  const counted = await Promise.all(
    Array.from(servedChains(context, input.chains).values(), async ({ chain, deployment }) => ({
      slug: chain.slug,
      usdDecimals: deployment.usdDecimals,
      ...(await marketFigures(context.db, chain.eid)),
    })),
  );
  const ofStage = (stage: Stage): number => sum(counted.map(({ stages }) => stages[stage]));
  const byStage = { new: ofStage('new'), graduating: ofStage('graduating'), graduated: ofStage('graduated') };
  const days = counted.flatMap(({ day, usdDecimals }) => (day === null ? [] : [inUsd18(day, usdDecimals)]));
  return {
    success: true,
    ...chainWarnings(context, input.chains),
    chains: counted.map(({ slug }) => slug),
    catching_up: counted.filter(({ day }) => day === null).map(({ slug }) => slug),
    tokens: sum(Object.values(byStage)),
    by_stage: byStage,
    ...(days.length === 0 ? unknownDay : dayKeys(days)),
  };
});

const dayKeys = (days: readonly ReturnType<typeof inUsd18>[]) => ({
  created_24h: sum(days.map(({ created }) => created)),
  volume_24h_usd: formatUsd18(sumOf(days.map(({ volume18 }) => volume18))),
  paid_to_creators_24h_usd: formatUsd18(sumOf(days.map(({ paidToCreators18 }) => paidToCreators18))),
  traders_24h: sum(days.map(({ traders }) => traders)),
});

/** No chain is near its head: unknown is not 0. */
const unknownDay = { created_24h: null, volume_24h_usd: null, paid_to_creators_24h_usd: null, traders_24h: null };

/** Chains differ in the decimals of their dollar. */
const inUsd18 = ({ paidToCreatorsUsd, ...day }: DayFigures, usdDecimals: number) => ({
  ...day,
  paidToCreators18: usd18(paidToCreatorsUsd, usdDecimals),
});

const sum = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0);
const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);
