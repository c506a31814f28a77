/** `fetch` itself only says that it failed: this error says who was asked, and why there was no answer. */
export const noAnswer = (asked: string, cause: unknown): Error => {
  const { message, cause: reason } = cause as Error;
  const why = reason instanceof Error ? reason.message || (reason as NodeJS.ErrnoException).code : message;
  return new Error(`No answer from ${asked} (${why}). Is it still running?`, { cause });
};
