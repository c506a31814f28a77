import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { npmPack } from './npmPack.ts';

const scratch = mkdtempSync(join(tmpdir(), 'mintage-pack-'));
afterAll(() => rmSync(scratch, { recursive: true }));

describe('npmPack', () => {
  it('default: the folder for the tarball is made where it is missing', () => {
    writeFileSync(join(scratch, 'package.json'), JSON.stringify({ name: 'packed', version: '1.2.3' }));
    const tarball = npmPack(scratch, join(scratch, 'a', 'b'));
    expect(tarball).toBe(join(scratch, 'a', 'b', 'packed-1.2.3.tgz'));
    expect(existsSync(tarball)).toBe(true);
  });
});
