/** The end of a CI run: the slowest files, what failed, and "N passed, N failed" over all results in the folder TEST_RESULTS. */
import { readResults } from './testing/results.ts';
import { printFailures, total } from './testing/run.ts';

const results = readResults(process.env.TEST_RESULTS ?? '');
const slowest = results.toSorted((one, other) => other.seconds - one.seconds).slice(0, 20);
const column = (seconds: number): string => seconds.toFixed(1).padStart(7);
console.log('\nThe 20 slowest files: seconds beside others, CPU seconds, file');
for (const { file, seconds, cpuSeconds } of slowest)
  console.log(`${column(seconds)} ${cpuSeconds > 0 ? column(cpuSeconds) : '      –'}  ${file}`);
printFailures(results);
const { passed, failed } = total(results);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
