import type { Config } from '../../config.ts';
import type { Row } from '../../db/chainTables.ts';

type PlatformId = Row<'token'>['platform_id'];
/** The columns that decide a token's identity. */
export type Identified = Pick<Row<'token'>, 'platform_id' | 'graduated_at'>;

/** Whether a token is shown with its platform id: from its creation on chain, or held back until it graduates. */
export const isVerified = (
  { verifiedAt }: Pick<Config, 'verifiedAt'>,
  { graduated_at: graduatedAt }: Pick<Identified, 'graduated_at'>,
) => verifiedAt === 'confirmation' || graduatedAt !== null;

/** The platform id as answers show it; null while it is held back. */
export const shownPlatformId = (config: Pick<Config, 'verifiedAt'>, token: Identified): PlatformId | null =>
  isVerified(config, token) ? token.platform_id : null;
