import {
  chainById,
  curveOf,
  formatPriceUsd,
  formatProgressPct,
  formatUnits,
  poolTypeById,
  tokenDecimals,
} from '@mintage/protocol';
import type { HandlerOf } from '../context.ts';
import { dexPools } from '../reads/dexPools.ts';
import { platformIdKeys } from '../reads/identity.ts';
import { tokenPrice } from '../reads/price.ts';
import { requireToken, tokenNotFound } from '../reads/tokenRef.ts';
import { numberOf } from '../reads/usd.ts';

/** From here on a token counts as graduating, percent of its curve. */
const graduatingPct = 75;

export const getPoolData: HandlerOf<'getPoolData'> = async (context, input) => {
  const token = await requireToken(context.db, input.tokenId);
  const served = context.chains.get(chainById(token.chain_id)?.slug ?? '');
  const poolType = poolTypeById(token.pool_type);
  if (served === undefined || poolType === undefined) throw tokenNotFound(input.tokenId);
  const { indexed } = await context.db
    .selectFrom('chain')
    .select('indexed')
    .where('chain_id', '=', token.chain_id)
    .executeTakeFirstOrThrow();

  const { usdDecimals, usd } = served.deployment;
  const start = curveOf(poolType, usdDecimals);
  const soldTokens = start.virtualTokens - token.virtual_tokens;
  const tokensLeft = start.tokensLeft - soldTokens;
  const graduated = token.graduated_at !== null;
  const reserveUsd = graduated ? 0n : token.virtual_usd - start.virtualUsd;
  const floorUsd = graduated ? 0n : token.floor_usd;
  const raiseTargetUsd = poolType.raiseUsd * 10n ** BigInt(usdDecimals);
  const progressPct = numberOf(formatProgressPct(poolType, tokensLeft));
  const dollars = (baseUnits: bigint): string => formatUnits(baseUnits, usdDecimals);
  return {
    success: true,
    data: {
      tokenId: token.token_id,
      ...platformIdKeys(context.config.platformName, '', token.platform_id),
      platform_id: token.platform_id,
      isGraduated: graduated,
      stage: graduated ? 'graduated' : progressPct >= graduatingPct ? 'graduating' : 'new',
      poolType: poolType.slug,
      originChain: served.chain.slug,
      blockNumber: indexed,
      curve: {
        poolTypeId: poolType.id,
        virtualTokens: tokens(token.virtual_tokens),
        virtualTokensRaw: token.virtual_tokens.toString(),
        virtualUsd: dollars(token.virtual_usd),
        virtualUsdRaw: token.virtual_usd.toString(),
        soldTokens: tokens(soldTokens),
        soldTokensRaw: soldTokens.toString(),
        tokensLeft: tokens(tokensLeft),
        tokensLeftRaw: tokensLeft.toString(),
        supply: tokens(soldTokens),
        reserveUsd: dollars(reserveUsd),
        reserveUsdRaw: reserveUsd.toString(),
        floorUsd: dollars(floorUsd),
        floorUsdRaw: floorUsd.toString(),
        raiseTargetUsd: dollars(raiseTargetUsd),
        raiseTargetUsdRaw: raiseTargetUsd.toString(),
        creatorRewardUsd: poolType.creatorRewardUsd.toString(),
        migrationSupply: poolType.poolTokens.toString(),
        initialTokenDeposit: poolType.virtualTokens.toString(),
        initialReserveDeposit: poolType.virtualUsd.toString(),
        priceUsd: formatPriceUsd(tokenPrice(token, usd), usdDecimals),
        progressPct,
        completed: tokensLeft === 0n && !graduated,
        migrated: graduated,
      },
      pools: dexPools(context, token, served),
    },
  };
};

const tokens = (baseUnits: bigint): string => formatUnits(baseUnits, tokenDecimals);
