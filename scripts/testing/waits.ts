/** One way to write a test that a busy machine fails, and what to write instead. */
interface Habit {
  pattern: RegExp;
  instead: string;
}

/** The runner's own limits (vitest.config.ts), milliseconds. */
const testLimitMs = 120_000;
const pollLimitMs = 90_000;

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
];

/** Less than a second is a timer's; what is caught is a look, not a wait. */
const limits = [
  { pattern: /^ *\}\)?, (\d[\d_]*_\d{3})\);/gm, leastMs: testLimitMs },
  { pattern: /\btimeout: (\d[\d_]*)(?!.*\.catch\()/g, leastMs: pollLimitMs },
];

/** What makes a test fail on a machine that is busy just then, a line each with its number. */
export const hastyIn = (source: string): string[] => {
  const lineOf = (index: number): number => source.slice(0, index).split('\n').length;
  const found = habits.flatMap(({ pattern, instead }) =>
    [...source.matchAll(pattern)].map(({ index, 0: text }) => `${lineOf(index)}: ${text} …: ${instead}`),
  );
  const short = limits.flatMap(({ pattern, leastMs }) =>
    [...source.matchAll(pattern)]
      .filter(([, ms = '']) => Number(ms.replaceAll('_', '')) < leastMs)
      .map(({ index, 0: text }) => `${lineOf(index)}: ${text.trim()}: the runner's limit is longer, leave it out`),
  );
  return [...found, ...short];
};
