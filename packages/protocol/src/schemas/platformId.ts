import { z } from 'zod';

/** A token's identity on every chain: `platformIdOf` of `ids.ts`. */
export const PlatformId = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/, 'must be 0x and 64 hex digits')
  .meta({ id: 'PlatformId', description: 'The token’s identity on every chain.' });

/** As a token is shown with it. */
export const ShownPlatformId = PlatformId.nullable().meta({
  description: 'Null while the deployment does not show it; some show it only once the token graduated.',
});

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
