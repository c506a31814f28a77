import type { Config } from '../../config.ts';
import type { Row } from '../../db/chainTables.ts';

type PlatformId = Row<'token'>['platform_id'];
/** A token as far as its identity goes. */
export type Identified = Pick<Row<'token'>, 'platform_id' | 'graduated_at'>;

/** Whether a token is shown with its platform id: from its creation on chain, or held back until it graduates. */
export const isVerified = ({ verifiedAt }: Config, { graduated_at: graduatedAt }: Pick<Identified, 'graduated_at'>) =>
  verifiedAt === 'confirmation' || graduatedAt !== null;

/** The platform id of a token as everybody is told it; null while it is held back. */
export const shownPlatformId = (config: Config, token: Identified): PlatformId | null =>
  isVerified(config, token) ? token.platform_id : null;

/**
 * A platform id under the spec's key and, with the same value, under the deployment's own: `Acme Pad` gives `acme_pad_id`.
 * Source: wire contract, section 0.
 */
export const platformIdKeys = <Id extends string | null, const Prefix extends string = ''>(
  platformName: string,
  id: Id,
  prefix = '' as Prefix,
) =>
  ({
    [`${prefix}${words(platformName).join('_')}_id`]: id,
    [`${prefix}platform_id`]: id,
  }) as Record<`${Prefix}platform_id`, Id>;

/** As `platformIdKeys` in camel case: `acmePadId` and `platformId`. */
export const platformIdKeysCamel = <Id extends string | null>(platformName: string, id: Id) => {
  const [first = '', ...rest] = words(platformName);
  const own = `${first}${rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Id`;
  return { [own]: id, platformId: id } as { platformId: Id };
};

const words = (platformName: string): string[] => platformName.toLowerCase().match(/[a-z0-9]+/g) ?? ['platform'];
