import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkStyle } from '../build/build.ts';
import { launchpadFile, launchpadSource, readRecord } from '../build/launchpad.ts';
import { rebuild } from '../build/rebuild.ts';

describe('the committed program', () => {
  it('is what the pinned compiler makes of the sources, byte for byte', async () => {
    const { program, record } = await rebuild();
    expect(readRecord()).toEqual(record);
    expect(program.equals(readFileSync(launchpadFile)), 'Run `npm run build:solana`.').toBe(true);
  });

  it('is formatted, and Clippy has nothing to say', () => checkStyle(launchpadSource, 'launchpad'));
});
