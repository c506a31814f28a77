import type { KeyEncryption } from '../../keys/keyEncryption.ts';
import type { Context } from '../handlers/context.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Oauth } from './oauth/oauth.ts';
import type { Streams } from './sockets/streams.ts';

/** What surfaces use: a handler's context, and each other. */
export interface ServiceContext extends Context {
  /** Seals what the api keeps secret in the database; not the wallets, where the signer has a KEK of its own. */
  keys: KeyEncryption;
  limiter: Limiter;
  metrics: Metrics;
  /** Lets applications in that a user allowed, to the tool server only. */
  oauth: Oauth;
  streams: Streams;
}
