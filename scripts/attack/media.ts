import { randomBytes } from 'node:crypto';
import { startDatabase } from '@mintage/server/db';
import pg from 'pg';
import { sweepLooseFiles } from '../../packages/server/src/api/media/looseFiles.ts';
import { endDrafts } from '../../packages/server/src/api/tokens/draft.ts';
import type { Db, ServiceDatabase } from '../../packages/server/src/db/serviceTables.ts';
import { defaultMediaQuotas } from '../../packages/server/src/mediaQuotas.ts';
import { create, post, signIn, smallPng, startLoad, Tally } from './client.ts';
import { atMost, none, type Part } from './part.ts';
import { remove, startService, temporaryFolder, unlimited } from './service.ts';

const hourMs = 60 * 60_000;
/** As many large bodies as one account may send at once; twice as many may an address. */
const lanes = 2;
const filmBytes = 8 * 1024 * 1024;
const oneAddress = '198.51.100.1';

/** A free account, then many of one address, bring films as fast as they can, in uploads and in creations that are never sent. */
export const attackMedia: Part = async ({ seconds, find, tell }) => {
  await using started = new AsyncDisposableStack();
  const home = started.adopt(temporaryFolder(), remove);
  const database = started.adopt(await startDatabase({ home }), (own) => own.stop());
  const limits = JSON.stringify({ ...JSON.parse(unlimited), profile: 1e9, posts: 1e9 });
  const env = { RATE_LIMITS: limits, TRUSTED_PROXIES: '127.0.0.1' };
  const { url } = started.use(await startService(env, database.url));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  started.defer(() => client.end());
  const storedBytes = async (): Promise<number> => {
    const { rows } = await client.query('select coalesce(sum(length(bytes)), 0) as bytes from media_block');
    return Number(rows[0].bytes);
  };

  const young = await signIn(url);
  const refused = await post(url, '/upload-media', { kind: 'video', data: newFilm() }, { bearer: young });
  find(none('films of an account that is minutes old', refused.status === 403 ? 0 : 1));
  const oldAccount = async (): Promise<string> => {
    const bearer = await signIn(url);
    await client.query(`update app_user set created_at = created_at - interval '2 days'`);
    return bearer;
  };

  const before = await storedBytes();
  /** What so many accounts bring from the address in the time; the rest of it is answered with a refusal. */
  const bring = async (bearers: readonly string[], atOnce: number, ms: number): Promise<Tally> => {
    const tally = new Tally();
    let sent = 0;
    const load = startLoad(atOnce, async () => {
      sent += 1;
      const bearer = bearers[sent % bearers.length] as string;
      const address = oneAddress;
      tally.add(
        sent % 2 === 0
          ? await post(url, '/upload-media', { kind: 'video', data: newFilm() }, { bearer, address })
          : await create(url, bearer, smallPng, address, newFilm()),
      );
    });
    await new Promise((resolve) => setTimeout(resolve, ms));
    await load.stop();
    return tally;
  };
  const { userDay, addressDay } = defaultMediaQuotas;
  const one = await bring([await oldAccount()], lanes, seconds * 1_000);
  const ofOne = (await storedBytes()) - before;
  tell(`one account: ${one}; ${inMB(ofOne)} MB stored of ${inMB(userDay)} MB a day`);
  find(atMost('stored of one account', inMB(ofOne), inMB(userDay), ' MB'));

  const many: string[] = [];
  for (let made = 0; made < 8; made += 1) many.push(await oldAccount());
  const all = await bring(many, 2 * lanes, 3 * seconds * 1_000);
  const ofAll = (await storedBytes()) - before;
  tell(`nine accounts of one address: ${all}; ${inMB(ofAll)} MB stored of ${inMB(addressDay)} MB a day`);
  find(atMost('stored of one address', inMB(ofAll), inMB(addressDay), ' MB'));
  // A connection is hung up on where a refused body goes on.
  const expected = [0, 200, 403, 429];
  find(none('answers other than 200, 403 and 429', one.all + all.all - one.of(...expected) - all.of(...expected)));

  // As if days passed in which no creation is sent, and the index goes on.
  await client.query(`update chain set indexed_time = now() + interval '3 days'`);
  const nowMs = Date.now();
  const db = database.db.withTables<ServiceDatabase>() as unknown as Db;
  await endDrafts(db, nowMs + 25 * hourMs);
  for (let hour = 26; hour < 32; hour += 1) while ((await sweepLooseFiles(db, nowMs + hour * hourMs)) > 0);
  find(none('MB of it left after a day and the sweeps', inMB((await storedBytes()) - before)));
};

/** Begins like an MP4; no two are the same. */
const newFilm = (): string => {
  const bytes = randomBytes(filmBytes);
  bytes.write('\0\0\0\x18ftypmp42', 0, 'latin1');
  return `data:video/mp4;base64,${bytes.toString('base64')}`;
};

const inMB = (bytes: number): number => Math.round(bytes / 1e5) / 10;
