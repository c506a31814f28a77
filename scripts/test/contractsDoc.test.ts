import { readFileSync } from 'node:fs';
import { compiledContract } from '@mintage/devnet/compiledContract';
import { type Abi, type AbiEvent, type AbiFunction, toFunctionSignature } from 'viem';
import { describe, expect, it } from 'vitest';

/** docs/contracts.md is what auditors read first; it lists what the compiler has, no more and no less. */

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const text = read('docs/contracts.md');

const abiOf = (contract: string): Abi => compiledContract(contract).abi;

/** The hook's callbacks decide what the PoolManager does, also where they write nothing. */
const isListed = (contract: string, { name, stateMutability }: AbiFunction): boolean =>
  (contract === 'LaunchpadV4' && /^(before|after)/.test(name)) ||
  stateMutability === 'nonpayable' ||
  stateMutability === 'payable';

const deployed = [
  'Create3Factory',
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

/** Contracts of the other venue: what they share stands in the rows of the first. */
const sameButFor = { LaunchpadV3: 'LaunchpadV4', LaunchTokenV3: 'LaunchToken' };

/** The files of each contract that has an owner: what the owner may do is said in any of them. */
const ownedSources = {
  LaunchpadV4: [
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
  ],
  TokenBridge: ['TokenBridge'],
};

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
    const listedOf = (contract: string): string[] =>
      abiOf(contract)
        .filter((item): item is AbiFunction => item.type === 'function' && isListed(contract, item))
        .map(toFunctionSignature);
    const compiled = deployed.flatMap((contract) => {
      const [, base] = Object.entries(sameButFor).find(([other]) => other === contract) ?? [];
      const elsewhere = base === undefined ? [] : listedOf(base);
      return listedOf(contract)
        .filter((signature) => !elsewhere.includes(signature))
        .map((signature) => `${contract} ${signature}`);
    });
    expect(rows.map(({ name }) => name).toSorted()).toEqual(compiled.toSorted());
  });

  it.each(Object.entries(ownedSources))(
    'C18 names the functions of the owner of %s, and no other',
    (contract, files) => {
      const owners = rows
        .filter(({ name, who = '' }) => name.startsWith(contract) && /\bowner\b/.test(who) && !/signature/.test(who))
        .map(({ name }) => /^\w+ (\w+)\(/.exec(name)?.[1]);
      // The modifier in the source is what the chain goes by; the guardian's one function says it in its own words.
      const source = files.map((file) => read(`packages/contracts/src/${file}.sol`)).join('\n');
      const guarded = [...source.matchAll(/function (\w+)\([^)]*\) external onlyOwner/g)].map(([, name]) => name);
      expect(source.match(/\bonlyOwner\b/g)).toHaveLength(guarded.length + 1);
      const shared = [...source.matchAll(/function (\w+)\([^)]*\) external \{\s*if \(msg\.sender != guardian/g)].map(
        ([, name]) => name,
      );
      expect(owners.toSorted()).toEqual([...guarded, ...shared, 'acceptOwnership'].toSorted());
    },
  );

  it.each([
    ['LaunchpadV4', '| Event | When |', ''],
    ['LaunchpadV3', '| Event on a v3 exchange | When |', 'LaunchpadV4'],
    ['TokenBridge', '| Event of the bridge | When |', ''],
  ])('lists the events of %s', (contract, head, base) => {
    const eventsOf = (name: string) => abiOf(name).filter((item): item is AbiEvent => item.type === 'event');
    const elsewhere = base === '' ? [] : eventsOf(base).map(({ name }) => name);
    const events = eventsOf(contract).filter(({ name }) => !elsewhere.includes(name));
    const [, table = ''] = text.split(head);
    const lines = table.split('\n').slice(2);
    const listed = lines.slice(0, lines.indexOf('')).map((line) => /^\| `(\w+)` \|/.exec(line)?.[1]);
    expect(listed.toSorted()).toEqual(events.map(({ name }) => name).toSorted());
  });

  describe('each role, key and assumption at worst', () => {
    const [, section = ''] = text.split('## Each role, key and assumption at worst');
    const table = section.split('\n## ')[0]?.split('\n') ?? [];
    const lines = table.filter((line) => line.startsWith('| ')).slice(1);
    const cells = lines.map((line) => line.split(' | '));

    it('C18 has everybody whom a contract of ours names, but our own contracts', () => {
      const trusted = deployed.flatMap((contract) =>
        abiOf(contract)
          .filter((item): item is AbiFunction => item.type === 'function' && item.inputs.length === 0)
          .filter(({ outputs }) => outputs.length === 1 && outputs[0]?.type === 'address')
          .map(({ name }) => name),
      );
      const ours = ['bridge', 'factory', 'implementation', 'launchpad', 'tokenImplementation'];
      const strangers = [...new Set(trusted)].filter((name) => !ours.includes(name));
      const named = cells.map(([, where = '']) => where).join(' ');
      expect(strangers.length).toBeGreaterThan(6);
      expect(strangers.filter((name) => !named.includes(`\`${name}\``))).toEqual([]);
    });

    it('shows each row by tests that exist', () => {
      expect(cells.length).toBeGreaterThan(10);
      for (const [who, , , , shown = ''] of cells) {
        const groups = shown.split(';').map((group) => [...group.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word));
        for (const [file = '', ...tests] of groups) {
          expect(tests, who).not.toEqual([]);
          const source = read(`packages/contracts/test/${file}`);
          for (const test of tests) expect(source, who).toContain(`function ${test}(`);
        }
      }
    });
  });
});
