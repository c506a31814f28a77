/** The message of the fan-out benchmark: 250 bytes on the line, with the time at which it was published. */
export const messageLength = 250;

/** Microseconds since 1970 as 16 digits. */
const stamp = (): string => Math.round((performance.timeOrigin + performance.now()) * 1000).toString();

/** `data` of an event, so that the whole message has its length with a number of 13 digits. */
export const dataOf = (): { t: string; pad: string } => ({ t: stamp(), pad: 'x'.repeat(padLength) });

const textOf = (seq: string, data: object): string =>
  `{"type":"event","id":"sub_1","topic":"tokenActivity","seq":${seq},"data":${JSON.stringify(data)}}`;
const padLength = messageLength - textOf('0'.repeat(13), { t: '0'.repeat(16), pad: '' }).length;

export const messageOf = (seq: number): string => textOf(String(seq).padStart(13, '1'), dataOf());

/** The time of a message, milliseconds since 1970, from its bytes. */
export const publishedMs = (frame: Buffer): number => {
  const at = frame.indexOf('"t":"') + 5;
  return Number(frame.toString('latin1', at, at + 16)) / 1000;
};
