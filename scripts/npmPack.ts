import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Packs what lies in a folder, as npm publishes it, into another, which is made. @returns Path of the tarball. */
export const npmPack = (folder: string, into: string): string => {
  mkdirSync(into, { recursive: true }); // npm ends with a raw error where it is missing
  const words = ['pack', folder, '--pack-destination', into, '--json', '--ignore-scripts'];
  const [{ filename }] = JSON.parse(execFileSync('npm', words, { encoding: 'utf8' })) as [{ filename: string }];
  return resolve(into, filename);
};

/** The file with the licence of a package that is inside another. @throws Error where there is none to go with it. */
export const licenceIn = (folder: string): string => {
  const file = existsSync(folder) ? readdirSync(folder).find((one) => /^licen[cs]e/i.test(one)) : undefined;
  if (file === undefined) throw new Error(`${folder} is inside a package and has no licence to go with it.`);
  return join(folder, file);
};

/** Name and version of an installed package, and its licence, for people to read. */
export const licenceText = (folder: string): string => {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>;
  return `${name} ${version}\n\n${readFileSync(licenceIn(folder), 'utf8').trim()}\n`;
};
