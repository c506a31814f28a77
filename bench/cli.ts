import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packCli } from '../scripts/pack-cli.ts';

const rounds = 25;

/** Milliseconds until a process has started, said something and ended: the median, and the slowest of ten. */
const timesOf = (node: string, words: string[]): { median: number; p90: number } => {
  const times = Array.from({ length: rounds }, () => {
    const from = performance.now();
    execFileSync(node, words, { stdio: 'ignore' });
    return performance.now() - from;
  }).toSorted((one, other) => one - other);
  return { median: times[Math.floor(rounds / 2)] ?? 0, p90: times[Math.floor(rounds * 0.9)] ?? 0 };
};

/**
 * How long the command line takes to start, as it is published and from the sources, beside a Node that does nothing. `NODE` names
 * another Node than the one that runs this.
 */
export const benchCli = async (): Promise<void> => {
  const node = process.env.NODE ?? process.execPath;
  const folder = mkdtempSync(join(tmpdir(), 'mintage-bench-cli-'));
  try {
    const tarball = await packCli(folder);
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    execFileSync('npm', ['install', '--offline', '--ignore-scripts', '--omit=optional', tarball], { cwd: folder });
    const packed = join(folder, 'node_modules/@mintage/cli/mintage.js');
    const source = fileURLToPath(new URL('../packages/cli/src/mintage.ts', import.meta.url));
    const cases: [string, string, string[]][] = [
      ['Node that does nothing', node, ['-e', '0']],
      ['mintage --version', node, [packed, '--version']],
      ['mintage --help', node, [packed, '--help']],
      ['mintage buy --help', node, [packed, 'buy', '--help']],
      ['mintage completion bash', node, [packed, 'completion', 'bash']],
      ['from the sources: --version', process.execPath, [source, '--version']],
    ];
    const bare = timesOf(node, ['-e', '0']).median;
    console.log(
      `Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}, ${rounds} rounds; tarball ${Math.round(statSync(tarball).size / 1024)} kB`,
    );
    for (const [name, program, words] of cases) {
      const { median, p90 } = timesOf(program, words);
      console.log(
        `${name.padEnd(28)} ${median.toFixed(0).padStart(5)} ms   p90 ${p90.toFixed(0).padStart(5)} ms   ${(median / bare).toFixed(2)} × bare`,
      );
    }
    const start = timesOf(node, [packed, '--version']).median;
    console.log(`starts in ${start.toFixed(0)} ms of the 150 ms allowed: ${(start / 150).toFixed(2)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
