import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

/** The folder of files by which a deployment is run, with a slash at its end. */
export const ops = fileURLToPath(new URL('../../ops/', import.meta.url));

export const textOf = (path: string): string => readFileSync(`${ops}${path}`, 'utf8');

/** Every document of a YAML file. @throws On what YAML calls an error or a warning. */
export const documentsIn = (path: string): unknown[] =>
  parseAllDocuments(textOf(path), { merge: true }).map((document) => {
    const [wrong] = [...document.errors, ...document.warnings];
    if (wrong !== undefined) throw wrong;
    return document.toJS();
  });

/** Variables of a file of lines `NAME=value`, as systemd and Compose read it. */
export const variablesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

export const manifests = globSync('kubernetes/*.yaml', { cwd: ops }).toSorted();
