import { testDatabase } from '@mintage/devnet/testDatabase';
import { expect, test } from 'vitest';
import { requireSameTime, watchClock } from './clock.ts';
import { startDatabase } from './startDatabase.ts';

test('H29 own clock beside the database’s: told from 5 seconds on, refused from a minute on', async () => {
  const { db, url, stop } = await testDatabase();
  const told: string[] = [];
  const ahead = (ms: number) =>
    requireSameTime(
      db,
      () => Date.now() + ms,
      (line) => told.push(line),
    );
  await ahead(2_000);
  expect(told).toEqual([]);
  await ahead(20_000);
  await ahead(-20_000);
  expect(told).toEqual([
    expect.stringMatching(/clock is (19|20|21) s ahead of the database's: set both by NTP/),
    expect.stringMatching(/clock is (19|20|21) s behind the database's/),
  ]);
  await expect(ahead(70_000)).rejects.toThrow(/70 s ahead/);
  await expect(startDatabase({ home: 'unused', url, now: () => Date.now() - 600_000 })).rejects.toThrow(/600 s behind/);
  // The database hung for 400 s, before or after it looked at its clock.
  const hung = (startMs: number, endMs: number) => {
    const asked = [startMs, endMs];
    const now = () => Date.now() + (asked.shift() as number);
    return requireSameTime(db, now, (line) => told.push(line));
  };
  await hung(-400_000, 0);
  await hung(0, 400_000);
  expect(told.length).toBe(2);
  await expect(hung(70_000, 470_000)).rejects.toThrow(/70 s ahead/);
  await expect(hung(-470_000, -70_000)).rejects.toThrow(/70 s behind/);
  const refused = await new Promise<Error>((refuse) => {
    const stopWatching = watchClock(db, {
      tell: () => undefined,
      refuse: (error) => stopWatching().then(() => refuse(error)),
      now: () => Date.now() + 70_000,
      everyMs: 1,
    });
  });
  expect(refused.message).toMatch(/70 s ahead/);
  await stop();
});
