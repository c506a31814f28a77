import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
}

/** What a file belongs to; the first that fits. A frame of the runtime belongs to who called it. */
const parts: [string, RegExp][] = [
  [
    'database (statements, rows)',
    /node_modules\/(pg|pg-[a-z-]+|postgres-[a-z-]+|kysely)\/|server\/src\/index\/page\/bulk/,
  ],
  ['decode (logs to events)', /server\/src\/index\/(events|evm\/decode)/],
  ['fold (handlers, rows, journal)', /server\/src\/index\/(handlers|aggregates|page|store)\/|packages\/protocol\//],
  ['RPC (requests, JSON, following)', /server\/src\/(index\/(sync|evm)|chain)\/|undici|internal\/deps/],
];

/** Milliseconds of a process by part, from the profile that it left in the folder; without those that it slept. */
export const profileParts = (folder: string): [string, number][] => {
  const [file] = readdirSync(folder);
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, file ?? ''), 'utf8')) as Profile;
  const partOf = new Map<number, string>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = (id: number, inherited: string): void => {
    const node = byId.get(id);
    if (node === undefined) return;
    const { url, functionName } = node.callFrame;
    const own =
      functionName === '(garbage collector)' ? 'garbage collection' : parts.find(([, file]) => file.test(url))?.[0];
    const part = functionName === '(idle)' ? 'asleep' : (own ?? inherited);
    partOf.set(id, part);
    for (const child of node.children ?? []) visit(child, part);
  };
  visit(nodes[0]?.id ?? 0, 'runtime (sockets, timers, start)');
  const sums = new Map<string, number>();
  for (const [i, id] of samples.entries()) {
    const part = partOf.get(id) ?? 'unknown';
    sums.set(part, (sums.get(part) ?? 0) + (timeDeltas[i] ?? 0) / 1000);
  }
  sums.delete('asleep');
  return [...sums].toSorted(([, a], [, b]) => b - a);
};
