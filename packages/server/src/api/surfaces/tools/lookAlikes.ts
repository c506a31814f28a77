/**
 * Letters of other alphabets that look like a Latin letter, grouped by that letter, from the confusables of Unicode
 * (UTS 39). Written as escapes, because a reader could not tell them from Latin letters.
 */
const byLatin: Record<string, string> = {
  a: '\u{430}\u{251}\u{3b1}',
  b: '\u{42c}\u{184}',
  c: '\u{441}\u{3f2}\u{1d04}\u{217d}',
  d: '\u{501}\u{257}\u{217e}',
  e: '\u{435}\u{4bd}\u{212e}',
  f: '\u{3dd}\u{584}',
  g: '\u{261}\u{581}\u{50d}',
  h: '\u{4bb}\u{570}',
  i: '\u{456}\u{131}\u{269}\u{3b9}\u{4cf}\u{2170}',
  j: '\u{458}\u{3f3}',
  k: '\u{43a}\u{3ba}\u{1d0b}',
  l: '\u{4cf}\u{217c}',
  m: '\u{217f}',
  n: '\u{578}\u{57c}\u{43f}',
  o: '\u{43e}\u{3bf}\u{585}\u{3c3}\u{1d0f}',
  p: '\u{440}\u{3c1}',
  q: '\u{51b}\u{563}\u{566}',
  r: '\u{433}\u{1d26}',
  s: '\u{455}\u{a731}',
  t: '\u{442}\u{3c4}',
  u: '\u{3c5}\u{57d}\u{1d1c}\u{446}',
  v: '\u{475}\u{3bd}\u{1d20}\u{2174}',
  w: '\u{51d}\u{461}\u{561}\u{1d21}\u{3c9}',
  x: '\u{445}\u{3c7}\u{2179}',
  y: '\u{443}\u{3b3}\u{4af}\u{10e7}',
  z: '\u{1d22}',
  A: '\u{410}\u{391}\u{13aa}',
  B: '\u{412}\u{392}\u{13f4}',
  C: '\u{421}\u{3f9}\u{13df}\u{216d}',
  D: '\u{13a0}\u{216e}',
  E: '\u{415}\u{395}\u{13ac}',
  F: '\u{3dc}\u{15b4}\u{492}',
  G: '\u{50c}\u{13c0}',
  H: '\u{41d}\u{397}\u{13bb}',
  I: '\u{406}\u{399}\u{4c0}\u{2160}',
  J: '\u{408}\u{13ab}',
  K: '\u{41a}\u{39a}\u{13e6}',
  L: '\u{13de}\u{216c}',
  M: '\u{41c}\u{39c}\u{13b7}\u{216f}',
  N: '\u{39d}',
  O: '\u{41e}\u{39f}\u{555}',
  P: '\u{420}\u{3a1}\u{13e2}',
  Q: '\u{51a}',
  R: '\u{13a1}\u{13d2}',
  S: '\u{405}\u{13da}\u{54f}',
  T: '\u{422}\u{3a4}\u{13a2}',
  U: '\u{54d}',
  V: '\u{474}\u{13d9}\u{2164}',
  W: '\u{51c}\u{13b3}',
  X: '\u{425}\u{3a7}\u{2169}',
  Y: '\u{423}\u{3a5}\u{4ae}',
  Z: '\u{396}\u{13c3}',
};

const latinOf = new Map(Object.entries(byLatin).flatMap(([latin, others]) => [...others].map((one) => [one, latin])));

/** The Latin letter or digit that a character can be mistaken for; undefined for any other, and for Latin itself. */
export const lookAlike = (character: string): string | undefined => {
  if (character <= '\u{7f}') return undefined;
  const known = latinOf.get(character);
  if (known !== undefined) return known;
  // Full-width, bold, circled and other compatibility forms of plain letters.
  const plain = character.normalize('NFKC');
  return /^[A-Za-z0-9]$/.test(plain) ? plain : undefined;
};
