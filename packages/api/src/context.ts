import type { IncomingHttpHeaders } from 'node:http';
import type { Chain, Deployment, Operation } from '@mintage/protocol';
import type { OperationName, Operations } from '@mintage/protocol/operations';
import type { KeyEncryption } from '@mintage/signer/keys';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Auth } from './auth/auth.ts';
import type { Pulse } from './chains/pulse.ts';
import type { Rpc } from './chains/rpc.ts';
import type { Config } from './config.ts';
import type { Db } from './db/db.ts';
import type { SignerNews } from './execution/signerNews.ts';
import type { Metrics } from './http/metrics.ts';
import type { OffLoop } from './http/offLoop.ts';
import type { Limiter } from './limits/limiter.ts';
import type { Media } from './media/media.ts';
import type { Oauth } from './oauth/oauth.ts';
import type { Vouchers } from './referrals/vouchers.ts';
import type { Streams } from './streams/streams.ts';
import type { Markets } from './trade/markets.ts';
import type { Post } from './webhooks/post.ts';
import type { WebhookKeys } from './webhooks/webhookKeys.ts';

export type Address = `0x${string}`;

/** A chain that can be served: it has an EIP-155 id. */
export type ServedChain = Chain & { chainId: number };

export interface ChainContext {
  chain: ServedChain;
  deployment: Deployment;
  rpc: Rpc;
  /** Of the newest indexed block: what is answered from the index is as old. */
  indexPulse: Pulse;
  /** Of the newest block that was read from the chain itself. */
  headPulse: Pulse;
  /** What GET /chains may show, null where the provider is not for everyone. */
  publicRpcUrl: string | null;
  /** True for a chain that this service runs itself. */
  local: boolean;
}

/** Everything a handler may use. Built once at start, closed once at the end. */
export interface Context {
  config: Config;
  db: Db;
  /** The configured chains by slug. */
  chains: ReadonlyMap<string, ChainContext>;
  media: Media;
  markets: Markets;
  auth: Auth;
  /** Lets applications in that a user allowed, to the tool server only. */
  oauth: Oauth;
  vouchers: Vouchers;
  limiter: Limiter;
  metrics: Metrics;
  /** Works on what is long. */
  offLoop: OffLoop;
  streams: Streams;
  /** Sends to the receivers of webhooks. */
  webhooks: Post;
  webhookKeys: WebhookKeys;
  /** Seals what the api keeps secret in the database; not the wallets, where the signer has a KEK of its own. */
  keys: KeyEncryption;
  signerNews: SignerNews;
  patience: Patience;
  log: Logger;
  /** Milliseconds since 1970; a chain's time comes from its blocks, never from here. */
  now: () => number;
}

/** How long a call waits for the signers. */
export interface Patience {
  /** For an embedded wallet to be made. */
  walletMs: number;
  /** For transactions to be signed. */
  signatureMs: number;
}

export const scopes = ['read', 'prepare', 'execute'] as const;
export type Scope = (typeof scopes)[number];

/** Who the credential proves. */
export interface Caller {
  userId: string;
  /** Lower case, the sign-in wallet first, the embedded one last; empty for a user without a wallet. */
  wallets: readonly Address[];
  /** Of `wallets` the one whose key the signer holds; null before it is made. */
  embedded: Address | null;
  method: 'jwt' | 'apiKey' | 'wallet' | 'grant';
  /** Has the larger allowance. */
  premium: boolean;
  scopes: readonly Scope[];
  /** What a budget may be set for: the id of the API key or grant; null: the user. */
  credential: string | null;
  /** The sign-in behind an access token; null: there is none, or none that could be asked about. */
  session: CallerSession | null;
}

/** A session of ours, or when a foreign issuer made its token. */
export type CallerSession = { sessionId: string } | { issuedAtMs: number };

/** What belongs to one call and not to its input. */
export interface Call<Who = Caller | null> {
  /** Set unless the operation is public. */
  caller: Who;
  requestId: string;
  /** Of the client, as `clientAddress` has it: whose share a call takes. */
  address: string;
  /** Of a write that is done once under it (`limits/idempotency.ts`). */
  idempotencyKey?: string;
  /** When nobody waits for the answer any more, on the clock of `performance.now()`; absent: nobody said. */
  untilMs?: number;
  /** Aborts when nobody waits for the answer any more; made when asked for. Absent: nobody said. */
  gone?: () => AbortSignal;
  /** The HTTP request, for answers that last; absent where there is none. */
  http?: { headers: IncomingHttpHeaders };
}

export type CallOf<Op extends Operation> = Op['access'] extends 'public' ? Call : Call<Caller>;

export type Handler<Op extends Operation> = (
  context: Context,
  input: z.output<Op['input']>,
  call: CallOf<Op>,
) => Promise<z.output<Op['output']>>;

/** The handler of the operation with this name: `export const health: HandlerOf<'health'> = async () => …`. */
export type HandlerOf<Name extends OperationName> = Handler<Extract<Operations[number], { name: Name }>>;
