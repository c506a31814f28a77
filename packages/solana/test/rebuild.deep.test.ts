import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { launchpadFile, launchpadSource, readRecord, rebuild } from '../build/launchpad.ts';
import { isCompilerHere, styleTest } from './compilerHere.ts';

describe('the committed program', () => {
  it('is what the pinned compiler makes of the sources, byte for byte', async () => {
    if (!(await isCompilerHere('the bytes of launchpad.so were not compared'))) return;
    const { program, record } = await rebuild();
    expect(readRecord()).toEqual(record);
    expect(program.equals(readFileSync(launchpadFile)), 'Run `npm run build:solana`.').toBe(true);
  });

  it('is formatted, and Clippy has nothing to say', () => styleTest(launchpadSource, 'launchpad'));
});
