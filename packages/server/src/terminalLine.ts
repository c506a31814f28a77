import { styleText } from 'node:util';

/**
 * A line of the log as a person reads it: time, level, sentence, the other fields, and of an error its cause below. Colours only
 * on a terminal that wants them (`NO_COLOR`). By a few lines of our own, because the signer's process, which opens wallets,
 * holds as little of others' code as it can.
 */
export const terminalLine = (json: string): string => {
  const { level, time, msg, pid: _pid, hostname: _host, err, ...fields } = JSON.parse(json) as LogLine;
  const [name, colour] = levels.find(([, , least]) => level >= least) ?? levels[0];
  const rest = Object.entries(fields).map(([key, value]) => styleText('dim', `${plain(key)}=${shown(value)}`));
  const head = [
    new Date(time).toTimeString().slice(0, 8),
    styleText(colour, name.padEnd(5)),
    msg && plain(String(msg)),
    ...rest,
  ];
  const below = err === undefined ? '' : `${indented(causeOf(err))}\n`;
  return `${head.filter((part) => part !== undefined).join(' ')}\n${below}`;
};

/** An error's stack, and below it what else it says: a code, a query. */
const causeOf = (err: LogLine['err']): string => {
  const { type: _type, message, stack = message, ...others } = Object(err) as NonNullable<LogLine['err']>;
  if (stack === undefined) return JSON.stringify(err);
  const more = Object.entries(others).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [stack, ...more].map(String).join('\n');
};

interface LogLine {
  level: number;
  /** Milliseconds since 1970. */
  time: number;
  msg?: string;
  pid: number;
  hostname: string;
  err?: { type?: string; message?: string; stack?: string; [field: string]: unknown };
  [field: string]: unknown;
}

/** Name, colour and least number, the most serious first. Source: pino's levels. */
const levels = [
  ['fatal', 'red', 60],
  ['error', 'red', 50],
  ['warn', 'yellow', 40],
  ['info', 'cyan', 30],
  ['debug', 'dim', 20],
  ['trace', 'dim', 0],
] as const;

const shown = (value: unknown): string => plain(typeof value === 'string' ? value : JSON.stringify(value));
const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `    ${plain(line)}`)
    .join('\n');

/**
 * What moves the cursor, turns the direction of writing or is not seen, as an escape: a stranger's text must not look like
 * another line, or like other text.
 */
const plain = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16).padStart(4, '0')}}`);
