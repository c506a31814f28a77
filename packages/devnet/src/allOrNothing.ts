/** Waits for all starts, even after one has failed; then either all run, or the ones that started are stopped again. */
export const allOrNothing = async <T>(starts: Promise<T>[], stop: (started: T) => Promise<void>): Promise<T[]> => {
  const settled = await Promise.allSettled(starts);
  const started = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed === undefined) return started;
  await Promise.all(started.map(stop));
  throw failed.reason;
};
