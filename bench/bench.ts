/** `npm run bench -- NAME`: one benchmark, as figures and ratios of one run. Its last line is the result. */
const benches: Record<string, () => Promise<void>> = {
  prepare: async () => (await import('./prepare.ts')).benchPrepare(),
  signed: async () => (await import('./signed.ts')).benchSigned(),
  indexer: async () => (await import('./indexer.ts')).benchIndexer(),
  latency: async () => (await import('./latency.ts')).benchLatency(),
  fanout: async () => (await import('./fanout.ts')).benchFanout(),
  streams: async () => (await import('./streams.ts')).benchStreams(),
  announce: async () => (await import('./announce.ts')).benchAnnounce(),
  replicas: async () => (await import('./replicas.ts')).benchReplicas(),
  notify: async () => (await import('./notify.ts')).benchNotify(),
  social: async () => (await import('./social.ts')).benchSocial(),
  reads: async () => (await import('./reads.ts')).benchReads(),
  anonymous: async () => (await import('./anonymous.ts')).benchAnonymous(),
  tools: async () => (await import('./tools.ts')).benchTools(),
  cli: async () => (await import('./cli.ts')).benchCli(),
  docs: async () => (await import('./docs.ts')).benchDocs(),
  og: async () => (await import('./og.ts')).benchOg(),
  web: async () => (await import('./web.ts')).benchWeb(),
  viewers: async () => (await import('./viewers.ts')).benchViewers(),
  gas: async () => (await import('./gas.ts')).benchGas(),
  solana: async () => (await import('./solana.ts')).benchSolana(),
};

const name = process.argv[2] ?? '';
const bench = benches[name];
if (bench === undefined) {
  console.error(`Say which: npm run bench -- ${Object.keys(benches).join(' | ')}`);
  process.exitCode = 1;
} else {
  await bench();
}
