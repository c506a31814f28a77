import { z } from 'zod';

/** A token's identity on every chain: `platformIdOf` of `ids.ts`. */
export const PlatformId = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/, 'must be 0x and 64 hex digits')
  .meta({ id: 'PlatformId' });

/** As a token is shown with it. */
export const ShownPlatformId = PlatformId.nullable().meta({
  description: 'Null while the deployment does not show it; some show it only once the token graduated.',
});
