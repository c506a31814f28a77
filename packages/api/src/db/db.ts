import type { Database } from '@mintage/indexer/db';
import type { ColumnType, Generated, Kysely } from 'kysely';

/** Migrations of the service tables, beside those of the chain tables in `@mintage/indexer/db`. */
export const serviceMigrations = new URL('./migrations/', import.meta.url);

/** A time that may be left to the database's default. */
type DefaultTime = ColumnType<Date, Date | undefined, Date>;
/** jsonb: written as text, read as a value. */
type Json<T> = ColumnType<T, string, string>;

/** The tables that the service itself writes (`migrations/`); ids are UUID text, addresses lower-case hex. */
export type ServiceDatabase = {
  app_user: { user_id: string; created_at: DefaultTime };
  user_wallet: { address: string; user_id: string; created_at: DefaultTime };
  user_identity: { issuer: string; subject: string; user_id: string; created_at: DefaultTime };
  auth_challenge: { nonce: string; address: string; message: string; expires_at: Date };
  refresh_token: { token_hash: string; family_id: string; user_id: string; used_at: Date | null; expires_at: Date };
  signing_key: {
    kid: string;
    private_jwk: Json<Record<string, unknown>>;
    public_jwk: Json<Record<string, unknown>>;
    created_at: DefaultTime;
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
    chain_id: number;
    address: string;
    user_id: string | null;
    creator: string;
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
    created_at: DefaultTime;
  };
  media_block: { cid: string; content_type: string; bytes: Buffer; created_at: DefaultTime };
};

/** What the service may use: the chain tables, which it only reads, and its own. */
export type Db = Kysely<Database & ServiceDatabase>;
