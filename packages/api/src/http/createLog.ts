import { type Logger, pino } from 'pino';

/**
 * JSON lines on standard output, collected into pages: a write per line would cost more than the line. Each line is out
 * within half a second, and all of them when the process ends.
 */
export const createLog = (level: string): Logger =>
  pino({ level }, pino.destination({ fd: 1, sync: false, minLength: 8_192, periodicFlush: 500 }));
