import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLedger } from './ledger.ts';

const settings = { scale: 1, seed: 7, revision: 'a1' };
const slice = (part: string, number: number, lost: number) => ({
  part,
  number,
  size: 50,
  seed: 7 + number,
  seconds: 2,
  figures: { lost },
});

const newPath = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'mintage-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'figures.jsonl');
};

test('default: what was done is there at the next start, and adds up by part', () => {
  const path = newPath();
  openLedger(path, settings).add(slice('kills', 0, 1));
  const ledger = openLedger(path, settings);
  ledger.add(slice('kills', 1, 2));
  ledger.add(slice('log', 0, 4));
  expect(openLedger(path, settings).totalOf('kills')).toEqual({ size: 100, seconds: 4, figures: { lost: 3 } });
  expect(openLedger(path, settings).slicesOf('log')).toEqual([slice('log', 0, 4)]);
});

test('behavior: a line that was cut off does not count, and what is added behind it does', () => {
  const path = newPath();
  openLedger(path, settings).add(slice('kills', 0, 1));
  appendFileSync(path, JSON.stringify(slice('kills', 1, 1)).slice(0, 40));
  const ledger = openLedger(path, settings);
  expect(ledger.slicesOf('kills')).toEqual([slice('kills', 0, 1)]);
  ledger.add(slice('kills', 1, 5));
  expect(openLedger(path, settings).slicesOf('kills')).toEqual([slice('kills', 0, 1), slice('kills', 1, 5)]);
});

test('error: a folder of a run with other settings', () => {
  const path = newPath();
  openLedger(path, settings);
  expect(() => openLedger(path, { ...settings, scale: 0.5 })).toThrow('is of a run of a1 with --scale 1 --seed 7');
  expect(() => openLedger(path, { ...settings, revision: 'b2' })).toThrow('is of a run of a1');
});
