import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ops } from './files.ts';

export const units = [
  'mintage.target',
  'mintage-accounts.service',
  'mintage-api.service',
  'mintage-indexer@base.service',
  'mintage-signer@1.service',
];

/** Where the units look for Node. */
const installed = '/opt/mintage/node_modules/.bin/node';

/**
 * What `systemd-analyze` finds wrong in the units and their drop-ins; nothing when it is content.
 *
 * @param mostExposed - From 0, which nothing can harm, to 100.
 */
export const systemdErrors = (mostExposed: number): string => {
  const folder = mkdtempSync(join(tmpdir(), 'mintage-units-'));
  try {
    cpSync(`${ops}systemd`, folder, { recursive: true });
    // It looks whether the program is there.
    for (const file of globSync('*.service', { cwd: folder })) {
      const path = join(folder, file);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(installed, process.execPath));
    }
    const paths = units.map((unit) => join(folder, unit));
    const services = paths.filter((path) => path.endsWith('.service'));
    return [
      analyze('verify', '--recursive-errors=yes', ...paths),
      ...services.map((path) => analyze('security', '--offline=true', `--threshold=${mostExposed}`, path)),
    ].join('');
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const analyze = (...words: string[]): string => {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['--no-pager', ...words], { encoding: 'utf8' });
  return status === 0 && stderr === '' ? '' : `${stdout}${stderr}`;
};
