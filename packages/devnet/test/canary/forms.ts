/** One way in which somebody could write a secret down. */
export interface Form {
  name: string;
  bytes: Buffer;
}

/**
 * The forms of a secret of 32 bytes that are searched for: as bytes, in hex, base64 (also amidst other bytes), decimal, a list of
 * numbers, each also reversed. A piece of half its length counts as found.
 */
export const formsOf = (secret: Buffer): Form[] =>
  [
    ['', secret],
    ['reversed ', Buffer.from(secret.toReversed())],
  ].flatMap(([order, bytes]) => formsInOrder(order as string, bytes as Buffer));

const formsInOrder = (order: string, bytes: Buffer): Form[] => {
  const hex = bytes.toString('hex');
  const decimal = BigInt(`0x${hex}`).toString();
  const list = [...bytes].join(',');
  const texts: [string, string][] = [
    ...halves('hex', hex),
    ...halves('HEX', hex.toUpperCase()),
    ...halves('decimal', decimal),
    ['backward hex', backward(hex)],
    ['backward decimal', backward(decimal)],
    ['list', list],
    ['spaced list', list.replaceAll(',', ', ')],
    ...[0, 1, 2].flatMap((shift) => base64(shift, bytes)),
  ];
  return [
    ...inHalves(`${order}bytes`, bytes),
    ...texts.map(([name, text]) => ({ name: order + name, bytes: Buffer.from(text) })),
  ];
};

/** Of these the few that a running program works with, because a memory is large: its bytes, and the texts that it is read from. */
export const workingFormsOf = (secret: Buffer): Form[] => [
  ...inHalves('bytes', secret),
  ...halves('hex', secret.toString('hex')).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
  ...base64(0, secret)
    .slice(0, 2)
    .map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
];

/** These, and the words of a large number, which stand with the lowest byte first. */
export const memoryFormsOf = (secret: Buffer): Form[] => [
  ...workingFormsOf(secret),
  ...inHalves('number', Buffer.from(secret.toReversed())),
];

const inHalves = (name: string, bytes: Buffer): Form[] => [
  { name, bytes: bytes.subarray(0, 16) },
  { name, bytes: bytes.subarray(16) },
];

const halves = (name: string, text: string): [string, string][] => {
  const middle = Math.ceil(text.length / 2);
  return [
    [name, text.slice(0, middle)],
    [name, text.slice(middle)],
  ];
};

/** What of it is the same whatever stands before and behind, when `shift` bytes of three stand before. */
const base64 = (shift: number, bytes: Buffer): [string, string][] => {
  const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
  const wholeBytes = shifted.length - (shifted.length % 3);
  const text = shifted
    .subarray(0, wholeBytes)
    .toString('base64')
    .slice(shift === 0 ? 0 : 4);
  const forms = halves(`base64 at ${shift}`, text);
  const urls = forms.map(([name, form]): [string, string] => [
    `url ${name}`,
    form.replaceAll('+', '-').replaceAll('/', '_'),
  ]);
  const escaped = forms.map(([name, form]): [string, string] => [`escaped ${name}`, form.replaceAll('/', '\\/')]);
  return [...forms, ...urls, ...escaped];
};

const backward = (text: string): string => [...text].toReversed().join('');

/** Names of the forms that stand in it. */
export const foundIn = (where: Buffer, forms: readonly Form[]): string[] => [
  ...new Set(forms.filter(({ bytes }) => where.includes(bytes)).map(({ name }) => name)),
];
