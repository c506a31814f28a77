import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProgram } from './build.ts';
import { compilerVersion } from './flags.ts';
import { type LaunchpadRecord, launchpadFile, launchpadSource, recordFile, sha256, sourcesHash } from './launchpad.ts';

/** Builds the program and says what of; writes nothing into the tree. */
export const rebuild = async (): Promise<{ program: Buffer; record: LaunchpadRecord }> => {
  const scratch = mkdtempSync(join(tmpdir(), 'mintage-solana-'));
  try {
    const file = join(scratch, 'launchpad.so');
    await buildProgram(launchpadSource, 'launchpad', file);
    const program = readFileSync(file);
    const record = {
      compiler: compilerVersion,
      sourcesSha256: sourcesHash(),
      sha256: sha256(program),
      size: program.length,
    };
    return { program, record };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

export const writeLaunchpad = async (): Promise<LaunchpadRecord> => {
  const { program, record } = await rebuild();
  writeFileSync(launchpadFile, program);
  writeFileSync(recordFile, `${JSON.stringify(record, null, 2)}\n`);
  return record;
};
