import pg from 'pg';

/** Why the database is unavailable. */
export type UnavailableReason = 'away' | 'full' | 'slow';

/**
 * The database is unavailable; the same statement can succeed later. `DatabaseClient` throws it in place of the
 * driver's and the server's own errors, so that nobody else has to know their codes.
 */
export class DatabaseUnavailableError extends Error {
  readonly reason: UnavailableReason;
  /** PostgreSQL's or the socket's; empty where there is none. */
  readonly code: string;

  constructor(reason: UnavailableReason, cause: unknown) {
    super(`${sentences[reason]} (${cause instanceof Error ? cause.message : String(cause)})`, { cause });
    this.name = 'DatabaseUnavailableError';
    this.reason = reason;
    this.code = codeOf(cause);
  }
}

const sentences: Record<UnavailableReason, string> = {
  away: 'the database does not answer now',
  full: 'the database has no room left now',
  slow: 'the database took too long',
};

/** The reason, when a server error is about the server itself; null when it is about the statement. */
export const reasonOfServer = (error: pg.DatabaseError): UnavailableReason | null => {
  const code = error.code ?? '';
  if (code.startsWith('53')) return 'full'; // disk, memory, connections
  if (code === '57014') return 'slow'; // cancelled by the time limit
  // Shutting down, starting, crashed; a broken connection; a standby, or a server that is read-only because its disk is full.
  return code.startsWith('57P') || code.startsWith('08') || code === '25006' ? 'away' : null;
};

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';
