import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { definitions } from '@mintage/protocol/operations';
import { handler } from './handler.ts';

/** Scalar's one-file build, served from the installed package. */
const script = fileURLToPath(new URL('./browser/standalone.js', import.meta.resolve('@scalar/api-reference')));

export const docsScript = handler(definitions.docsScript, async () => ({
  body: await readFile(script),
  headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=86400' },
}));
