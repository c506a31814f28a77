import { readFileSync } from 'node:fs';
import { type Abi, type AbiEvent, type AbiFunction, toFunctionSignature } from 'viem';
import { describe, expect, it } from 'vitest';

/** docs/contracts.md is what auditors read first; it lists what the compiler has, no more and no less. */

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const text = read('docs/contracts.md');

const abiOf = (contract: string): Abi => {
  try {
    return JSON.parse(read(`packages/contracts/out/${contract}.sol/${contract}.json`)).abi;
  } catch (cause) {
    throw new Error('The contracts are not compiled: run `forge build` in packages/contracts.', { cause });
  }
};

/** The hook's callbacks decide what the PoolManager does, also where they write nothing. */
const isListed = (contract: string, { name, stateMutability }: AbiFunction): boolean =>
  (contract === 'LaunchpadV4' && /^(before|after)/.test(name)) ||
  stateMutability === 'nonpayable' ||
  stateMutability === 'payable';

const deployed = ['Create3Factory', 'LaunchToken', 'LaunchpadV4', 'LensV4', 'OpeningV4', 'TestUSD', 'TokenFactory'];

/** The Launchpad's own files: what its owner may do is said in any of them. */
const launchpadSources = [
  'FeeVault',
  'Settings',
  'Books',
  'Graduating',
  'Trading',
  'Launchpad',
  'LaunchpadV4',
  'venues/Venue',
  'venues/VenueV4',
  'venues/PoolHook',
];

/** Cells of the code in the table rows that begin with a contract's name. */
const rows = [...text.matchAll(/^\| `(\w+)` \| `([^`]+)` \| ([^|]+) \|/gm)].map(([, contract, signature, who]) => ({
  name: `${contract} ${signature}`,
  who,
}));

describe('invariants.md', () => {
  const words = read('packages/contracts/test/invariants.md');

  it('names functions of the invariants that exist', () => {
    const source = read('packages/contracts/test/invariant/Launchpad.t.sol');
    const functions = [...source.matchAll(/function (invariant_\w+)/g)].map(([, name]) => name);
    const named = [...words.matchAll(/`(invariant_\w+)`/g)].map(([, name]) => name);
    expect(named.toSorted()).toEqual(functions.toSorted());
  });

  it('names every test of a failure that others paid for', () => {
    const source = read('packages/contracts/test/hostile/PaidFailures.t.sol');
    const tests = [...source.matchAll(/function (test_paid_\w+)/g)].map(([, name]) => name);
    const named = [...words.matchAll(/`(test_paid_\w+)`/g)].map(([, name]) => name);
    expect(named.toSorted()).toEqual(tests.toSorted());
    const elsewhere = [...words.matchAll(/`(packages\/[^`]+\.test\.ts)` "([^"]+)"/g)];
    expect(elsewhere).toHaveLength(4);
    for (const [, path = '', name = ''] of elsewhere) expect(read(path), path).toContain(name);
  });
});

describe('docs/contracts.md', () => {
  it('C18 lists every function that can change something, and who may call it', () => {
    const compiled = deployed.flatMap((contract) =>
      abiOf(contract)
        .filter((item): item is AbiFunction => item.type === 'function' && isListed(contract, item))
        .map((item) => `${contract} ${toFunctionSignature(item)}`),
    );
    expect(rows.map(({ name }) => name).toSorted()).toEqual(compiled.toSorted());
  });

  it('C18 names the functions of the owner, and no other', () => {
    const owners = rows
      .filter(({ who = '' }) => /\bowner\b/.test(who) && !/signature/.test(who))
      .map(({ name }) => name);
    // The modifier in the source is what the chain goes by.
    const source = launchpadSources.map((file) => read(`packages/contracts/src/${file}.sol`)).join('\n');
    const guarded = [...source.matchAll(/function (\w+)\([^)]*\) external onlyOwner/g)].map(([, name]) => name);
    expect(source.match(/\bonlyOwner\b/g)).toHaveLength(guarded.length + 1);
    const named = owners.map((name) => /^LaunchpadV4 (\w+)\(/.exec(name)?.[1]);
    expect(named.toSorted()).toEqual([...guarded, 'acceptOwnership'].toSorted());
  });

  it('lists the events of the Launchpad', () => {
    const events = abiOf('LaunchpadV4').filter((item): item is AbiEvent => item.type === 'event');
    const listed = [...(text.split('## Events')[1] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(events.map(({ name }) => name).toSorted());
  });
});
