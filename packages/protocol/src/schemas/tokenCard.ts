import { z } from 'zod';
import { PlatformId } from './platformId.ts';
import { Uuid } from './scalars.ts';

export type TokenCard = z.output<typeof TokenCard>;

/** A token in what people say. Source: social wire contract, section 2. */
export const TokenCard = z
  .looseObject({
    id: Uuid.meta({ description: 'Id of the token.' }),
    name: z.string().meta({ description: 'Name of the token.' }),
    symbol: z.string().meta({ description: 'Ticker of the token.' }),
    slug: z.string().meta({ description: 'Name of the token in addresses of pages.' }),
    logo: z.string().nullable().meta({ description: 'Address of the picture.' }),
    platform_id: PlatformId.nullable(),
  })
  .meta({ id: 'TokenCard', description: 'A token in what people say.' });
