/** The type of a video by its first bytes, null when it is neither MP4 nor WebM. */
export const videoTypeOf = (bytes: Uint8Array): 'video/mp4' | 'video/webm' | null => {
  const head = Buffer.from(bytes.subarray(0, 64));
  if (head.length < 16) return null;
  if (head.subarray(4, 8).toString('latin1') === 'ftyp') return 'video/mp4';
  if (head.readUInt32BE(0) === 0x1a45dfa3 && head.includes('webm')) return 'video/webm';
  return null;
};
