/** Pixels. */
export interface Size {
  width: number;
  height: number;
}

/** What a WebP says of its size; null for any other file. Its first 30 bytes are enough. Source: RFC 9649. */
export const webpSize = (bytes: Uint8Array): Size | null => {
  const head = Buffer.from(bytes.subarray(0, 30));
  const text = head.toString('latin1');
  if (head.length < 30 || !text.startsWith('RIFF') || !text.startsWith('WEBP', 8)) return null;
  switch (text.slice(12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) % 2 ** 14, height: head.readUInt16LE(28) % 2 ** 14 };
    case 'VP8L': {
      const sides = head.readUInt32LE(21);
      return { width: (sides % 2 ** 14) + 1, height: (Math.floor(sides / 2 ** 14) % 2 ** 14) + 1 };
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
};
