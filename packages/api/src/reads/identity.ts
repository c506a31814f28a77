/**
 * A token's platform id under the spec's key and, with the same value, under the deployment's own: `Acme Pad` gives
 * `acme_pad_id`. Source: wire contract, section 0.
 */
export const platformIdKeys = <Prefix extends string>(
  platformName: string,
  prefix: Prefix,
  platformId: string | null,
) => ({
  [`${prefix}${words(platformName).join('_')}_id`]: platformId,
  [`${prefix}platform_id`]: platformId,
});

/** As `platformIdKeys` in camel case: `acmePadId` and `platformId`. */
export const platformIdKeysCamel = (platformName: string, platformId: string) => {
  const [first = '', ...rest] = words(platformName);
  const own = `${first}${rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Id`;
  return { [own]: platformId, platformId };
};

const words = (platformName: string): string[] => platformName.toLowerCase().match(/[a-z0-9]+/g) ?? ['platform'];
