import { z } from 'zod';
import { ShownPlatformId } from '../schemas/platformId.ts';
import { BaseUnits, ChainSlug, DecimalText, TokenRef, Uuid } from '../schemas/scalars.ts';
import { PoolTypeSlug } from '../schemas/tradeInput.ts';
import { operation } from './operation.ts';
import { AboutPool } from './searchToken.ts';

const Curve = z
  .strictObject({
    poolTypeId: z.int().meta({ description: 'Number of the pool type in the contract.' }),
    virtualTokens: DecimalText.meta({ description: 'Tokens that the price is computed from.' }),
    virtualTokensRaw: BaseUnits.meta({ description: '`virtualTokens`, in the token’s base units.' }),
    virtualUsd: DecimalText.meta({
      description: 'Dollars that the price is computed from; price = virtualUsd / virtualTokens.',
    }),
    virtualUsdRaw: BaseUnits.meta({ description: '`virtualUsd`, of the chain’s dollar.' }),
    soldTokens: DecimalText.meta({ description: 'Tokens that the curve sold.' }),
    soldTokensRaw: BaseUnits.meta({ description: '`soldTokens`, in the token’s base units.' }),
    tokensLeft: DecimalText.meta({ description: 'Tokens that the curve still sells.' }),
    tokensLeftRaw: BaseUnits.meta({ description: '`tokensLeft`, in the token’s base units.' }),
    supply: DecimalText.meta({ description: 'Tokens sold on the curve; same as `soldTokens`.' }),
    reserveUsd: DecimalText.meta({ description: 'Net dollars in the curve; 0 after graduation.' }),
    reserveUsdRaw: BaseUnits.meta({ description: '`reserveUsd`, of the chain’s dollar.' }),
    floorUsd: DecimalText.meta({ description: 'Kept from the opening fee for the floor; 0 after graduation.' }),
    floorUsdRaw: BaseUnits.meta({ description: '`floorUsd`, of the chain’s dollar.' }),
    raiseTargetUsd: DecimalText.meta({ description: 'Net dollars in the curve when it is sold out.' }),
    raiseTargetUsdRaw: BaseUnits.meta({ description: '`raiseTargetUsd`, of the chain’s dollar.' }),
    creatorRewardUsd: DecimalText.meta({ description: 'Paid to the creator out of the raise at graduation.' }),
    migrationSupply: DecimalText.meta({ description: 'Tokens that go to the pool at graduation.' }),
    initialTokenDeposit: DecimalText.meta({ description: 'Virtual tokens at the start.' }),
    initialReserveDeposit: DecimalText.meta({ description: 'Virtual dollars at the start.' }),
    priceUsd: DecimalText.meta({
      description:
        'USD per whole token on the curve, or in the pool after graduation; 18 fraction digits, rounded down.',
    }),
    progressPct: z.number().min(0).max(100).meta({ description: 'Part of the curve’s tokens that are sold.' }),
    completed: z.boolean().meta({ description: 'True while everything is sold and the pool does not exist yet.' }),
    migrated: z.boolean().meta({ description: 'Whether the curve has become a pool.' }),
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
        tokenId: Uuid.meta({ description: 'Id of the token.' }),
        platform_id: ShownPlatformId,
        isGraduated: z.boolean().meta({ description: 'The same as `curve.migrated`.' }),
        stage: z
          .enum(['new', 'graduating', 'graduated'])
          .meta({ description: 'graduating: at least 75 % of the curve is sold.' }),
        poolType: PoolTypeSlug.meta({ description: 'How the curve is shaped.' }),
        originChain: ChainSlug.meta({ description: 'Home chain of the token.' }),
        blockNumber: z.int().meta({ description: 'Newest indexed block when this was read.' }),
        curve: Curve,
        pools: z.array(AboutPool).meta({ description: 'Pools of the token; none before graduation.' }),
      })
      .meta({ description: 'Loose for the deployment’s own name of the platform id.' }),
  }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { tokenId: 'my-token' },
});
