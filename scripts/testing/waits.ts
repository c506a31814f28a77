/** One way to write a test that a busy machine fails, and what to write instead. */
interface Habit {
  pattern: RegExp;
  instead: string;
}

const habits: readonly Habit[] = [
  {
    pattern: /\bvi\.wait(?:For|Until)\(/g,
    instead: 'it gives up after a second: write expect.poll, or until of @mintage/devnet/until',
  },
  {
    pattern: /\b(?:attempts?|tries)\b\w* (?:<|>|===) \d[\d_]*(?=(?:.*\n){0,8}.*(?:\bsleep\(|\bsetTimeout\())/g,
    instead: 'so many attempts are a limit of time: write expect.poll, or until of @mintage/devnet/until',
  },
  {
    pattern: /performance\.now\(\) - \w+\)\.toBeLessThan/g,
    instead: 'a busy machine takes longer: show by an event, or by a limit that the test sets, what was not waited for',
  },
  {
    pattern: /(?<=from '(?:node:)?https?';[^]*)\bcreateServer\((?![^(]*patientServer\b|\))/g,
    instead:
      'it closes connections that are idle for five seconds: write createServer(patientServer, …) of @mintage/devnet/patientServer',
  },
];

/** Refuses a `timeout` of 1 to 90 s. Below that it is a timer of the test; with `.catch` on the line nothing fails by it. */
const pollLimitMs = 90_000;
const waits = /\btimeout: (\d[\d_]{3,})(?!.*\.catch\()/g;
/** Of tests and hooks; what is no number is called a limit, a timeout or patience. */
const limits = [
  /^ *\}\)?, (?:\d[\d_]{3,}|\d+ \* \d[\d_]+|\w*(?:[lL]imit|[tT]imeout|[pP]atience)\w*)\);/gm,
  /\{\s*(?:timeout|retry): [^}]+\}, (?:async )?\(/g,
  /\bvi\.setConfig\(/g,
];

/** What makes a test fail on a machine that is busy just then, a line each with its number. */
export const hastyIn = (source: string): string[] => {
  const lineOf = (index: number): number => source.slice(0, index).split('\n').length;
  const found = habits.flatMap(({ pattern, instead }) =>
    [...source.matchAll(pattern)].map(({ index, 0: text }) => `${lineOf(index)}: ${text} …: ${instead}`),
  );
  const short = [...source.matchAll(waits)].filter(([, ms = '']) => Number(ms.replaceAll('_', '')) < pollLimitMs);
  const own = [...limits.flatMap((pattern) => [...source.matchAll(pattern)]), ...short].map(
    ({ index, 0: text }) => `${lineOf(index)}: ${text.trim()}: leave it out, the runner's limit is everybody's`,
  );
  return [...found, ...own];
};
