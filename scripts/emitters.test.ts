import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { emitterError } from './emitters.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
/** Part of the source folders, but of tests only. */
const isOfTests = /\.test\.ts$|Fixture\.ts$|\/testing\/|\/test[A-Z]\w*\.ts$/;

describe('whatever emits errors has a listener', () => {
  it('H2 in every file of what runs', () => {
    const paths = globSync('packages/*/src/**/*.ts', { cwd: root }).filter((path) => !isOfTests.test(path));
    expect(paths.length).toBeGreaterThan(300);
    const errors = paths.flatMap((path) => {
      const error = emitterError(readFileSync(root + path, 'utf8'));
      return error === null ? [] : [`${path}: ${error}`];
    });
    expect(errors).toEqual([]);
  });

  it('H2 connections to the database are made of the one class that listens', () => {
    const made = globSync('packages/*/src/**/*.ts', { cwd: root }).filter((path) =>
      /new pg\.Client\(|extends pg\.Client|new Client\(\{ ?connection/.test(readFileSync(root + path, 'utf8')),
    );
    expect(made).toEqual(['packages/server/src/db/databaseClient.ts']);
  });

  it.each([
    `import { spawn } from 'node:child_process'; const child = spawn('sh');`,
    `import pg from 'pg'; const pool = new pg.Pool(config);`,
    `import { Redis } from 'ioredis'; const a = new Redis(url); const b = new Redis(url); a.on('error', log);`,
    `import http from 'node:http'; const server = http.createServer(); // server.on('error', log)`,
    `import { pipeline } from 'node:stream/promises'; import { createReadStream } from 'node:fs';
      await pipeline(other(createReadStream(a)), b); const left = createReadStream(c);`,
    `import { pipeline } from './own.ts'; import { createReadStream } from 'node:fs'; await pipeline(createReadStream(a), b);`,
  ])('error: %s', (text) => {
    expect(emitterError(text)).not.toBeNull();
  });

  it('behavior: a promised pipeline hears all that it is given', () => {
    expect(
      emitterError(`import { pipeline } from 'node:stream/promises'; import { createReadStream, createWriteStream } from 'node:fs';
        await pipeline(createReadStream(file(a)), createWriteStream(b)); await pipeline(createReadStream(c), d);`),
    ).toBeNull();
  });

  it('behavior: a listener in the same file is enough', () => {
    expect(
      emitterError(`import { spawn } from 'node:child_process'; const child = spawn('sh'); child.on('error', log);`),
    ).toBeNull();
  });
});
