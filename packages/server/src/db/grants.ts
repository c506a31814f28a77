import type { Database } from './chainTables.ts';
import type { ServiceDatabase } from './serviceTables.ts';

/** A role of the service with a database account of its own. */
export type DatabaseAccount = 'api' | 'indexer' | 'signer';

/** Of each account, as SQL names privileges: `select, update (paused_at)`. */
export type Grants = Readonly<Partial<Record<DatabaseAccount, string>>>;

const read = 'select';
const all = 'select, insert, update, delete';
const keep = 'select, insert, update';
const list = 'select, insert, delete';

/** What the chains say: the indexer writes it. */
const ofChain = { indexer: all, api: read } as const;
/** The same, and the signer judges by it. */
const judgedBy = { ...ofChain, signer: read } as const;

/**
 * What each account may do with each table. Nothing else is granted, and only the owner changes tables. A table that
 * is missing here fails the type check, or `accounts.test.ts`.
 */
export const tableGrants: Readonly<Record<keyof (Database & ServiceDatabase) | 'token_search', Grants>> = {
  // Of the chains.
  chain: judgedBy,
  token: judgedBy,
  remote_token: judgedBy,
  block: ofChain,
  journal: { indexer: all },
  balance: ofChain,
  fee_balance: ofChain,
  fee_sum: ofChain,
  trader: ofChain,
  candle: ofChain,
  token_account: ofChain,
  event_number: ofChain,
  referrer: ofChain,
  trade: ofChain,
  transfer: ofChain,
  bridge_sent: ofChain,
  bridge_received: ofChain,
  bridge_announced: ofChain,
  bridge_alert: ofChain,
  fee_credit: ofChain,
  withdrawal: ofChain,
  token_window: ofChain,
  token_before: ofChain,
  fee_before: ofChain,
  // Both: an account's wallets are merged by the API.
  earner: { indexer: all, api: all },
  // The indexer only locks it.
  earner_wallet: { indexer: 'select, update', api: keep },
  token_slug: { indexer: 'select, insert', api: all },
  // Written by triggers, with the rights of the owner.
  token_search: { api: read },
  stream_topic: { indexer: keep, api: keep },
  stream_event: { indexer: all, api: 'select, insert' },

  // Votes, whose weight follows what the chains say.
  vote: { api: all, indexer: 'select, update' },
  vote_low: { api: read, indexer: list },
  vote_place: { api: list, indexer: read },
  voter: { api: keep },
  voter_wallet: { api: 'select, insert', indexer: read },
  tally: { api: all, indexer: 'select, update' },
  happening: { api: list, indexer: 'insert' },

  // Between API and signer. The API asks; the signer decides.
  intent: {
    signer: keep,
    api: 'select, insert, update (status, error_code, error, ended_at)',
    indexer: 'select (eid, intent_id, traceparent)',
  },
  intent_step: { signer: keep, api: 'select, insert' },
  attempt: { signer: keep, api: read, indexer: 'select (eid, intent_id, hash)' },
  embedded_wallet: {
    signer: keep,
    api:
      'select (user_id, chain_type, address, requested_at, made_at, paused_at), insert (user_id, chain_type), ' +
      'update (requested_at, paused_at)',
  },
  budget: { api: 'select, insert, update (ended_at)', signer: 'select, update (revocation_noted)' },
  signing_pause: { api: read, signer: read },
  lane: { signer: keep },
  keeper_task: { signer: keep },

  // Accounts.
  app_user: { api: all },
  user_identity: { api: 'select, insert' },
  // Never updated: a sign-in locks the row, so that no session of it begins after it is unlinked.
  user_wallet: { api: all },
  unlinked_wallet: { api: list },
  account_freeze: { api: list, signer: read },
  auth_challenge: { api: list },
  passkey: { api: all },
  passkey_challenge: { api: list },
  session: { api: all },
  refresh_token: { api: all },
  signing_key: { api: all },
  api_key: { api: keep },
  oauth_grant: { api: keep },
  oauth_item: { api: all },
  signed_action: { api: list },
  idempotent_call: { api: all },
  referral_code: { api: 'select, insert' },
  // Never updated: the lock that it is entered under needs it.
  referral_entry: { api: keep },

  // What people say and show.
  profile: { api: keep },
  username: { api: list },
  user_follow: { api: list },
  user_block: { api: list },
  hub: { api: keep },
  hub_member: { api: all },
  hub_ban: { api: all },
  hub_invite: { api: all },
  post: { api: all },
  post_hashtag: { api: list },
  post_report: { api: keep },
  moderation: { api: 'select, insert' },
  unlisted_token: { api: all },
  withdrawn_file: { api: list },
  token_draft: { api: all },
  media_block: { api: list },
  loose_file: { api: all },
  media_share: { api: list },
  media_day: { api: all },

  // Notifications and webhooks.
  teller: { api: keep },
  notification: { api: all },
  notification_part: { api: list },
  notification_setting: { api: keep },
  push_subscription: { api: all },
  push_key: { api: keep },
  webhook: { api: all },
  webhook_secret: { api: keep },
  webhook_attempt: { api: list },

  migration: { api: read, indexer: read, signer: read },
};

/** Functions that act with the rights of the owner. No other account may call them. */
export const functionGrants: Readonly<Record<string, DatabaseAccount>> = {
  'make_month(timestamptz)': 'indexer',
  'drop_months(timestamptz)': 'indexer',
};
