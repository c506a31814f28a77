import { operations } from '@mintage/protocol/operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ask, callerWith, hex, startReads } from '../../../test/api/reads/readsFixture.ts';

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
});
afterAll(() => reads?.stop());

/** They act upon others by a role, which `hubs.test.ts` and `operators.test.ts` try. */
const leading: readonly string[] = ['setHubRole', 'banFromHub', 'unbanFromHub', 'suspendUser', 'freezeAccount'];

/** They show of anybody what everybody may see, or say something of their caller about somebody. */
const shown: readonly string[] = ['getUser', 'getFollowers', 'getFollowing', 'getUserTokens'];
const about: readonly string[] = ['followUser', 'unfollowUser', 'blockUser', 'unblockUser'];

const namingUsers = operations.filter(({ name, input }) => {
  if ([...shown, ...about, ...leading].includes(name)) return false;
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return 'user_id' in properties || 'userId' in properties;
});

describe('requireOwnAccount', () => {
  test('W5 there are operations whose body can name a user, and all of them want a credential', () => {
    expect(namingUsers.map(({ name }) => name).toSorted()).toEqual(['getUserFeeHistory', 'getUserFees']);
    expect(namingUsers.map(({ access }) => access)).toEqual(namingUsers.map(() => 'caller'));
  });

  test('W5 ten users, every operation that takes a user id: only the own one is taken', async () => {
    const users = Array.from({ length: 10 }, (_, i) => `00000000-0000-4000-8000-00000000000${i}`);
    for (const { name } of namingUsers) {
      for (const userId of users) {
        const caller = { ...callerWith(hex(1)), userId };
        for (const named of users) {
          const answer = ask(reads.context, name, { user_id: named }, caller);
          if (named === userId) await answer;
          else await expect(answer).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
        }
      }
    }
  });
});
