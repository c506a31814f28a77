/** Fails when something that ships contradicts our licence; the rules are in `licenses.ts`. Compile the contracts first. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Lock, licenseErrors, shippedPaths, sourceErrors } from './licenses.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const readJson = (path: string) => JSON.parse(readFileSync(`${root}${path}`, 'utf8'));
const lock: Lock = readJson('package-lock.json').packages;

/** From the installed package; from the lock for what npm leaves out on this platform. */
const licenseOf = (path: string): string | null => {
  const manifest = `${path === '' ? '' : `${path}/`}package.json`;
  const { license, licenses } = existsSync(`${root}${manifest}`) ? readJson(manifest) : (lock[path] ?? {});
  return license?.type ?? license ?? licenses?.[0]?.type ?? null;
};

const contracts = globSync('packages/contracts/artifacts/*.json', { cwd: root }).map((path) => basename(path, '.json'));
const errors = [
  ...licenseErrors(lock, licenseOf),
  ...contracts.flatMap((name) =>
    sourceErrors(name, readJson(`packages/contracts/out/${name}.sol/${name}.json`).metadata.sources),
  ),
];
for (const error of errors) console.error(error);
if (errors.length > 0) process.exitCode = 1;
else console.log(`licences: ${shippedPaths(lock).length} packages and ${contracts.length} contracts ship under MIT`);
