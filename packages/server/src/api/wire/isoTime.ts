/**
 * ISO 8601 in UTC with milliseconds, as `toISOString` writes it, five times faster: each prepared trade formats two
 * times.
 *
 * @param ms - Since 1970, before the year 10000.
 */
export const isoTime = (ms: number): string => {
  const time = new Date(ms);
  const day = `${time.getUTCFullYear()}-${two(time.getUTCMonth() + 1)}-${two(time.getUTCDate())}`;
  const clock = `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}:${two(time.getUTCSeconds())}`;
  return `${day}T${clock}.${three(time.getUTCMilliseconds())}Z`;
};

const two = (value: number): string => (value < 10 ? `0${value}` : `${value}`);

const three = (value: number): string => (value < 100 ? `0${two(value)}` : `${value}`);
