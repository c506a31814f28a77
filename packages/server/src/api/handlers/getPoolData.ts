import { formatUnits } from '@mintage/protocol';
import { definitions, platformIdKeys } from '@mintage/protocol/operations';
import { decimalsOf } from '../../chain/servedChain.ts';
import { curveNow } from '../reads/curveNow.ts';
import { dexPools } from '../reads/dexPools.ts';
import { shownPlatformId } from '../tokens/identity.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import { tokenNotFound } from '../tokens/tokenRef.ts';
import { numberOf } from '../wire/usd.ts';
import { handler } from './handler.ts';

export const getPoolData = handler(definitions.getPoolData, async (context, input) => {
  const { token, served } = await requireServedToken(context, input.tokenId);
  const curve = curveNow(token, served);
  if (curve === null) throw tokenNotFound(input.tokenId);
  const { indexed } = await context.db
    .selectFrom('chain')
    .select('indexed')
    .where('eid', '=', token.eid)
    .executeTakeFirstOrThrow();

  const decimals = decimalsOf(served);
  const { poolType, soldTokens, tokensLeft, reserveUsd } = curve;
  const graduated = token.graduated_at !== null;
  const floorUsd = graduated ? 0n : token.floor_usd;
  const raiseTargetUsd = poolType.raiseUsd * 10n ** BigInt(decimals.usd);
  const dollars = (baseUnits: bigint): string => formatUnits(baseUnits, decimals.usd);
  const tokens = (baseUnits: bigint): string => formatUnits(baseUnits, decimals.token);
  return {
    success: true,
    data: {
      tokenId: token.token_id,
      ...platformIdKeys(context.config.platformName, shownPlatformId(context.config, token)),
      isGraduated: graduated,
      stage: token.stage,
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
        priceUsd: formatUnits(token.price_usd18, 18),
        progressPct: numberOf(formatUnits(token.progress_pct18, 18)),
        completed: tokensLeft === 0n && !graduated,
        migrated: graduated,
      },
      pools: dexPools(context, token, served),
    },
  };
});
