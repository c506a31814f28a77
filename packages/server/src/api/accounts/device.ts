/**
 * Families of browsers and systems, by what their user agents say. The first that fits: each says the names of those below it too.
 */
const browsers: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\/|\bOpera\b/],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];
const systems: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Mac', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

/**
 * By what a user tells sessions apart: 'Chrome on Linux', or one of the two. Words of ours alone: neither versions nor what a stranger
 * writes there are kept. Null: none that is known.
 */
export const deviceOf = (userAgent: string | undefined): string | null => {
  // A longer one is no browser's.
  const text = userAgent?.slice(0, 512) ?? '';
  const known = [browsers, systems].flatMap((family) => family.find(([, sign]) => sign.test(text))?.[0] ?? []);
  return known.length === 0 ? null : known.join(' on ');
};
