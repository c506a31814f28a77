import { z } from 'zod';
import { Uuid } from './scalars.ts';

/** What signing in and refreshing give. */
export const AuthSession = z
  .strictObject({
    accessToken: z.string().meta({ description: 'JWT for `Authorization: Bearer`.' }),
    refreshToken: z.string().meta({ description: 'Good for one `/auth/refresh`; using it twice ends the session.' }),
    expiresIn: z.int().positive().meta({ description: 'Seconds until the access token ends.' }),
    userId: Uuid.meta({ description: 'Id of the user.' }),
  })
  .meta({ id: 'AuthSession' });
