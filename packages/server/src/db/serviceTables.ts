import type { Address, Eid } from '@mintage/protocol';
import type {
  ModerationAction,
  NotificationType,
  PostEntity,
  PostedMedia,
  ReportReason,
  StreamFilter,
  StreamTopic,
} from '@mintage/protocol/operations';
import type { ColumnType, Generated, Kysely, Transaction } from 'kysely';
import type { Sealed } from '../keys/keyEncryption.ts';
import type { Database } from './chainTables.ts';
import type { HappeningTable } from './happenings.ts';
import type { SignerDatabase } from './signerTables.ts';

/** A time that may be left to the database's default. */
type DefaultTime = ColumnType<Date, Date | undefined, Date>;
/** Null may be left out. */
type NewTime = ColumnType<Date | null, Date | null | undefined, Date | null>;
/** jsonb: written as text, read as a value. */
type Json<T> = ColumnType<T, string, string>;

/** The tables that the service itself writes (`migrations/service/`), and those that it shares with the signer; ids are UUID text. */
export type ServiceDatabase = SignerDatabase & {
  /** `premium`: the user has the larger request allowance. `suspended_because`: what the operator said; null: not suspended. */
  app_user: {
    user_id: string;
    created_at: DefaultTime;
    premium: Generated<boolean>;
    suspended_because: string | null;
    followers_count: Generated<number>;
    following_count: Generated<number>;
    /** Without comments. */
    posts_count: Generated<number>;
  };
  user_follow: { user_id: string; followed_id: string; created_at: Date };
  user_block: { user_id: string; blocked_id: string; created_at: Date };
  hub: HubTable;
  happening: HappeningTable;
  teller: TellerTable;
  notification: NotificationTable;
  /** Events of `tokenActivity` that a notification tells. */
  notification_part: { event_seq: number; notification_id: string; amount_usd18: bigint };
  /** What a user has said about a type; without a row it is as the type is at first. */
  notification_setting: { user_id: string; type: NotificationType; is_on: boolean };
  /** Browsers that are told by Web Push; keys are base64url. */
  push_subscription: PushSubscriptionTable;
  push_key: PushKeyTable;
  /** The owner, who is the token's creator, is a member without a row. */
  hub_member: { token_id: string; user_id: string; role: 'moderator' | 'member'; joined_at: Date };
  /** `until`: null is for good. */
  hub_ban: { token_id: string; user_id: string; until: Date | null; banned_at: Date };
  hub_invite: {
    /** SHA-256 of its text, hex. */
    invite_hash: string;
    token_id: string;
    uses_left: number;
    expires_at: Date | null;
    made_by: string;
    created_at: Date;
  };
  post: PostTable;
  /** Posts that lists show, by tag. */
  post_hashtag: { hashtag: string; created_at: Date; post_id: string };
  post_report: PostReportTable;
  moderation: ModerationTable;
  /** Tokens that an operator took out of lists, with their home. */
  unlisted_token: { token_id: string; eid: Eid; address: Address; reason: string; unlisted_at: Date };
  /** Files that are out of service, each with the tokens that it went with. */
  withdrawn_file: { cid: string; token_id: string };
  tally: TallyTable;
  /** A user with the wallets that there were at a vote, in their order. */
  voter: { voter_id: Generated<number>; user_id: string; wallets: Address[] };
  voter_wallet: { wallet: Address; voter_id: number };
  vote: VoteTable;
  /** What was held on a chain when the vote was cast, by its newest indexed block then; base units, may be negative. */
  vote_place: { vote_id: number; eid: Eid; start_block: number; base: bigint };
  profile: ProfileTable;
  /** Names of users; two that look alike have one `skeleton` (`skeletonOf`), and only one of them is ever taken. */
  username: { skeleton: string; username: string; user_id: string; taken_at: Date };
  /** `seal`, here and below: `rowSeals.ts`; null: the row gives no access. */
  user_wallet: {
    address: Address;
    user_id: string;
    created_at: DefaultTime;
    /** From when it withdraws and signs; null: from its linking. The same of passkeys, API keys and refresh tokens. */
    acts_from: NewTime;
    seal: string | null;
  };
  unlinked_wallet: { address: Address; user_id: string; unlinked_at: Date };
  /** Users of foreign issuers, by `iss` and `sub` of their tokens. */
  user_identity: { issuer: string; subject: string; user_id: string; created_at: DefaultTime; seal: string | null };
  /** Texts for wallets that were given out, by the nonce in them. `user_id`: links the wallet to this user; null: signs in. */
  auth_challenge: {
    nonce: string;
    address: Address;
    message: string;
    expires_at: Date;
    user_id: string | null;
    seal: string | null;
  };
  passkey: PasskeyTable;
  passkey_challenge: PasskeyChallengeTable;
  session: SessionTable;
  refresh_token: RefreshTokenTable;
  signing_key: SigningKeyTable;
  /** Actions that were taken, so that none is taken twice. `nonce`: milliseconds on the client's clock; `signature`: its r and s. */
  signed_action: { wallet: Address; nonce: number; action_hash: string; signature: string | null; expires_at: Date };
  idempotent_call: {
    user_id: string;
    /** Text of the Idempotency-Key header. */
    key: string;
    /** Name of the operation. */
    operation: string;
    /** Of the operation and its input as sent (`hashOfJson`). */
    input_hash: string;
    started_at: DefaultTime;
    /** Null: it still runs, or was cut off. */
    finished_at: Date | null;
    /** JSON; null before the end, and when the answer is a secret that is shown once. */
    answer: string | null;
  };
  api_key: {
    /** Part of the key, as `ApiKeyText` has it. */
    id: string;
    user_id: string;
    name: string;
    /** SHA-256 of the whole key, hex. */
    key_hash: string;
    /** The key up to and including its id; safe to show. */
    prefix: string;
    scopes: string[];
    created_at: DefaultTime;
    /** Null: never. */
    expires_at: Date | null;
    /** Updated once a minute at most; null: never used. */
    last_used_at: Date | null;
    /** Null: it is good. */
    revoked_at: Date | null;
    acts_from: NewTime;
    seal: string | null;
  };
  token_draft: {
    /** Of the token that the creation makes: `token.token_id` once it is indexed. */
    token_id: string;
    eid: Eid;
    address: Address;
    user_id: string | null;
    creator: Address;
    /** Slug of a `PoolType` in protocol. */
    pool_type: string;
    name: string;
    symbol: string;
    slug: string;
    description: string;
    /** `ipfs://<cid>` of the metadata JSON. */
    token_uri: string;
    /** Web address, as the next two; null: none. */
    logo: string | null;
    banner: string | null;
    video: string | null;
    links: ColumnType<Record<string, string>, string | undefined, string>;
    tags: Generated<string[]>;
    /** Slugs of chains that the token is to reach later. */
    destination_chains: Generated<string[]>;
    /** Builder that the creator named; null: none. */
    builder: Address | null;
    /** Whether the launch of its token is still to be posted. */
    launch_waits: Generated<boolean>;
    created_at: DefaultTime;
  };
  referral_code: {
    network: ReferralNetwork;
    /** The code in lower case. */
    code_key: string;
    /** As its owner wrote it. */
    code: string;
    user_id: string;
    /** An inactive one cannot be entered; whoever entered it before keeps it. */
    active: Generated<boolean>;
    created_at: Date;
  };
  /** The code that a user entered, for good. */
  referral_entry: { network: ReferralNetwork; user_id: string; code_key: string; entered_at: Date };
  webhook: WebhookTable;
  webhook_secret: {
    webhook_id: string;
    /** Signing secret in the clear, only in rows of earlier versions; so is `previous`. */
    secret: string | null;
    previous: string | null;
    /** Until then the previous secret signs too; null: there is none. */
    previous_until: Date | null;
    /** Null only in rows of earlier versions; `sealed_previous` also when there is none. */
    sealed_secret: ColumnType<Sealed | null, string, string>;
    sealed_previous: ColumnType<Sealed | null, string | undefined, string | null>;
  };
  webhook_attempt: WebhookAttemptTable;
  oauth_item: {
    /** Kind of item as the library names it, such as `Client` or `Grant`. */
    model: string;
    /** SHA-256 of the item's id, hex. */
    id_hash: string;
    payload: Json<Record<string, unknown>>;
    /** The item goes when this grant goes; null: it belongs to none. */
    grant_id: string | null;
    /** Null: not used yet. */
    consumed_at: Date | null;
    /** Null: kept until it is deleted. */
    expires_at: Date | null;
    seal: string | null;
  };
  oauth_grant: {
    /** Also the `credential` of its budget. */
    grant_id: string;
    user_id: string;
    client_id: string;
    /** As the application calls itself: nobody checked it. */
    client_name: string;
    /** Host that the user is sent back to, or an application's scheme with `://`. */
    redirect_host: string;
    scopes: string[];
    created_at: Date;
    expires_at: Date;
    /** Null: it is in force until `expires_at`. */
    revoked_at: Date | null;
    /** Updated once a minute at most; null: never used. */
    last_used_at: Date | null;
    seal: string | null;
  };
  /** Blocks of stored files, by CIDv1. `content_type`: see `Block` in `api/media/media.ts`. */
  media_block: { cid: string; content_type: string; bytes: Buffer; created_at: DefaultTime };
  /** Stored files that are kept only while something refers to them. `swept_from`: null where something did when last looked. */
  loose_file: { cid: string; swept_from: Date | null; parts: Generated<string[]> };
  /** Who brought a stored file, from where, and how many bytes it has. */
  media_share: { cid: string; user_id: string; address: string; bytes: number };
  /** Bytes that a user, or the users of an address, brought on a day (UTC, `YYYY-MM-DD`). */
  media_day: { day: string; holder: string; bytes: number };
};

/** The kind of chains on which a referral counts. */
export type ReferralNetwork = 'mainnet' | 'testnet';

/** A user who has changed nothing has no row. */
export interface ProfileTable {
  user_id: string;
  display_name: string | null;
  bio: string | null;
  /** Web address, as the next; null: none. */
  profile_picture: string | null;
  banner_url: string | null;
  links: ColumnType<Record<string, string>, string | undefined, string>;
  show_wallet: Generated<boolean>;
  show_holdings: Generated<boolean>;
  updated_at: Date;
}

export interface SigningKeyTable {
  /** Names the key in the header of a token. */
  kid: string;
  /** Private key in the clear, only in rows of earlier versions. */
  private_jwk: ColumnType<Record<string, unknown> | null, string | undefined, null>;
  /** Private key, PKCS 8; null only in rows of earlier versions. */
  sealed_key: ColumnType<Sealed | null, string, string>;
  public_jwk: Json<Record<string, unknown>>;
  created_at: DefaultTime;
  seal: string | null;
}

export interface PasskeyTable {
  /** As its authenticator made it, base64url. */
  credential_id: string;
  user_id: string;
  /** As the user called it. */
  name: string;
  /** COSE. */
  public_key: Buffer;
  /** Of its uses, as its authenticator counts them; 0: it does not. */
  counter: number;
  transports: string[];
  /** Whether its keeper has copied it to other devices. */
  synced: boolean;
  created_at: Date;
  /** Null: not since it was made. */
  last_used_at: Date | null;
  acts_from: Date | null;
  seal: string | null;
}

/** What an authenticator is to sign; taken out when it has. */
export interface PasskeyChallengeTable {
  /** Base64url. */
  challenge: string;
  purpose: 'register' | 'login';
  /** Whose passkey it will be; null: of 'login'. */
  user_id: string | null;
  /** Whether `user_id` is a new account, which is made with the passkey. */
  is_new: boolean;
  /** The OAuth flow that it belongs to; null: the web app. */
  flow: string | null;
  expires_at: Date;
  seal: string | null;
}

/** A sign-in lasts while its row is here. */
export interface SessionTable {
  session_id: string;
  user_id: string;
  created_at: Date;
  /** When its newest refresh token was issued. */
  refreshed_at: Date;
  /** It ends with this passkey, which signed in; null: a wallet did. */
  passkey_id: string | null;
  /** That signed in; null: a passkey did, or it began before this was kept. */
  wallet: Address | null;
  /** As `deviceOf` says; null: not known. */
  device: string | null;
}

export interface RefreshTokenTable {
  /** SHA-256, hex. */
  token_hash: string;
  session_id: string;
  user_id: string;
  /** When it was exchanged or taken back; null: it is good. */
  used_at: Date | null;
  /** Of the token that was issued for it, which can be taken back while it is unused; null: nothing can. */
  successor_hash: string | null;
  expires_at: Date;
  acts_from: Date | null;
  seal: string | null;
}

/** One a token: where people speak of it. A token of which nobody has spoken has no row. */
export interface HubTable {
  token_id: string;
  /** Null: that of the token, as the next. */
  description: string | null;
  banner_url: string | null;
  rules: string | null;
  invite_only: Generated<boolean>;
  post_rule: ColumnType<PostRule, PostRule | undefined, PostRule>;
  /** Base units of the token. */
  min_holding: bigint | null;
  members_count: Generated<number>;
  /** With comments, without what is deleted or hidden, as the next. */
  posts_count: Generated<number>;
  media_count: Generated<number>;
  /** Also of what is deleted since. */
  last_post_at: Date | null;
  /** Of the token. */
  created_at: Date;
}

/** Who may post in a hub. */
export type PostRule = 'anyone' | 'members' | 'holders';

export interface PostTable {
  post_id: string;
  type: 'post' | 'comment' | 'launch';
  /** Null: of the launch of a token whose creator never signed in here. */
  author_id: string | null;
  /** Empty once it is deleted, as the next three. */
  text: string;
  media: Json<PostedMedia[]>;
  entities: Json<PostEntity[]>;
  hashtags: string[];
  /** The token that it speaks of, in whose hub it therefore is. */
  token_id: string | null;
  /** Of a comment. */
  parent_id: string | null;
  root_id: string | null;
  /** What the author held of the token when posting: whole tokens with 18 fraction digits; null: no token. */
  author_holds: bigint | null;
  comments_count: Generated<number>;
  /** Deleted ones too; null: there was none. */
  last_comment_at: Date | null;
  pinned: Generated<boolean>;
  created_at: Date;
  deleted_at: Date | null;
  hidden_because: string | null;
}

export interface PostReportTable {
  post_id: string;
  user_id: string;
  reason: ReportReason;
  note: string | null;
  created_at: Date;
  /** By an operator; null: it waits. */
  resolved_at: Date | null;
}

/** What operators and moderators did, and why; never changed. */
export interface ModerationTable {
  id: Generated<number>;
  at: Date;
  /** Null: an operator at the command line. */
  user_id: string | null;
  action: ModerationAction;
  /** What it was done to: id of a post, user, token or file. */
  target: string;
  reason: string | null;
}

/** How far users were told; one row, which whoever tells has locked. */
export interface TellerTable {
  only_row: Generated<boolean>;
  /** Number of the newest event of `tokenActivity` that users were told of. */
  seq: number;
  /** When votes were last told. */
  votes_at: Generated<Date>;
  /** Intents that ended before were told. */
  intents_at: Generated<Date>;
  /** The newest day (UTC) whose fees users were told of. */
  fees_day: Generated<string>;
}

export interface NotificationTable {
  notification_id: Generated<string>;
  user_id: string;
  /** Number of its newest event in the stream `notifications`. */
  seq: Generated<number>;
  type: NotificationType;
  /** Names it among those of the user: what is told under the same key is told once, or adds to it. */
  key: string;
  created_at: Date;
  read_at: Date | null;
  /** What it told did not happen, or is not there any more; nobody sees it. */
  retracted_at: Date | null;
  actor_id: string | null;
  token_id: string | null;
  post_id: string | null;
  amount_usd18: bigint | null;
  eid: Eid | null;
  tx_hash: string | null;
  /** Which of a type's sentences it has, and a day; null: the type has one. */
  detail: string | null;
}

export interface PushSubscriptionTable {
  endpoint: string;
  user_id: string;
  p256dh: string;
  auth: string;
  created_at: Date;
  /** When the first push failed since the last one that went; null: none did. */
  failing_since: Date | null;
  /** It ends with this session, in which it was made; null: with none. */
  session_id: string | null;
}

/** The key that proves this service to the push services of browsers (VAPID). */
export interface PushKeyTable {
  only_row: Generated<boolean>;
  /** base64url of the uncompressed point. */
  public_key: string;
  sealed_key: Json<Sealed>;
}

/** Votes on a token or post, counted. A post has a row until it is deleted, hidden or not. */
export interface TallyTable {
  target_type: 'token' | 'post';
  target_id: string;
  /** In whose hub the post is; null: in none, or it is a comment or token. */
  token_id: string | null;
  /** When the post was written, or the token created. */
  made_at: Date;
  upvotes: Generated<number>;
  downvotes: Generated<number>;
  /** Whole tokens with 18 fraction digits: of the tokens that weigh the votes, which may be of chains with other decimals. */
  up_weight: Generated<bigint>;
  down_weight: Generated<bigint>;
  /** Up less down, by the price of the voting token when each vote was cast. */
  score_usd18: Generated<bigint>;
  /** What lists are ordered by: `score_usd18`, and upvotes less downvotes, when votes were last told. */
  ranked_usd18: Generated<bigint>;
  ranked_votes: Generated<number>;
}

/** One a user and target. Whoever changes it, or what it weighs, holds the target's row in `tally`. */
export interface VoteTable {
  vote_id: Generated<number>;
  target_type: 'token' | 'post';
  target_id: string;
  user_id: string;
  is_up: boolean;
  /** Whose holdings weigh it, as the next; null: nothing does. */
  token_id: string | null;
  voter_id: number | null;
  /** Base units that were held, on all chains, when it was cast. */
  base: bigint;
  /** Written by the index too: the least that was held since. */
  weight: bigint;
  /** Of one whole voting token when it was cast. */
  price_usd18: bigint;
  created_at: Date;
}

export interface WebhookTable {
  id: string;
  user_id: string;
  url: string;
  /** Origin of `url`. */
  origin: string;
  topic: StreamTopic;
  filter: Json<StreamFilter>;
  /** Number of the last event that is delivered or does not match. */
  cursor: number;
  status: Generated<'active' | 'failing' | 'disabled'>;
  /** Number of the newest attempt in the log. */
  attempts: Generated<number>;
  /** Failed attempts since the last success; `failing_since` is the time of the first. */
  failures: Generated<number>;
  failing_since: Date | null;
  /** Null: never. */
  last_success_at: Date | null;
  /** Sentence of the newest failure; null: it is not failing. */
  last_error: string | null;
  /** Nothing is delivered before, by the process's clock. */
  next_attempt_at: Date;
  /** The turn that delivers it now, until `lease_until` by the database's clock. */
  lease_owner: string | null;
  lease_until: Generated<Date>;
  created_at: Date;
}

export interface WebhookAttemptTable {
  webhook_id: string;
  /** Counts the attempts of the webhook, from 1. */
  number: number;
  /** Number of the event in the webhook's topic. */
  seq: number;
  /** Counts the attempts to deliver this event, from 1; of a redelivery always 1. */
  attempt: number;
  cause: 'stream' | 'redelivery';
  /** HTTP status; null: no answer. */
  response_code: number | null;
  /** Why the attempt failed; null when it was delivered. */
  error: string | null;
  duration_ms: number;
  /** When it ended. */
  at: Date;
  /** Null: delivered, given up, or a redelivery. */
  next_attempt_at: Date | null;
}

/** All tables of the service: the chain tables, which it only reads, and its own. */
export type Db = Kysely<Database & ServiceDatabase>;
export type Tx = Transaction<Database & ServiceDatabase>;
