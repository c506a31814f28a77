/**
 * `npm run attack [-- PART… --requests N --seed S --seconds S]`: a hostile stranger against services of our own on this machine.
 * Without a part all of them with small numbers, in some minutes. Ends with a table, and with 1 when a line of it is red.
 */
import { parseArgs } from 'node:util';
import type { Finding, Part } from './attack/part.ts';

const parts: Record<string, () => Promise<Part>> = {
  fuzz: async () => (await import('./attack/fuzz.ts')).attackFuzz,
  bodies: async () => (await import('./attack/bodies.ts')).attackBodies,
  slow: async () => (await import('./attack/slow.ts')).attackSlow,
  database: async () => (await import('./attack/database.ts')).attackDatabase,
  decoders: async () => (await import('./attack/decoders.ts')).attackDecoders,
  redis: async () => (await import('./attack/redis.ts')).attackRedis,
  media: async () => (await import('./attack/media.ts')).attackMedia,
  search: async () => (await import('./attack/search.ts')).attackSearch,
  floods: async () => (await import('./attack/floods.ts')).attackFloods,
  webhooks: async () => (await import('./attack/webhooks.ts')).attackWebhooks,
  disk: async () => (await import('./attack/disk.ts')).attackDisk,
  rows: async () => (await import('./attack/rows.ts')).attackRows,
  walls: async () => (await import('./attack/walls.ts')).attackWalls,
  kills: async () => (await import('./attack/kills.ts')).attackKills,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: 'string', default: '10000' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '500' },
  },
});
const unknown = positionals.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Say which: ${Object.keys(parts).join(', ')}.`);
  process.exit(1);
}
process.once('SIGINT', () => process.exit(130)); // what was mounted is unmounted at the exit, children end with us

const options = {
  requests: Number(values.requests),
  from: Number(values.from),
  seed: Number(values.seed),
  seconds: Number(values.seconds),
  connections: Number(values.connections),
};
const findings: (Finding & { part: string })[] = [];
for (const [part, load] of Object.entries(parts)) {
  if (positionals.length > 0 && !positionals.includes(part)) continue;
  const started = performance.now();
  console.log(`\n${part} …`);
  const find = (finding: Finding): void => {
    findings.push({ part, ...finding });
  };
  try {
    await (await load())({ ...options, find, tell: (line) => console.log(`  ${line}`) });
  } catch (error) {
    console.error(error);
    find({ what: 'ran to its end', figure: (error as Error).message.split('\n')[0] ?? '', bound: '', pass: false });
  }
  console.log(`  ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

console.log('\n| part | what | figure | bound | pass |\n|---|---|---|---|---|');
for (const { part, what, figure, bound, pass } of findings) {
  console.log(`| ${part} | ${what} | ${figure} | ${bound} | ${pass === null ? 'not run' : pass ? 'yes' : '**NO**'} |`);
}
process.exit(findings.some(({ pass }) => pass === false) ? 1 : 0);
