import { z } from 'zod';

/** A token's identity on every chain: `platformIdOf` of `ids.ts`. */
export const PlatformId = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/, 'must be 0x and 64 hex digits')
  .meta({ id: 'PlatformId' });
