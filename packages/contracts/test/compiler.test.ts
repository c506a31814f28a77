import { readFileSync } from 'node:fs';
import { compiledContract } from '@mintage/devnet/compiledContract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

/** The compiler's known bugs against what compiled us, as the compiler itself wrote it down beside the bytecode. */

const Version = z.string().regex(/^\d+\.\d+\.\d+$/);
const Bug = z.strictObject({
  name: z.string(),
  introduced: Version,
  /** The first version without it. */
  fixed: Version,
  /** Of one pipeline only; absent: of both. */
  viaIR: z.boolean().optional(),
});
const Bugs = z.strictObject({ source: z.string(), read: z.string(), newestRelease: Version, bugs: z.array(Bug) });

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const known = Bugs.parse(JSON.parse(read('tools/solc-bugs.json')));

const compiledAs = (contract: string) => {
  const { compiler, settings } = compiledContract(contract).metadata;
  return { version: compiler.version.split('+')[0] ?? '', viaIR: settings.viaIR ?? false };
};

const isBefore = (a: string, b: string): boolean => a.localeCompare(b, 'en', { numeric: true }) < 0;

const bugsOf = (version: string, viaIR: boolean): string[] =>
  known.bugs
    .filter(({ introduced, fixed }) => !isBefore(version, introduced) && isBefore(version, fixed))
    .filter((bug) => bug.viaIR === undefined || bug.viaIR === viaIR)
    .map(({ name }) => name);

/** Those whose creation bytecode is committed. */
const contracts = [
  'Create3Factory',
  'DollarCheck',
  'ExchangeCheck',
  'LaunchToken',
  'LaunchTokenV3',
  'LaunchpadV3',
  'LaunchpadV4',
  'LensV3',
  'LensV4',
  'OpeningV3',
  'OpeningV4',
  'TestUSD',
  'TokenBridge',
  'TokenFactory',
];

describe('the compiler', () => {
  it.each(contracts)('C19 has no known bug that %s could have, on either pipeline', (contract) => {
    const { version } = compiledAs(contract);
    expect(bugsOf(version, false)).toEqual([]);
    expect(bugsOf(version, true)).toEqual([]);
  });

  it('C19 is no newer than the list of its bugs: a new version brings a list that was read again', () => {
    expect(contracts.filter((contract) => isBefore(known.newestRelease, compiledAs(contract).version))).toEqual([]);
  });

  it('C19 is the one that is pinned', () => {
    const pinned = Version.parse(JSON.parse(read('package.json')).devDependencies.solc);
    expect(new Set(contracts.map((contract) => compiledAs(contract).version))).toEqual(new Set([pinned]));
  });

  it('C19 would be refused where it has one', () => {
    expect(bugsOf('0.8.36', false)).toEqual(['MemoryByteArrayElementDeleteClearsWholeWord']);
    expect(bugsOf('0.8.33', true)).toContain('TransientStorageClearingHelperCollision');
    expect(bugsOf('0.8.33', false)).not.toContain('TransientStorageClearingHelperCollision');
    expect(bugsOf('0.8.9', true)).toContain('UnsoundSpillInMutualRecursion');
  });
});
