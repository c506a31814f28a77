import { expect, it } from 'vitest';
import { freePort } from '../src/freePort.ts';
import { mineWhatWaits } from '../src/mineWhatWaits.ts';

it('error: a chain that is away is told to those who send to it: here nothing rejects that nobody listens to', async () => {
  const end = mineWhatWaits(`http://127.0.0.1:${await freePort()}`);
  await expect(end()).resolves.toBeUndefined();
});
