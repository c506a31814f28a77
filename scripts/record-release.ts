/**
 * `npm run record:release -- NAME`: runs this version on local chains, makes every call of the list, plays the demo's story, and keeps the
 * database, one chain and some answers in `packages/server/test/db/releases/NAME`. Later versions are tested with it. Run it for each
 * release, and remove the folder of the one before.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type DevChain, type System, startSystem } from '@mintage/devnet';
import { type Database, startDatabase } from '@mintage/server/db';
import { type Kysely, sql } from 'kysely';
import { openService } from './demo/service.ts';
import { chain, makeEveryCall, other } from './examples/everyCall.ts';
import { createRecorder } from './examples/recorder.ts';

const [name = ''] = process.argv.slice(2);
if (!/^\w[\w.-]*$/.test(name)) {
  console.error('Say what the release is called: npm run record:release -- 0.1.0');
  process.exit(1);
}
const folder = fileURLToPath(new URL(`../packages/server/test/db/releases/${name}/`, import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'mintage-release-'));
const env = {
  MINTAGE_HOME: home,
  LOG_LEVEL: 'error',
  RATE_LIMITS: JSON.stringify({
    anonymous: 1e6,
    authenticated: 1e6,
    signIn: 1e6,
    writeDivisor: 1,
    toolAuthenticated: 1e6,
  }),
};

const playDemo = async ({ url, issuerUrl }: System): Promise<void> => {
  const demo = spawn(process.execPath, [fileURLToPath(new URL('demo.ts', import.meta.url)), chain], {
    env: { ...process.env, PUBLIC_URL: url ?? '', ISSUER_URL: issuerUrl ?? '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(demo, 'exit')) as [number];
  if (code !== 0) throw new Error('The demo failed.');
};

interface Owner {
  apiKey: string;
  wallet: string;
}

/** Somebody who has traded in the seeds, with an API key that executes, an embedded wallet with gas, and a webhook that nobody answers. */
const ownerOf = async ({ url, chains }: System): Promise<Owner> => {
  const [home] = chains as [DevChain];
  const call = openService(url ?? '');
  const { carol } = home.accounts;
  const { message } = await call('authChallenge', { address: carol.address });
  const { accessToken } = await call('authLogin', { message, signature: await carol.signMessage({ message }) });
  const { key } = await call(
    'createApiKey',
    { name: 'of before', scopes: ['read', 'prepare', 'execute'] },
    accessToken,
  );
  const webhook = {
    url: 'http://127.0.0.1:9/nobody',
    subscription: { topic: 'tokenActivity', chains: [chain], cursor: 'earliest' },
  };
  await call('createWebhook', webhook, accessToken);
  for (;;) {
    const { data } = await call('me', {}, accessToken);
    const wallet = data.wallets.find(({ embedded }) => embedded)?.address;
    if (wallet !== undefined) {
      await home.rpc('anvil_setBalance', [wallet, '0xde0b6b3a7640000']);
      await call('sendTransaction', { to: carol.address, amount: '1', chainSlug: chain }, key);
      // Two that are never answered.
      await call('authChallenge', { address: carol.address });
      await call('passkeyLoginOptions', {});
      return { apiKey: key, wallet };
    }
    await sleep(100);
  }
};

/** Reads whose answers depend on what has happened and not on when they are asked. */
const answersOf = async (system: System, { apiKey }: Owner) => {
  const call = openService(system.url ?? '');
  const token = { token_id: 'paper-boat' };
  const reads = [
    ['getUserPortfolio', {}],
    ['getUserFees', {}],
    ['getUserFeeHistory', { limit: 50 }],
    ['getUserPnl', { limit: 50 }],
    ['getUserClaims', { limit: 50 }],
    ['getTokenTrades', { ...token, limit: 50 }],
    ['getTokenTransfers', { ...token, limit: 50 }],
    ['getTokenHolders', { ...token, limit: 50 }],
    ['getTokenAbout', token],
    ['listApiKeys', {}],
  ] as const;
  const answers = [];
  for (const [operation, input] of reads)
    answers.push({ operation, input, answer: await call(operation, input, apiKey) });
  return answers;
};

/** Every row of every table, a line each: the table's name and the row as JSON. Of stored files those that are text. */
const rowsOf = async (db: Kysely<Database>): Promise<string[]> => {
  const { rows: tables } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`.execute(
    db,
  );
  const lines: string[] = [];
  for (const { name } of tables) {
    const isKept = name === 'media_block' ? sql`content_type = 'application/json'` : sql`true`;
    const { rows } = await sql<{ line: string }>`select concat(${name}::text, ' ', to_jsonb(t)) as line
      from ${sql.table(name)} t where ${isKept} order by 1`.execute(db);
    lines.push(...rows.map(({ line }) => line));
  }
  return lines;
};

/** What the chain is now, without the way there: only as many blocks as a reorganisation may take back, and a few. */
const keptBlocks = 70;

interface State {
  blocks: { header: { number: string } }[];
  transactions: { block_number: number; info: object }[];
}

const newestOf = (state: State): State => {
  const newest = Math.max(...state.blocks.map(({ header }) => Number(header.number)));
  const isKept = (number: number): boolean => number > newest - keptBlocks;
  return {
    ...state,
    blocks: state.blocks.filter(({ header }) => isKept(Number(header.number))),
    transactions: state.transactions
      .filter(({ block_number }) => isKept(block_number))
      .map((transaction) => ({ ...transaction, info: { ...transaction.info, traces: [] } })),
  };
};

try {
  const both = await startSystem({ env: { ...env, CHAINS: `${chain},${other}` } });
  let owner: Owner;
  try {
    await both.caughtUp();
    await makeEveryCall(both, createRecorder(both.url ?? ''));
    await playDemo(both);
    owner = await ownerOf(both);
    await sleep(5_000);
    await both.caughtUp();
  } finally {
    await both.stop();
  }
  const one = await startSystem({ env: { ...env, CHAINS: chain }, heartbeat: false });
  let answers: unknown;
  try {
    await one.caughtUp();
    answers = await answersOf(one, owner);
  } finally {
    await one.stop();
  }
  const database = await startDatabase({ home });
  const rows = await rowsOf(database.db).finally(database.stop);

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const keep = (file: string, text: string): void => writeFileSync(join(folder, file), text);
  const chainFile = (file: string): string => readFileSync(join(home, 'chains', chain, file), 'utf8');
  keep('rows.txt', `${rows.join('\n')}\n`);
  keep(
    'answers.json',
    `${JSON.stringify({ chain, ...owner, kek: readFileSync(join(home, 'kek'), 'utf8').trim(), answers }, null, 1)}\n`,
  );
  keep('deployment.json', chainFile('deployment.json'));
  keep('chain.json', `${JSON.stringify(newestOf(JSON.parse(chainFile('state.json'))))}\n`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
