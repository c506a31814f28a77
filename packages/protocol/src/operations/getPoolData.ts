import { z } from 'zod';
import { ShownPlatformId } from '../schemas/platformId.ts';
import { BaseUnits, ChainSlug, DecimalText, TokenRef, Uuid } from '../schemas/scalars.ts';
import { PoolTypeSlug } from '../schemas/tradeInput.ts';
import { operation } from './operation.ts';
import { AboutPool } from './searchToken.ts';

const decimals = { description: 'Whole units, exact.' };

const Curve = z
  .strictObject({
    poolTypeId: z.int(),
    virtualTokens: DecimalText.meta(decimals),
    virtualTokensRaw: BaseUnits,
    virtualUsd: DecimalText.meta(decimals),
    virtualUsdRaw: BaseUnits,
    soldTokens: DecimalText.meta(decimals),
    soldTokensRaw: BaseUnits,
    tokensLeft: DecimalText.meta(decimals),
    tokensLeftRaw: BaseUnits,
    supply: DecimalText.meta({ description: 'Tokens sold on the curve; same as `soldTokens`.' }),
    reserveUsd: DecimalText.meta({ description: 'Net dollars in the curve; 0 after graduation.' }),
    reserveUsdRaw: BaseUnits,
    floorUsd: DecimalText.meta({ description: 'Kept from the opening fee for the floor; 0 after graduation.' }),
    floorUsdRaw: BaseUnits,
    raiseTargetUsd: DecimalText.meta(decimals),
    raiseTargetUsdRaw: BaseUnits,
    creatorRewardUsd: DecimalText.meta({ description: 'Paid to the creator out of the raise at graduation.' }),
    migrationSupply: DecimalText.meta({ description: 'Tokens that go to the pool at graduation.' }),
    initialTokenDeposit: DecimalText.meta({ description: 'Virtual tokens at the start.' }),
    initialReserveDeposit: DecimalText.meta({ description: 'Virtual dollars at the start.' }),
    priceUsd: DecimalText.meta({
      description:
        'USD per whole token on the curve, or in the pool after graduation; 18 fraction digits, rounded down.',
    }),
    progressPct: z.number().min(0).max(100),
    completed: z.boolean().meta({ description: 'True while everything is sold and the pool does not exist yet.' }),
    migrated: z.boolean(),
  })
  .meta({ id: 'CurveData' });

export const getPoolData = operation({
  name: 'getPoolData',
  summary: 'Returns the state of a token’s curve and, after graduation, of its pool.',
  method: 'POST',
  path: '/get-pool-data',
  tag: 'Tokens',
  input: z.object({ tokenId: TokenRef }),
  output: z.strictObject({
    success: z.literal(true),
    data: z
      .looseObject({
        tokenId: Uuid,
        platform_id: ShownPlatformId,
        isGraduated: z.boolean(),
        stage: z.enum(['new', 'graduating', 'graduated']),
        poolType: PoolTypeSlug,
        originChain: ChainSlug,
        blockNumber: z.int().meta({ description: 'Newest indexed block when this was read.' }),
        curve: Curve,
        pools: z.array(AboutPool),
      })
      .meta({ description: 'Loose for the deployment’s own name of the platform id.' }),
  }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { tokenId: 'my-token' },
});
