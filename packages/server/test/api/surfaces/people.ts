import { sql } from 'kysely';
import type { Address } from 'viem';
import { skeletonOf } from '../../../src/api/people/skeleton.ts';
import { noLimits } from '../../world/call.ts';
import { addDraft, addToken, heldRow, hex, tokenRow } from '../reads/readsFixture.ts';
import { type TestApi, testApi, testChain } from '../testing/testApi.ts';
import { startReceiver } from '../webhooks/webhooksFixture.ts';

/** Somebody with one of everything that a user can own, who has a name and hides the wallet. */
export interface Person {
  bearer: string;
  userId: string;
  username: string;
  displayName: string;
  wallet: Address;
  embedded: Address;
  keyId: string;
  webhookId: string;
  /** What names this person or what belongs to them, by what it is: the values that a thief tries. */
  ids: Readonly<Record<string, string | number>>;
  /** Texts that nobody else is to be told. */
  secrets: readonly string[];
  /** Texts that are on the chain for everybody to see, but are told as an account's own to its owner only. */
  ownFigures: readonly string[];
}

export interface People {
  api: TestApi;
  /** The id of the one token. */
  tokenId: string;
  all: Person[];
  /** Everything that the webhooks of all of them were sent. */
  delivered(): string[];
  stop(): Promise<void>;
}

const fox = tokenRow('base-sepolia', hex(0xf0));
const usd = hex(0x6);

/** @param env - Beside the test's own. */
export const startPeople = async (count: number, env: Record<string, string> = {}): Promise<People> => {
  const receiver = await startReceiver();
  const api = await testApi({
    env: { RATE_LIMITS: noLimits, ...env },
    chains: [testChain('base-sepolia', 'http://127.0.0.1:9')],
  });
  const { db } = api.context;
  const served = api.context.chains.get('base-sepolia')?.deployment;
  await db
    .insertInto('chain')
    .values({
      eid: fox.eid,
      slug: 'base-sepolia',
      usd,
      usd_decimals: 6,
      launchpad: served?.launchpad as Address,
      treasury: hex(0x7e),
      indexed: 0,
      rolled_block: 0,
    })
    .execute();
  await addToken(db, fox, 'red-fox');
  await addDraft(db, fox, 'red-fox');
  const all: Person[] = [];
  for (let i = 0; i < count; i += 1) all.push(await person(api, receiver.url, i));
  await sql`update token set creator = ${all[0]?.wallet}`.execute(db);
  return {
    api,
    tokenId: fox.token_id,
    all,
    delivered: () => receiver.got.map(({ text }) => text),
    async stop() {
      await api.context.webhooks.close();
      await Promise.all([api.stop(), receiver.stop()]);
    },
  };
};

/** What somebody typed into the own profile, or said, is shown with every later call. */
export const unsay = async ({ context: { db } }: TestApi, one: Pick<Person, 'userId' | 'username' | 'displayName'>) => {
  const { userId: user_id, username, displayName: display_name } = one;
  for (const table of ['profile', 'username', 'user_follow', 'user_block', 'vote', 'hub_member'] as const)
    await db.deleteFrom(table).where('user_id', '=', user_id).execute();
  await db.deleteFrom('post').where('author_id', '=', user_id).execute();
  // As the owner of the one hub that there is.
  await db.updateTable('hub').set({ description: null, rules: null, banner_url: null }).execute();
  await db.deleteFrom('hub_ban').execute();
  await db.deleteFrom('moderation').where('user_id', '=', user_id).execute();
  await db.updateTable('app_user').set({ followers_count: 0, following_count: 0 }).execute();
  const at = new Date('2029-01-01');
  await db
    .insertInto('username')
    .values({ skeleton: skeletonOf(username), username, user_id, taken_at: at })
    .execute();
  await db.insertInto('profile').values({ user_id, display_name, show_wallet: false, updated_at: at }).execute();
};

/**
 * Texts in an answer to a call with this value that it does not tell: what only the owner is told, and of a hidden wallet whose it is
 * or, of somebody, which wallet is theirs.
 */
export const leaksIn = (text: string, value: unknown, victim: Person, isPublic: boolean): string[] => {
  const { userId, username, displayName, wallet, embedded } = victim;
  const names: unknown[] = [userId, username, displayName];
  const others = victim.secrets.filter((secret) => !names.includes(secret));
  const ofPerson = names.includes(value) ? [...others, wallet, embedded] : victim.secrets;
  const hidden = isPublic ? ofPerson : [...ofPerson, ...victim.ownFigures];
  return hidden.filter((secret) => !String(value).includes(secret) && text.includes(secret));
};

/** A request without what names a user in its example: another field of it may do so. */
export const withoutNames = (example: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(Object.entries(example).filter(([key]) => !['user_id', 'username', 'address'].includes(key)));

const person = async (api: TestApi, receiver: string, i: number): Promise<Person> => {
  const { db } = api.context;
  const { accessToken: bearer, userId, address: wallet } = await api.signIn();
  const embedded = hex(0xe0_0000 + i);
  const named = { userId, username: `hidden_${'abcdefghij'.charAt(i)}`, displayName: `Veiled ${i} of ten` };
  await unsay(api, named);
  const name = `private-name-${i}-`;
  const { body: key } = await api.call('createApiKey', { name: `${name}key` }, { bearer });
  const url = `${receiver}&of=${name}hook`;
  const { body: hook } = await api.call('createWebhook', { url, subscription: { topic: 'walletFees' } }, { bearer });
  await db
    .insertInto('embedded_wallet')
    .values({ user_id: userId, chain_type: 'evm', address: embedded, sealed_key: '{}', made_at: new Date() })
    .execute();
  await db.insertInto('user_wallet').values({ address: embedded, user_id: userId }).execute();
  const code = `CODE${i}`;
  await db
    .insertInto('referral_code')
    .values({ network: 'testnet', code_key: code.toLowerCase(), code, user_id: userId, created_at: new Date() })
    .execute();
  const intentId = `00000000-0000-4000-8000-00000000e${String(i).padStart(3, '0')}`;
  const hash = hex(0xabc_0000 + i, 32);
  const of = { eid: fox.eid, intent_id: intentId };
  await db
    .insertInto('intent')
    .values({ ...of, user_id: userId, wallet: embedded, status: 'signed', expires_at: new Date('2031-01-01') })
    .execute();
  await db
    .insertInto('intent_step')
    .values({
      ...of,
      step: 0,
      wallet: embedded,
      to_address: fox.address,
      value: 0n,
      data: '0x',
      gas_limit: 21_000,
      description: `${name}step`,
      nonce: 0,
      status: 'sent',
      hash,
    })
    .execute();
  // Amounts that nobody else has: 4321.0… of fees, 765.4… of them left, and tokens that cost 987.6… dollars.
  const digits = 1_001 + 10 * i;
  await db
    .insertInto('fee_balance')
    .values({
      eid: fox.eid,
      recipient: wallet,
      currency: usd,
      earned: 4_321_000_000n + BigInt(digits),
      claimable: 765_400_000n + BigInt(digits),
      last_distribution_at: new Date('2026-01-01'),
    })
    .execute();
  await db
    .insertInto('balance')
    .values(heldRow(fox, wallet, { cost_usd: 987_600_000n + BigInt(digits), amount: 10n ** 18n }))
    .execute();
  const seq = await tellFee(api, wallet, `${name}fee`);
  return {
    bearer,
    ...named,
    wallet,
    embedded,
    keyId: key.id,
    webhookId: hook.webhook.id,
    ids: {
      'user id': userId,
      username: named.username,
      wallet,
      'embedded wallet': embedded,
      'key id': key.id,
      'key prefix': key.prefix,
      webhook: hook.webhook.id,
      intent: intentId,
      'transaction hash': hash,
      code,
      'event number': seq,
    },
    secrets: [...Object.values(named), key.id, key.prefix, hook.webhook.id, name, intentId, hash],
    ownFigures: [`4321.00${digits}`, `765.40${digits}`, `987.60${digits}`],
  };
};

/** An event that only the wallet's owner is to be told of; its number. */
const tellFee = async ({ context: { db } }: TestApi, wallet: Address, pk: string): Promise<number> => {
  const { rows } = await sql<{ seq: number }>`
    with next as (update stream_topic set last_seq = last_seq + 1 where topic = 'walletFees' returning last_seq)
    insert into stream_event (topic, seq, eid, block_number, time, wallet, data)
    select 'walletFees', last_seq, ${fox.eid}, 1, now(), ${wallet}, ${JSON.stringify({ pk })} from next
    returning seq`.execute(db);
  return Number(rows[0]?.seq);
};

/** Every row of every table that mentions one of the texts, as `table: row`. Tables are found in the database. */
export const rowsMentioning = async ({ context: { db } }: TestApi, texts: readonly string[]): Promise<Set<string>> => {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  const pattern = texts.map((text) => text.replace(/[^0-9A-Za-z]/g, '\\$&')).join('|');
  const each = tables.map(
    ({ name }) => sql`select ${`${name}: `} || t::text as row from ${sql.id(name)} t where t::text ~ ${pattern}`,
  );
  const { rows } = await sql<{ row: string }>`${sql.join(each, sql` union all `)}`.execute(db);
  return new Set(rows.map(({ row }) => row));
};
