import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLine, type End } from './line.ts';

const otherEnd = `import { createLine } from ${JSON.stringify(new URL('line.ts', import.meta.url).href)};
const line = createLine(process);
line.answer('double', (given) => given * 2);
line.answer('fail', () => { throw new Error('no'); });
line.answer('relay', (given) => line.ask('here', given));
line.answer('end', () => process.exit(0));
`;

test('questions go both ways; a process that is gone refuses them, and nothing of it ends this one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintage-line-'));
  try {
    const file = join(folder, 'other.mjs');
    writeFileSync(file, otherEnd);
    const child = fork(file);
    const line = createLine(child as unknown as End);
    line.answer('here', (given) => `here ${given}`);
    expect(await line.ask('double', 21)).toBe(42);
    expect(await line.ask('relay', 7)).toBe('here 7');
    await expect(line.ask('fail')).rejects.toThrow('no');
    await expect(line.ask('nobody')).rejects.toThrow('Nobody answers nobody here.');
    const ended = once(child, 'exit');
    const pending = line.ask('end');
    pending.catch(() => {}); // looked at below
    await ended;
    // What is asked before anybody noticed the end, and what waits, and what is asked from then on.
    await expect(line.ask('double', 1)).rejects.toThrow('The other process has ended.');
    await expect(pending).rejects.toThrow('The other process has ended.');
    await expect(line.ask('double', 1)).rejects.toThrow('The other process has ended.');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
