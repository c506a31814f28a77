import { testDatabase } from '@mintage/devnet/testDatabase';
import type { Eid } from '@mintage/protocol';
import type { StreamFilter } from '@mintage/protocol/operations';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { isNearlyWanted, isWanted, matcherOf } from '../../../src/api/reads/events/filterFields.ts';
import type { StreamEvent } from '../../../src/api/reads/events/streamEvent.ts';
import type { Db } from '../../../src/db/serviceTables.ts';
import { eids } from '../../eids.ts';

const topic = 'tokenActivity';
const hex = (bytes: number) => fc.constantFrom(...'123').map((digit): `0x${string}` => `0x${digit.repeat(2 * bytes)}`);
const small = fc.nat(2);
const slug = fc.constantFrom('base', 'bnb', 'nowhere');
/** The index never writes an event of a chain that it does not know. */
const chain = fc.constantFrom('base' as const, 'bnb' as const);
const word = fc.constantFrom('trade', "o'clock", 'a"b\\c');
const uuid = fc.constantFrom('056d006a-2c1e-4f7b-9d3a-8e5f60718293', '156d006a-2c1e-4f7b-9d3a-8e5f60718293');

/** What the outbox may hold, keys left out and null included. */
const events = fc.array(
  fc.record({
    platform_id: fc.option(hex(32)),
    wallet: fc.option(hex(20)),
    user_id: fc.option(uuid),
    data: fc.record(
      {
        chain,
        activity_type: word,
        activity_subtype: fc.option(word),
        currency: hex(20),
        activity_id: small,
        distribution_type: small,
        author_id: uuid,
        parent_id: uuid,
        target_id: uuid,
        hashtags: fc.array(word, { maxLength: 3 }),
      },
      { requiredKeys: ['chain'] },
    ),
  }),
  { minLength: 1, maxLength: 30 },
);

const some = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 3 });
const wishes = {
  tokenIds: some(hex(32)),
  wallets: some(hex(20)),
  chains: some(slug),
  activityTypes: some(word),
  activitySubtypes: some(word),
  currencies: some(hex(20)),
  activityIds: some(small),
  distributionTypes: some(small),
  authorIds: some(uuid),
  parentIds: some(uuid),
  postIds: some(uuid),
  hashtags: some(word),
  userIds: some(uuid),
};
/** Few fields at once, because more of them hardly ever pick anything. */
const filters = fc
  .subarray(Object.keys(wishes) as (keyof typeof wishes)[], { maxLength: 3 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, wishes[name]]))))
  .map((wish): StreamFilter => ({ topic, ...wish }));

test('matcherOf, isWanted and isNearlyWanted followed by matcherOf pick the same events', async () => {
  const database = await testDatabase();
  const db: Db = database.db.withTables();
  let picked = 0;
  try {
    await fc.assert(
      fc.asyncProperty(events, fc.array(filters, { minLength: 1, maxLength: 10 }), async (drafts, wanted) => {
        await db.deleteFrom('stream_event').execute();
        const at = {
          topic,
          block_number: 1,
          time: new Date(0),
          retracts: null,
        } as const;
        const told = drafts.map((draft, seq): StreamEvent & { eid: Eid } => ({
          ...at,
          eid: eids[draft.data.chain],
          ...draft,
          seq,
        }));
        await db
          .insertInto('stream_event')
          .values(told.map((event) => ({ ...event, data: JSON.stringify(event.data) })))
          .execute();
        for (const wish of wanted) {
          const matches = matcherOf(wish);
          const expected = told.filter(matches).map(({ seq }) => seq);
          const all = db.selectFrom('stream_event as e').select('seq').orderBy('seq');
          const stored = await all.where(isWanted(sql`${JSON.stringify(wish)}::jsonb`)).execute();
          expect(stored.map(({ seq }) => seq)).toEqual(expected);
          const nearly = await all.where(isNearlyWanted(wish)).execute();
          const left = nearly.filter(({ seq }) => matches(told[seq] as StreamEvent));
          expect(left.map(({ seq }) => seq)).toEqual(expected);
          picked += expected.length;
        }
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 40) },
    );
    expect(picked).toBeGreaterThan(50);
  } finally {
    await database.stop();
  }
});

test('matcherOf: an event of another topic is not wanted', () => {
  const event = { topic: 'walletFees', platform_id: null, wallet: null, user_id: null, data: {} } as const;
  expect(matcherOf({ topic })(event)).toBe(false);
  expect(matcherOf({ topic: 'walletFees' })(event)).toBe(true);
});

test('matcherOf: every filter is about its own field', () => {
  const event = {
    topic,
    platform_id: '0xa',
    wallet: '0xb',
    user_id: 'e',
    data: {
      chain: 'base',
      activity_type: 'trade',
      activity_subtype: 'buy',
      currency: '0xc',
      activity_id: 1,
      distribution_type: 2,
      author_id: 'a',
      parent_id: 'b',
      target_id: 'c',
      hashtags: ['d', 'x'],
    },
  } as const;
  const values: Omit<Required<StreamFilter>, 'topic'> = {
    tokenIds: ['0xa'],
    wallets: ['0xb'],
    chains: ['base'],
    activityTypes: ['trade'],
    activitySubtypes: ['buy'],
    currencies: ['0xc'],
    activityIds: [1],
    distributionTypes: [2],
    authorIds: ['a'],
    parentIds: ['b'],
    postIds: ['c'],
    hashtags: ['d'],
    userIds: ['e'],
  };
  expect(matcherOf({ topic, ...values })(event)).toBe(true);
  for (const name of Object.keys(values)) expect(matcherOf({ topic, ...values, [name]: [7] })(event), name).toBe(false);
});
