import { randomUUID } from 'node:crypto';
import type { Address } from '@mintage/protocol';
import type { Insertable } from 'kysely';
import type { PostTable } from '../../../src/db/serviceTables.ts';
import { noLimits } from '../../world/call.ts';
import { addToken, hex, tokenRow } from '../reads/readsFixture.ts';
import { type SignedIn, type TestApi, testApi, testChain } from './testApi.ts';

export interface HubWorld {
  api: TestApi;
  /** Puts in a token of its own name that this user created; absent: somebody who never signed in. */
  newHub(owner?: Pick<SignedIn, 'address'>): Promise<HubOf>;
  people(count: number): Promise<SignedIn[]>;
  /** Puts in a post of the hub; counted nowhere. */
  addPost(hub: Pick<HubOf, 'id'>, post?: Partial<NewPost>): Promise<string>;
  stop(): Promise<void>;
}

export interface HubOf {
  /** Of the token. */
  id: string;
  slug: string;
  address: Address;
}

type NewPost = Insertable<PostTable>;

/** The API over a chain without a node, with tokens whose hubs nobody has spoken in. */
export const startHubs = async (): Promise<HubWorld> => {
  const chain = testChain('base-sepolia', 'http://127.0.0.1:9');
  const api = await testApi({ env: { RATE_LIMITS: noLimits }, chains: [chain] });
  const { db } = api.context;
  const { eid, slug } = chain.chain;
  const { usd, launchpad } = chain.deployment;
  await db
    .insertInto('chain')
    .values({ eid, slug, usd, usd_decimals: 6, launchpad, treasury: hex(0x7e), indexed: 0, rolled_block: 0 })
    .execute();
  let tokens = 0;
  return {
    api,
    async newHub(owner = { address: hex(0xc0) }) {
      tokens += 1;
      const row = tokenRow(slug, hex(0xf0_0000 + tokens), {
        creator: owner.address,
        name: `Fox ${tokens}`,
        created_at: new Date(Date.parse('2026-01-01T00:00:00Z') + tokens * 1_000),
      });
      await addToken(db, row, `fox-${tokens}`);
      return { id: row.token_id, slug: `fox-${tokens}`, address: row.address };
    },
    people: (count) => Promise.all(Array.from({ length: count }, () => api.signIn())),
    async addPost({ id }, post = {}) {
      const postId = randomUUID();
      const created_at = new Date(api.clock.ms);
      const empty = { media: '[]', entities: '[]', hashtags: [] };
      const row = { post_id: postId, type: 'post' as const, text: 'gm', token_id: id, ...empty, created_at };
      await db
        .insertInto('post')
        .values({ ...row, ...post })
        .execute();
      return postId;
    },
    stop: () => api.stop(),
  };
};
