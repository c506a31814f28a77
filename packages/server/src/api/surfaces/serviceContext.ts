import type { KeyObject } from 'node:crypto';
import type { Readers } from '../../db/readers.ts';
import type { KeyEncryption } from '../../keys/keyEncryption.ts';
import type { Context } from '../handlers/context.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Oauth } from './oauth/oauth.ts';
import type { Streams } from './sockets/streams.ts';

/** What surfaces use: a handler's context, and each other. */
export interface ServiceContext extends Context {
  /** Seals the API's own secrets in the database; wallets are sealed by the signer's KEK instead. */
  keys: KeyEncryption;
  /** By which intents are vouched for and rows sealed; the first does. */
  intentKeys: readonly [KeyObject, ...KeyObject[]];
  /** Where the database has standbys. */
  readers: Readers | null;
  metrics: Metrics;
  /** OAuth: authorizes applications that a user consented to, for the tool server only. */
  oauth: Oauth;
  streams: Streams;
}
