/**
 * `npm run admin -- <command>`: what an operator changes by hand, in the database that the environment names.
 *
 *     accounts api=FILE indexer=FILE signer=FILE       makes the tables, and a database account for each role by the DATABASE_URL in these files
 *     premium <userId> [on|off]                        gives a user the larger allowance of requests, or takes it back
 *     referral-code <mainnet|testnet> <code> [on|off]  lets a code be entered again, or no longer; who entered it keeps it
 *     pause <reason>                                   has nothing new signed by any embedded wallet; callers read the reason
 *     resume                                           has it signed again
 *     keeper                                           shows the wallet that graduates tokens, which somebody has to fund
 *     rotate-signing-key [now]                         signs access tokens with a new key; now: ends all tokens of the old ones
 *     seal-rows [unsealed]                             has the first intent key seal what the others sealed; unsealed: once, at the upgrade
 *     rewrap                                           has the first key-encryption key seal what the others at hand sealed
 *     hide <postId> <reason>                           shows a post to nobody but its author, who reads the reason
 *     unhide <postId>                                  shows it again
 *     suspend <userId> <reason>                        has a user say nothing more; the user reads the reason
 *     unsuspend <userId>                               lets the user speak again
 *     freeze <userId> <reason>                         stops sign-in, signatures and webhooks of a stolen account
 *     unfreeze <userId>                                lifts it, also one that an operator froze
 *     reports                                          shows what was reported of posts and nobody has seen to, the oldest first
 *     resolve <postId>                                 takes what was reported of a post as seen to
 *     take-down <token> <reason> [--shared-media]      takes a token out of lists and its media out of service; everybody reads the reason
 *     restore <token>                                  puts both back
 *     moderation                                       shows what operators and moderators did, the newest first
 */
import { resolve } from 'node:path';
import { chainBySlug, chainTypeOf } from '@mintage/protocol';
import { type Config, configFromEnv, type ServiceDatabase } from '@mintage/server/api';
import { askForKeeperWallet, type Database, keeperWallet, migrate, startDatabase } from '@mintage/server/db';
import type { Kysely } from 'kysely';
import { Failure } from '../packages/cli/src/failure.ts';
import { own } from '../packages/cli/src/own.ts';
import { accounts } from './adminAccounts.ts';
import { rewrap, rotateSigningKey, sealAccess } from './adminKeys.ts';
import {
  freeze,
  hide,
  log,
  reports,
  resolveReported,
  restore,
  suspend,
  takeDown,
  unfreeze,
  unhide,
  unsuspend,
} from './adminModeration.ts';
import { operator } from './operator.ts';

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Db = Kysely<ServiceDatabase>;
/** @returns What was done, one line; and what a program reads of it, where there is more than that. */
type Command = (db: Db, args: string[], config: Config) => Promise<string | { done: string }>;

const premium: Command = async (db, [userId = '', state = 'on']) => {
  if (!isUuid.test(userId)) throw new Error('premium needs the id of a user, which GET /me shows');
  if (!['on', 'off'].includes(state)) throw new Error(`premium is on or off, not ${state}`);
  const changed = await db
    .updateTable('app_user')
    .set({ premium: state === 'on' })
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) throw new Error(`there is no user ${userId}`);
  return `Premium is ${state} for ${userId}; running processes see it within seconds.`;
};

const referralCode: Command = async (db, [network = '', code = '', state = 'off']) => {
  if (network !== 'mainnet' && network !== 'testnet') throw new Error('referral-code needs mainnet or testnet first');
  if (!['on', 'off'].includes(state)) throw new Error(`a code is on or off, not ${state}`);
  const changed = await db
    .updateTable('referral_code')
    .set({ active: state === 'on' })
    .where('network', '=', network)
    .where('code_key', '=', code.toLowerCase())
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) throw new Error(`there is no ${network} code ${code}`);
  return `The ${network} code ${code} is ${state}.`;
};

const pause: Command = async (db, [reason = '']) => {
  if (reason === '') throw new Error('pause needs a reason, which callers read: npm run admin -- pause "maintenance"');
  await db
    .insertInto('signing_pause')
    .values({ reason })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ reason }))
    .execute();
  return `Nothing new is signed for anybody: ${reason}. What is signed goes on.`;
};

const resume: Command = async (db) => {
  const { numDeletedRows } = await db.deleteFrom('signing_pause').executeTakeFirst();
  return numDeletedRows === 0n ? 'It was not paused.' : 'It is signed again. What was refused meanwhile stays refused.';
};

const keeper: Command = async (db, _args, config) => {
  const types = new Set(config.chains.map((slug) => chainTypeOf(chainBySlug(slug))));
  const wallets: string[] = [];
  for (const type of types) {
    const wallet = await keeperWallet(db, type);
    if (wallet === null) await askForKeeperWallet(db, type);
    else wallets.push(wallet);
  }
  if (wallets.length < types.size)
    return 'The keeper had no wallet: a signer makes it now. Run this again to see its address.';
  const { waiting, tried } = await db
    .withTables<Pick<Database, 'token'>>()
    .selectFrom('keeper_task as task')
    .innerJoin('token', (join) => join.onRef('token.eid', '=', 'task.eid').onRef('token.address', '=', 'task.token'))
    .select(({ fn }) => [
      fn.countAll<number>().as('tried'),
      fn.countAll<number>().filterWhere('token.graduated_at', 'is', null).as('waiting'),
    ])
    .executeTakeFirstOrThrow();
  const done = `The keeper is ${wallets.join(' and ')}: fund it with native coin. Tokens tried: ${tried}, not graduated yet: ${waiting}.`;
  return { done, wallets, tried: Number(tried), waiting: Number(waiting) };
};

const commands: Record<string, Command> = {
  accounts,
  premium,
  'referral-code': referralCode,
  pause,
  resume,
  keeper,
  'rotate-signing-key': rotateSigningKey,
  rewrap,
  'seal-rows': sealAccess,
  hide,
  unhide,
  freeze,
  suspend,
  unfreeze,
  unsuspend,
  reports,
  resolve: resolveReported,
  'take-down': takeDown,
  restore,
  moderation: log,
};

const names = Object.keys(commands).join(' | ');

await operator({
  usage: `Usage: npm run admin -- [--json] ${names} …

In the database that the environment names; what each takes: docs/running.md. With --json: { command, done, … }.`,
  async run([name = '', ...args], output) {
    const command = own(commands, name);
    if (command === undefined) throw new Failure('usage', `Usage: npm run admin -- ${names} …`);
    const config = configFromEnv(process.env);
    const database = await startDatabase({
      home: resolve(config.home),
      replicaUrls: config.databaseReplicaUrls,
      ...(config.databaseUrl === null ? {} : { url: config.databaseUrl }),
    });
    try {
      await migrate(database.db);
      const done = await command(database.db.withTables<ServiceDatabase>() as unknown as Db, args, config);
      const facts = typeof done === 'string' ? { done } : done;
      if (output.isJson) output.json({ command: name, ...facts });
      else output.print(facts.done);
    } finally {
      await database.stop();
    }
  },
});
