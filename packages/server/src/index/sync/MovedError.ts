/** The answers are inconsistent, usually because the chain moved between them. Asking again helps. */
export class MovedError extends Error {
  constructor(what: string, cause?: unknown) {
    super(`the chain moved while it was read: ${what}`, { cause });
    this.name = 'MovedError';
  }
}
