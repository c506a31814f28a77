import type { Address, Eid } from '@mintage/protocol';
import type { StreamFilter } from '@mintage/protocol/operations';
import type { ColumnType, Generated, Kysely, Transaction } from 'kysely';
import type { Sealed } from '../keys/keyEncryption.ts';
import type { Database, StreamTopic } from './chainTables.ts';
import type { SignerDatabase } from './signerTables.ts';

/** A time that may be left to the database's default. */
type DefaultTime = ColumnType<Date, Date | undefined, Date>;
/** jsonb: written as text, read as a value. */
type Json<T> = ColumnType<T, string, string>;

/** The tables that the service itself writes (`migrations/service/`), and those that it shares with the signer; ids are UUID text. */
export type ServiceDatabase = SignerDatabase & {
  app_user: { user_id: string; created_at: DefaultTime; premium: Generated<boolean> };
  user_wallet: { address: Address; user_id: string; created_at: DefaultTime };
  user_identity: { issuer: string; subject: string; user_id: string; created_at: DefaultTime };
  auth_challenge: { nonce: string; address: Address; message: string; expires_at: Date };
  session: { session_id: string; user_id: string; created_at: DefaultTime };
  refresh_token: { token_hash: string; session_id: string; user_id: string; used_at: Date | null; expires_at: Date };
  signing_key: SigningKeyTable;
  signed_action: { wallet: Address; nonce: number; action_hash: string; expires_at: Date };
  idempotent_call: {
    user_id: string;
    key: string;
    operation: string;
    input_hash: string;
    started_at: DefaultTime;
    finished_at: Date | null;
    answer: string | null;
  };
  api_key: {
    id: string;
    user_id: string;
    name: string;
    key_hash: string;
    prefix: string;
    scopes: string[];
    created_at: DefaultTime;
    expires_at: Date | null;
    last_used_at: Date | null;
    revoked_at: Date | null;
  };
  token_draft: {
    token_id: string;
    eid: Eid;
    address: Address;
    user_id: string | null;
    creator: Address;
    pool_type: string;
    name: string;
    symbol: string;
    slug: string;
    description: string;
    token_uri: string;
    logo: string | null;
    banner: string | null;
    video: string | null;
    links: ColumnType<Record<string, string>, string | undefined, string>;
    tags: Generated<string[]>;
    destination_chains: Generated<string[]>;
    /** Builder that the creator named. */
    builder: Address | null;
    created_at: DefaultTime;
  };
  referral_code: {
    network: ReferralNetwork;
    /** The code in lower case. */
    code_key: string;
    code: string;
    user_id: string;
    active: Generated<boolean>;
    created_at: Date;
  };
  referral_entry: { network: ReferralNetwork; user_id: string; code_key: string; entered_at: Date };
  webhook: WebhookTable;
  webhook_secret: {
    webhook_id: string;
    /** Signing secret in the clear, only in rows of earlier versions; so is `previous`. */
    secret: string | null;
    previous: string | null;
    previous_until: Date | null;
    sealed_secret: ColumnType<Sealed | null, string, string>;
    sealed_previous: ColumnType<Sealed | null, string | undefined, string | null>;
  };
  webhook_attempt: WebhookAttemptTable;
  oauth_item: {
    model: string;
    id_hash: string;
    payload: Json<Record<string, unknown>>;
    grant_id: string | null;
    consumed_at: Date | null;
    expires_at: Date | null;
  };
  oauth_grant: {
    grant_id: string;
    user_id: string;
    client_id: string;
    client_name: string;
    redirect_host: string;
    scopes: string[];
    created_at: Date;
    expires_at: Date;
    revoked_at: Date | null;
    last_used_at: Date | null;
  };
  media_block: { cid: string; content_type: string; bytes: Buffer; created_at: DefaultTime };
};

/** The kind of chains on which a referral counts. */
export type ReferralNetwork = 'mainnet' | 'testnet';

export interface SigningKeyTable {
  kid: string;
  /** Private key in the clear, only in rows of earlier versions. */
  private_jwk: ColumnType<Record<string, unknown> | null, string | undefined, null>;
  sealed_key: ColumnType<Sealed | null, string, string>;
  public_jwk: Json<Record<string, unknown>>;
  created_at: DefaultTime;
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
  last_success_at: Date | null;
  last_error: string | null;
  next_attempt_at: Date;
  /** The turn that delivers it now, until `lease_until` by the database's clock. */
  lease_owner: string | null;
  lease_until: Generated<Date>;
  created_at: Date;
}

export interface WebhookAttemptTable {
  webhook_id: string;
  number: number;
  seq: number;
  attempt: number;
  cause: 'stream' | 'redelivery';
  response_code: number | null;
  /** Why the attempt failed; null when it was delivered. */
  error: string | null;
  duration_ms: number;
  at: Date;
  next_attempt_at: Date | null;
}

/** All tables of the service: the chain tables, which it only reads, and its own. */
export type Db = Kysely<Database & ServiceDatabase>;
export type Tx = Transaction<Database & ServiceDatabase>;
