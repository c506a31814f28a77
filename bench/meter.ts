import { databaseMs } from './databaseTime.ts';

/**
 * Loaded before the indexer (`--import`): how long at least one statement was with the database, and what the process used.
 * Answers the message `figures`.
 */
export interface Figures {
  databaseMs: number;
  cpuMs: number;
  peakRssMiB: number;
}

process.on('message', (message) => {
  if (message !== 'figures') return;
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const figures: Figures = {
    databaseMs: databaseMs(),
    cpuMs: (userCPUTime + systemCPUTime) / 1000,
    peakRssMiB: maxRSS / 1024,
  };
  process.send?.(figures);
});
