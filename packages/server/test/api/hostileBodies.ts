/**
 * Bodies that cost a careless reader much more than their length, by what they are made of. Each is valid JSON or breaks off,
 * and none is a request that could be answered with 200.
 *
 * @param bytes - About how long each becomes; ASCII only.
 * @param nowMs - Of the service's clock: a signature that has expired is refused before it costs anything.
 */
export const hostileBodies = (bytes: number, nowMs = Date.now()): Readonly<Record<string, string>> => {
  const times = (part: string, around = 0): string =>
    part.repeat(Math.max(1, Math.floor((bytes - around) / part.length)));
  /** A creation by a wallet, whose last field is as long as wanted: read whole before any signature can be checked. */
  const creation = (field: string, text: (room: number) => string): string => {
    const head =
      `{"source":"Testnet","expiresAfter":300000,"nonce":${nowMs},"signatureChainId":"0x1",` +
      `"signature":"0x${'11'.repeat(65)}","action":{"type":"createToken","name":"A","symbol":"AA","chainSlug":"base-sepolia",` +
      `${field === 'description' ? '"image":"https://a.example/a.png"' : '"description":"a"'},"${field}":"`;
    return `${head}${text(bytes - head.length - 3)}"}}`;
  };
  return {
    'numbers with exponents': `{"a":[${times('1e1,', 10)}1e1]}`,
    'many numbers': `{"a":[${times('1,', 8)}1]}`,
    'many keys': `{${Array.from({ length: Math.floor(bytes / 16) }, (_, i) => `"k${i.toString(36).padStart(6, '0')}":1`).join()}}`,
    'keys that hash alike': `{${Array.from({ length: Math.floor(bytes / 16) }, (_, i) => `"${i}":1`).join()}}`,
    'deep lists': `{"a":${times('[', 6)}`,
    'deep objects': times('{"a":'),
    'many short texts': `{"a":["${times('","', 8)}"]}`,
    'many nulls': `{"a":[${times('null,', 12)}null]}`,
    'one long text': `{"a":"${times('a', 8)}"}`,
    'one long text of escapes': `{"a":"${times('\\u0061', 8)}"}`,
    'one long text of quotes': `{"a":"${times('\\"', 8)}"}`,
    'one long key': `{"${times('k', 8)}":1}`,
    'a number of many digits': `{"a":${times('1', 6)}}`,
    'a number of many zeros': `{"a":0.${times('0', 9)}1}`,
    'spaces only': times(' '),
    'commas only': `{"a":[${times(',', 6)}`,
    'a text without end': `{"a":"${times('\\\\', 6)}`,
    'a picture under a wrong signature': creation('image', (room) => `data:image/png;base64,${'A'.repeat(room - 22)}`),
    'a description as long as a picture': creation('description', (room) => `data:${'a'.repeat(room - 5)}`),
  };
};
