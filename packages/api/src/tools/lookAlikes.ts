/** Letters of other alphabets that look like a Latin letter, by that letter. From the confusables of Unicode (UTS 39). */
const byLatin: Record<string, string> = {
  a: 'аɑα',
  b: 'ЬƄ',
  c: 'сϲᴄⅽ',
  d: 'ԁɗⅾ',
  e: 'еҽ℮',
  f: 'ϝք',
  g: 'ɡցԍ',
  h: 'һհ',
  i: 'іıɩιӏⅰ',
  j: 'јϳ',
  k: 'кκᴋ',
  l: 'ӏⅼ',
  m: 'ⅿ',
  n: 'ոռп',
  o: 'оοօσᴏ',
  p: 'рρ',
  q: 'ԛգզ',
  r: 'гᴦ',
  s: 'ѕꜱ',
  t: 'тτ',
  u: 'υսᴜц',
  v: 'ѵνᴠⅴ',
  w: 'ԝѡաᴡω',
  x: 'хχⅹ',
  y: 'уγүყ',
  z: 'ᴢ',
  A: 'АΑᎪ',
  B: 'ВΒᏴ',
  C: 'СϹᏟⅭ',
  D: 'ᎠⅮ',
  E: 'ЕΕᎬ',
  F: 'ϜᖴҒ',
  G: 'ԌᏀ',
  H: 'НΗᎻ',
  I: 'ІΙӀⅠ',
  J: 'ЈᎫ',
  K: 'КΚᏦK',
  L: 'ᏞⅬ',
  M: 'МΜᎷⅯ',
  N: 'Ν',
  O: 'ОΟՕ',
  P: 'РΡᏢ',
  Q: 'Ԛ',
  R: 'ᎡᏒ',
  S: 'ЅᏚՏ',
  T: 'ТΤᎢ',
  U: 'Ս',
  V: 'ѴᏙⅤ',
  W: 'ԜᎳ',
  X: 'ХΧⅩ',
  Y: 'УΥҮ',
  Z: 'ΖᏃ',
};

const latinOf = new Map(Object.entries(byLatin).flatMap(([latin, others]) => [...others].map((one) => [one, latin])));

/** The Latin letter or digit that a character can be mistaken for; undefined for any other, and for Latin itself. */
export const lookAlike = (character: string): string | undefined => {
  const known = latinOf.get(character);
  if (known !== undefined || character <= '\u007f') return known;
  // Wide, bold, circled and other dressed forms of plain letters.
  const plain = character.normalize('NFKC');
  return /^[A-Za-z0-9]$/.test(plain) ? plain : undefined;
};
