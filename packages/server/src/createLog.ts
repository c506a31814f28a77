import cluster from 'node:cluster';
import { type Logger, pino } from 'pino';
import { terminalLine } from './terminalLine.ts';

/**
 * JSON lines on standard output; on a terminal short lines for a person, beginning at warnings, so that a request is none.
 *
 * @param level - Null: `warn` on a terminal, else `info`.
 */
export const createLog = (level: string | null): Logger =>
  process.stdout.isTTY ? pino({ level: level ?? 'warn' }, terminal()) : pino({ level: level ?? 'info' }, pages());

const terminal = () => {
  process.stdout.on('error', () => {}); // a terminal that was closed takes no lines; the service goes on
  return { write: (line: string) => process.stdout.write(terminalLine(line)) };
};

/**
 * Lines are collected into pages: a write per line would cost more than the line. Each line is out within half a second, and
 * all of them when the process ends. While nothing can be written, because the disk is full, the first megabyte waits, later
 * lines are lost, and the service goes on.
 */
const pages = () => {
  const maxLength = 1_048_576;
  // Workers write to one pipe, and the system keeps whole only what is not longer than its page.
  const page = cluster.isWorker ? { minLength: 2_048, maxWrite: 4_096 } : { minLength: 8_192 };
  const lines = pino.destination({ fd: 1, sync: false, periodicFlush: 500, maxLength, ...page });
  let isBlocked = false;
  lines.on('error', () => {
    isBlocked = true;
  });
  lines.on('write', () => {
    isBlocked = false;
  });
  const flush = lines.flushSync.bind(lines);
  lines.flushSync = () => {
    if (!isBlocked) flush(); // flushing would wait forever for disk space, and the process could not end
  };
  return lines;
};
