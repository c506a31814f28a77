import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * What is known about one id of the threat list: the tests that prove it (path from the root, a space, and the test's
 * name or its beginning), the area of work that it waits for, or why it does not apply.
 */
export type ThreatMark = { proved: string[] } | { waiting: string } | { notApplicable: string };

/** How many ids each part has: C1 to C22 and so on. H, K and L are what attacks from outside found: docs/attacks.md. */
const parts = { C: 22, X: 13, W: 9, A: 8, R: 8, T: 8, M: 6, I: 7, S: 4, P: 4, H: 30, K: 1, L: 15 };
/** Those of Solana are S101 to S118. */
const solana = { first: 101, count: 18 };

export const threatIds: string[] = [
  ...Object.entries(parts).flatMap(([part, count]) =>
    Array.from({ length: count }, (_, index) => `${part}${index + 1}`),
  ),
  ...Array.from({ length: solana.count }, (_, index) => `S${solana.first + index}`),
];

export const readMarks = (): Record<string, ThreatMark> =>
  JSON.parse(readFileSync(fileURLToPath(new URL('../threats.json', import.meta.url)), 'utf8'));
