import pg from 'pg';
import { median, post, startLoad, Tally } from './client.ts';
import { atMost, none, type Part } from './part.ts';
import { startService, unlimited } from './service.ts';

const tokens = 100_000;
const lanes = 10;

/** Texts that find much, little or nothing, with parts that are common, and the filters and orders beside them. */
const texts = [
  'a',
  'e',
  'zq',
  'to',
  'the',
  'fox',
  'foxowl',
  'theandthe one',
  'nothing has this',
  '%_%',
  '猫',
  'a'.repeat(128),
];
const others = [
  { order_by: 'holders' },
  { order_by: 'market_cap', order_direction: 'ASC' },
  { order_by: 'trx', offset: 10_000 },
  { order_by: 'created_at', stage: 'graduated' },
  { order_by: 'holders', hashtags: ['common'], limit: 100 },
];

/** Strangers who search a market of many tokens for the dearest texts, beside another's read: it waits no longer than beside plain lists. */
export const attackSearch: Part = async ({ seconds, find, tell }) => {
  await using service = await startService({ RATE_LIMITS: unlimited });
  const { url, databaseUrl, process: child } = service;
  const pid = child.pid();
  await fillMarket(databaseUrl);

  const [listed, searched] = [new Tally(), new Tally()];
  let sent = 0;
  const another = async (isSearching: boolean): Promise<number> => {
    const load = startLoad(lanes, async () => {
      sent += 1;
      const other = others[sent % others.length] as object;
      if (!isSearching) return listed.add(await post(url, '/get-tokens-v2', other));
      const text = texts[sent % texts.length] as string;
      searched.add(await post(url, '/get-tokens-v2', { ...other, keyword: text }));
      searched.add(await post(url, '/get-hubs', { order_by: 'created_at', keyword: text }));
      searched.add(await post(url, '/search-token', { input: text }));
    });
    const taken: number[] = [];
    const until = performance.now() + seconds * 1_000;
    while (performance.now() < until || taken.length < 5) {
      const { status, ms } = await post(url, '/search-token', { input: 'paper-boat' });
      taken.push(status === 200 ? ms : Number.POSITIVE_INFINITY);
    }
    await load.stop();
    return median(taken);
  };
  await another(false); // what is read for the first time
  listed.counts.clear();
  const besideLists = await another(false);
  const besideSearches = await another(true);
  const waits = `another’s read beside lists ${besideLists.toFixed(0)} ms, beside searches ${besideSearches.toFixed(0)} ms`;
  tell(`${listed} lists, ${searched} searches; ${waits}`);
  find(atMost('plain lists answered for each search in the same time', listed.all / searched.all, 3));
  find(atMost('another’s read beside searches, by the same beside plain lists', besideSearches / besideLists, 2));
  find(none('answers to searches other than 200', searched.all - searched.of(200)));
  find(none('ends of the process', child.pid() === pid ? 0 : 1));
};

/** Rows that an index would have made. Indexes of words are made after them. */
const fillMarket = async (databaseUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: indexes } = await client.query<{ name: string; made: string }>(
      `select c.relname as name, pg_get_indexdef(c.oid) as made from pg_class c join pg_am on pg_am.oid = c.relam
       join pg_index i on i.indexrelid = c.oid where amname = 'gin' and i.indrelid::regclass::text ~ '^token'`,
    );
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    await client.query(`
      create temp table made as select n, md5('attack' || n)::uuid as token_id, '0xa77' || lpad(to_hex(n), 37, '0') as address,
        (array['Paper', 'Quiet', 'Silver', 'Lucky', 'Tiny'])[1 + n % 5] || ' ' || (array['Fox', 'Owl', 'Otter'])[1 + n % 3] || ' ' || n as name
        from generate_series(1::bigint, ${tokens}) n;
      insert into token_draft (token_id, eid, address, creator, pool_type, name, symbol, slug, description, token_uri, tags)
        select token_id, eid, address, '0x', 'meme', name, 'ATT', 'attack-' || n, 'The one and only ' || name || ', and nothing else.', '',
          array['common'] from made, chain;
      insert into token_slug (slug, token_id) select 'attack-' || n, token_id from made;
      insert into token (eid, address, token_id, platform_id, creator, pool_type, name, symbol, uri, salt, created_at,
          block_number, log_index, tx_hash, virtual_tokens, virtual_usd, start_price_usd18, price_usd18, holders, trades)
        select eid, address, token_id, '0x' || md5('attack' || n) || md5('attack' || n), '0x', 7, name, 'ATT', '', '0x',
          now() - n * interval '1 minute', 1, n, '0x', 1, 1, 1, n, n * 7919 % 1000, n * 104729 % 5000 from made, chain`);
    for (const { made } of indexes) await client.query(made);
    await client.query('analyze');
  } finally {
    await client.end();
  }
};
