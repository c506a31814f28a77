/** The part of the signer that the API uses: the tables by which they communicate. Keys are stored sealed. */
import type { Address, ChainType } from '@mintage/protocol';
import type { Sealed } from '../keys/keys.ts';
import {
  address,
  amount,
  bool,
  constant,
  date,
  eid,
  eids,
  hash,
  hex,
  int2,
  int4,
  int8,
  jsonText,
  oneOf,
  orNull,
  type TablesOf,
  table,
  text,
  texts,
  time,
  uuid,
  withDefault,
} from './table.ts';

/** PostgreSQL channel: an intent was queued, or a wallet requested. The payload is empty. */
export const signerChannel = 'mintage_signer';
/**
 * PostgreSQL channel: the state of an intent or of one of its steps changed, or a wallet was created. The payload is
 * the intent or user id.
 */
export const signedChannel = 'mintage_signed';

/** What the connection by which a signer listens is called in the database: while it is open, that signer works. */
export const signerConnection = 'mintage signer';

export type IntentStatus = 'queued' | 'signed' | 'refused' | 'done' | 'failed';
/** The `error` of a step on which providers disagree. */
export const unsureSentence =
  'The providers of the chain do not say the same about this transaction yet: do not send it again.';

export type StepStatus = 'queued' | 'sent' | 'mined' | 'final' | 'failed';

/** What a caller acknowledged: `acknowledge` of the operations. Raw figures are base units in decimal digits. */
export interface AcknowledgedFigures {
  /** Fee of the builder. */
  builderFeeBps?: number;
  /** Limit of the order. */
  limitRaw?: string;
  /** Amount of the approval. */
  approvalRaw?: string;
  /** An address that keeps what is sent to it. */
  recipient?: string;
}

/**
 * A read of the chain on which the steps of an intent depend: the call, its block, and a hash of the answer. The signer
 * repeats it, and signs only what two providers confirm.
 */
export interface Premise {
  blockNumber: number;
  /** The called contract, with `data` as the call. */
  to: Address;
  data: `0x${string}`;
  /** On EVM chains keccak256 of the bytes that the call returned. */
  answerHash: `0x${string}`;
}

/** Ids are UUID text, amounts base units. Rows: `migrations/signer/`. */
export const signerTables = {
  embedded_wallet: table(['user_id', 'chain_type'], {
    /** Of `app_user`, or the keeper (`keeperUser`). */
    user_id: uuid,
    /** The family of chains that it is for. */
    chain_type: constant(oneOf<ChainType>()),
    address: orNull(address),
    sealed_key: withDefault(orNull(jsonText<Sealed>())),
    requested_at: withDefault(time),
    /** Null: only requested, as `address` and `sealed_key` are. */
    made_at: orNull(time),
    /** Set in any of the rows of a user: nothing more is signed for the user. */
    paused_at: orNull(time),
  }),
  /** One row once everything is paused, for all users; refusals quote the `reason`. */
  account_freeze: table(['user_id'], { user_id: uuid, frozen_by: orNull(uuid), frozen_at: time }),
  signing_pause: table(['only_row'], { only_row: withDefault(bool), paused_at: withDefault(time), reason: text }),
  budget: table(['credential'], {
    /** Id of the API key or grant. */
    credential: text,
    user_id: uuid,
    /** Null: no cap; so in the next, of a day in UTC. */
    per_trade_usd18: orNull(amount),
    per_day_usd18: orNull(amount),
    /** Null: every chain. */
    eids: orNull(eids),
    /** May be called besides ours, with any function. */
    contracts: withDefault(texts),
    /** May be paid besides the user's own wallets, `RECIPIENT_DELAY_HOURS` after `created_at`. */
    recipients: withDefault(texts),
    created_at: withDefault(time),
    /** Set once the credential is revoked: what it has queued is refused. */
    ended_at: orNull(time),
    /** Whether the signers have recorded that in their log. */
    revocation_noted: withDefault(bool),
    /** Of the gross amount of an order. */
    max_builder_bps: withDefault(int4),
    /** Of the API (`rowSeals.ts`); null: the API vouches for no intent by it. */
    seal: orNull(text),
  }),
  intent: table(['eid', 'intent_id'], {
    eid,
    intent_id: uuid,
    /** Of `app_user`, or the keeper (`keeperUser`). */
    user_id: uuid,
    wallet: address,
    /** Id of the API key or grant whose budget it counts in; null: none, as of a sign-in. */
    credential: orNull(text),
    /** Of the call that asked for it; null: without one. */
    idempotency_key: orNull(text),
    status: withDefault(oneOf<IntentStatus>()),
    /** Of a refusal or failure, a code of the catalogue; `error` is its sentence. */
    error_code: orNull(text),
    error: orNull(text),
    /** What it counts in the budget of `budget_day`; 0 once released. For reports: the signers go by their log. */
    usd18: withDefault(amount),
    budget_day: orNull(date),
    /** Null: nothing that it rests on, as always where calls bound by themselves what they depend on. */
    premise: constant(withDefault(orNull(jsonText<Premise>()))),
    /** Not signed from here on, by the database's clock: the deadline of the prepared call. */
    expires_at: time,
    created_at: withDefault(time),
    /** Null: not signed. */
    signed_at: orNull(time),
    /** When it was refused or its last step ended; null: neither yet. */
    ended_at: orNull(time),
    /** Null: nothing. */
    acknowledged: constant(withDefault(orNull(jsonText<AcknowledgedFigures>()))),
    /** Newest block by which it was prepared: an index that is older does not refuse it. Null: none. */
    seen_block: constant(withDefault(orNull(int8))),
    /** Span of the request that it was made by (W3C `traceparent`); null: not traced. */
    traceparent: constant(withDefault(orNull(text))),
    /** By which the API vouches for it (`intentProof.ts`); null: the keeper's. */
    proof: constant(withDefault(orNull(text))),
  }),
  intent_step: table(['eid', 'intent_id', 'step'], {
    eid,
    intent_id: uuid,
    /** From 0, in the order in which they are sent. */
    step: int2,
    wallet: address,
    to_address: address,
    /** Of the native coin. */
    value: amount,
    data: hex,
    /** Units of gas. */
    gas_limit: int8,
    /** For people. */
    description: text,
    /** Null before it is signed, and on chains without nonces. */
    nonce: orNull(int8),
    status: withDefault(oneOf<StepStatus>()),
    /** Of the attempt that counts: the mined one, else the newest. Null before it is signed. */
    hash: orNull(hash),
    /** Of the block that holds it; null, as the next two, while none does. */
    block_number: orNull(int8),
    block_hash: orNull(hash),
    /** Native base units, a rollup's data included. */
    gas_paid: orNull(amount),
    /** Why it reverted or was given up; null with an `error`: providers disagree (`unsureSentence`). */
    error_code: orNull(text),
    error: orNull(text),
  }),
  attempt: table(['eid', 'hash'], {
    eid,
    hash,
    intent_id: uuid,
    step: int2,
    /** Null on chains without nonces. */
    nonce: orNull(int8),
    /** The signed bytes. */
    raw: hex,
    /** Native base units per gas; null, as the next, on chains that do not price gas so. */
    max_fee_per_gas: orNull(amount),
    max_priority_fee_per_gas: orNull(amount),
    /** `cancel` uses the nonce for nothing. */
    kind: withDefault(oneOf<'call' | 'cancel'>()),
    signed_at: withDefault(time),
    /** Newest block when it was signed. */
    signed_block: int8,
    /** When a provider first took it or a block held it; null: not yet. */
    sent_at: orNull(time),
    /** The last block height that may hold these bytes; null: any, until their nonce is used. */
    valid_until_block: orNull(int8),
  }),
  keeper_task: table(['eid', 'token'], {
    eid,
    /** That the keeper graduates. */
    token: address,
    /** Of the newest try, as `tried_at`. */
    intent_id: uuid,
    tries: int4,
    tried_at: withDefault(time),
  }),
  lane: table(['eid', 'wallet'], {
    eid,
    wallet: address,
    /** For the next step that is signed; 0 on chains without nonces. */
    next_nonce: int8,
    /** When a signer last looked after its open steps, by the database's clock. */
    watched_at: withDefault(time),
  }),
};

export type SignerDatabase = TablesOf<typeof signerTables>;

export type BudgetTable = SignerDatabase['budget'];
