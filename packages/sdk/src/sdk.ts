export {
  chainTypeOn,
  checksumRule,
  hasWrongChecksum,
  type OrderTerms,
  type PricedOrder,
  type PricedState,
  priceOrder,
  tokenDecimalsOn,
} from '@mintage/protocol';
export { type ErrorCode, type ErrorKind, errorCatalogue, MintageError } from '@mintage/protocol/errors';
export type { Actions, Registered } from './actions.ts';
export { type Action, type Auth, apiKey, type Network, type SignedEnvelope } from './auth/auth.ts';
export { linkWallet } from './auth/linkWallet.ts';
export { type Session, session } from './auth/session.ts';
export type { EvmSigner, SolanaSigner, TextSigner } from './auth/signer.ts';
export { type SignInOptions, signIn } from './auth/signIn.ts';
export { type SigningWallet, type WalletOptions, wallet } from './auth/wallet.ts';
export type { Settings } from './call.ts';
export type { ActionAnswer, CallOptions } from './callOptions.ts';
export { type Client, type ClientSettings, createClient } from './client.ts';
export { checkPrepared } from './execute/checkPrepared.ts';
export { type ExecuteOptions, execute } from './execute/execute.ts';
export type { Executed } from './execute/executed.ts';
export type { CheckedCall } from './execute/items.ts';
export { type Outcome, outcomeOf } from './execute/outcome.ts';
export { type Prepared, type PreparedOperation, prepare } from './execute/prepared.ts';
export { isRefusal } from './execute/refusal.ts';
export type { Sent } from './execute/sent.ts';
export { checkPreparedSolana } from './execute/solana/checkPrepared.ts';
export { keypairWallet } from './execute/solana/keypairWallet.ts';
export { solanaOutcomeOf } from './execute/solana/outcome.ts';
export type { SolanaWallet } from './execute/solana/solanaWallet.ts';
export type { CheckedTransaction } from './execute/solana/whole.ts';
export type { Wallet } from './execute/wallet.ts';
export type { ActionCalls, Calls, InfoCalls } from './generated/calls.ts';
export type * from './generated/types.ts';
export { type NewStep, newPlan, type Plan, type PlanStep, type RunOptions, runPlan } from './plans/plan.ts';
export { answeredState } from './quotes/answeredState.ts';
export { type ReadState, readState } from './quotes/readState.ts';
export { createReader, type Reader } from './reader.ts';
export { type Copy, createCopy, type StreamData } from './streams/copy.ts';
export {
  createStreams,
  type Stream,
  type StreamBegin,
  type StreamItem,
  type StreamOptions,
  type StreamSettings,
  type Streams,
  type Topic,
} from './streams/streams.ts';
export {
  readTrusted,
  type Trusted,
  type TrustedChain,
  type TrustedSolanaChain,
  trustedOn,
  trustedSolanaOn,
} from './trusted.ts';
export { type VerifyOptions, verifyWebhook, type WebhookEvent, type WebhookHeaders } from './webhooks/verifyWebhook.ts';
