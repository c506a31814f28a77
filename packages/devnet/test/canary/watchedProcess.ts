import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url));

/** A process of a deployment, into which can be looked. */
export interface WatchedProcess {
  /** Everything that it wrote to both its outputs. */
  said(): Buffer;
  /** Every string and object of its heap, as V8 writes them down. */
  heap(): Promise<Buffer>;
  /** Each piece of the memory that it has written to; on Linux. The next piece takes its place. */
  memory(): AsyncGenerator<Buffer>;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
  stop(): Promise<void>;
}

/**
 * @param folder - Where its heap is written to.
 * @param before - JavaScript that it runs before anything else.
 */
export const startWatched = (folder: string, env: Record<string, string>, before = ''): WatchedProcess => {
  const look = ['--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${folder}`];
  const flags = [...look, '--import', `data:text/javascript,${encodeURIComponent(before)}`];
  const child: ChildProcess = spawn(process.execPath, [...flags, entry], {
    env: { ...process.env, ...env },
    stdio: 'pipe',
  });
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const heapFiles = () =>
    readdirSync(folder).filter((name) => name.includes(`.${child.pid}.`) && name.endsWith('.heapsnapshot'));

  return {
    ended,
    said: () => Buffer.concat(chunks),
    async heap() {
      const before = new Set(heapFiles());
      child.kill('SIGUSR2');
      for (;;) {
        const name = heapFiles().find((one) => !before.has(one));
        const written = name === undefined ? Buffer.alloc(0) : readFileSync(join(folder, name));
        if (/\]\s*\}\s*$/.test(written.subarray(-16).toString())) return written;
        await sleep(200);
      }
    },
    async *memory() {
      const file = openSync(`/proc/${child.pid}/mem`, 'r');
      try {
        for (const [start, size] of writableRegions(child.pid as number))
          for (const piece of readRegion(file, start, size)) {
            yield piece;
            await setImmediate(); // a search of minutes lets others in
          }
      } finally {
        closeSync(file);
      }
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
};

const pieceBytes = 1024 * 1024;
/** Pieces overlap by more than the longest form. */
const overlapBytes = 1024;
/** Most of what a process may write to it has not written to yet: there is nothing to look for. */
const untouched = Buffer.alloc(pieceBytes);

function* readRegion(file: number, start: bigint, size: number): Generator<Buffer> {
  const piece = Buffer.alloc(Math.min(pieceBytes, size));
  for (let offset = 0; offset < size; offset += pieceBytes - overlapBytes) {
    let read: number;
    try {
      read = readSync(file, piece, 0, Math.min(piece.length, size - offset), start + BigInt(offset));
    } catch (error) {
      // Given back to the system since the list was read.
      if (!['EIO', 'EFAULT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      return;
    }
    if (piece.compare(untouched, 0, read, 0, read) !== 0) yield piece.subarray(0, read);
  }
}

const writableRegions = (pid: number): [bigint, number][] =>
  readFileSync(`/proc/${pid}/maps`, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      if (from === undefined || to === undefined || line.includes('[v')) return [];
      const start = BigInt(`0x${from}`);
      return [[start, Number(BigInt(`0x${to}`) - start)] as [bigint, number]];
    });
