import { describe, expect, it } from 'vitest';
import { readRecord, sourcesHash } from '../build/launchpad.ts';

describe('the committed program', () => {
  it('is that of the sources: none has changed since', () => {
    expect(readRecord().sourcesSha256, 'Sources changed: run `npm run build:solana`.').toBe(sourcesHash());
  });
});
