import { describe, expect, test } from 'vitest';
import { growthOf, leftOver, notFlat, slopeOf, tableOf } from './report.ts';
import type { Sample } from './sample.ts';

const sample = (second: number, changed: Partial<Sample> = {}): Sample => ({
  second,
  process: 'api',
  pid: 7,
  isCollected: false,
  rssMb: 100 + second / 3_600,
  heapMb: 50,
  committedMb: 60,
  externalMb: 10,
  descriptors: 30,
  sockets: 12,
  resources: { Timeout: 4 },
  listeners: 5,
  warnings: 0,
  ...changed,
});
const hour = Array.from({ length: 360 }, (_, i) => sample(i * 10));

test('slopeOf: default: what a line grows in an hour', () => {
  expect(slopeOf([0, 10, 20].map((second) => ({ second, value: 3 + second })))).toBeCloseTo(3_600);
  expect(slopeOf([{ second: 1, value: 1 }])).toBe(0);
});

test('growthOf: default: of the time after ten minutes alone', () => {
  const noisy = hour.map((each) => (each.second < 600 ? { ...each, rssMb: each.second } : each));
  expect(growthOf(noisy)).toEqual([
    'api: rss 1.0 MB/h (1.0 %), heap 0.0 MB/h (0.0 %), committed 0.0 MB/h (0.0 %), external 0.0 MB/h (0.0 %)',
  ]);
  expect(growthOf(hour.slice(0, 30))).toEqual(['api: no 10 minutes and two more yet']);
});

test('tableOf: default: a line for five minutes', () => {
  expect(tableOf(hour).slice(2, 4)).toEqual([
    '| api | 0 to 5 | 100 | 50 | 60 | 10 | 30 | 12 |',
    '| api | 5 to 10 | 100 | 50 | 60 | 10 | 30 | 12 |',
  ]);
});

test('notFlat: error: memory that grows on after ten minutes, and not before', () => {
  expect(notFlat(hour)).toEqual([]);
  expect(notFlat(hour.map((each) => ({ ...each, rssMb: 100 + Math.min(each.second, 500) })))).toEqual([]);
  expect(notFlat(hour.map((each) => ({ ...each, rssMb: 200 + each.second / 100 })))).toEqual([
    'api: memory grows by 36.0 MB an hour',
  ]);
});

describe('leftOver', () => {
  test('default: nothing when no more is held than comes and goes', () => {
    const now = { sockets: 20, heapMb: 57, resources: { Timeout: 12, TCPSocketWrap: 8 } };
    expect(leftOver([sample(0)], [sample(9, now)])).toEqual([]);
  });

  test('error: memory that a collection leaves, and a process that began anew', () => {
    expect(leftOver([sample(0)], [sample(9, { heapMb: 60, externalMb: 30 })])).toEqual([
      'api: heap 50 → 60 MB',
      'api: external memory 10 → 30 MB',
    ]);
    expect(leftOver([sample(0)], [sample(9, { pid: 8 })])).toEqual(['api is another process than before']);
  });

  test('error: each kind that is more is named, of listeners and warnings each single one', () => {
    const more = { sockets: 21, listeners: 6, warnings: 1, resources: { Timeout: 13, TCPSocketWrap: 9 } };
    expect(leftOver([sample(0)], [sample(9, more)])).toEqual([
      'api: sockets 12 → 21',
      'api: listeners 5 → 6',
      'api: warnings 0 → 1',
      'api: Timeout 4 → 13',
      'api: TCPSocketWrap 0 → 9',
    ]);
  });
});
