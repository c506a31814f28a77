/**
 * The error catalogue: every code that any surface can answer, with its status, whether trying again can help, and what
 * to do next. HTTP, tools, SDK and CLI carry the same codes.
 */
export interface ErrorKind {
  /** HTTP status on REST routes; 0: no answer has it, a client finds it itself. */
  status: number;
  /** True when the same request can succeed later without a change by the caller. */
  retryable: boolean;
  /** One sentence: what the caller does next. */
  next: string;
}

export const errorCatalogue = {
  INVALID_PARAMETERS: { status: 400, retryable: false, next: 'Correct the fields named in details and send again.' },
  INVALID_JSON: { status: 400, retryable: false, next: 'Send one JSON object with Content-Type: application/json.' },
  UNSUPPORTED_CHAIN: { status: 400, retryable: false, next: 'Choose a chain that GET /chains lists.' },
  ROUTE_THROUGH_HOME: {
    status: 400,
    retryable: false,
    next: 'Send the tokens to the home chain that the message names, and on from there.',
  },
  NO_VENUE_ON_CHAIN: {
    status: 400,
    retryable: false,
    next: 'Trade on the home chain in the message; /transfer-token brings tokens there.',
  },
  TOKEN_REGISTERED: { status: 409, retryable: false, next: 'Name chains that the token is not on yet.' },
  TRANSFER_LIMIT: {
    status: 400,
    retryable: true,
    next: 'Send at most what the message says now, or wait as long as it says.',
  },
  NATIVE_FEE_TOO_HIGH: {
    status: 400,
    retryable: true,
    next: 'Raise max_native_fee to what the message says, or try again when the way costs less.',
  },
  TOKEN_NOT_FOUND: {
    status: 400,
    retryable: false,
    next: 'Check the token with /search-token; a token just created needs its creation to be mined.',
  },
  INSUFFICIENT_BALANCE: { status: 400, retryable: false, next: 'Fund the wallet or lower the amount.' },
  AMOUNT_TOO_SMALL: {
    status: 400,
    retryable: false,
    next: 'Raise the amount: after fees and rounding nothing is left.',
  },
  BEYOND_CURVE: {
    status: 400,
    retryable: false,
    next: 'Ask for at most the tokens left on the curve, or buy with an exact USD amount.',
  },
  BEYOND_RESERVE: {
    status: 400,
    retryable: false,
    next: 'Ask for less USD, or sell an exact amount of tokens.',
  },
  PARTIAL_FILL: {
    status: 400,
    retryable: false,
    next: 'Lower the amount: the pool has too little for the whole order.',
  },
  SLIPPAGE_EXCEEDED: {
    status: 400,
    retryable: true,
    next: 'The price moved beyond your limit: quote again, or allow more with slippageBps.',
  },
  DEADLINE_PASSED: {
    status: 400,
    retryable: false,
    next: 'Ask for a new transaction and send it before its deadline.',
  },
  TRANSACTION_EXPIRED: {
    status: 400,
    retryable: false,
    next: 'Ask for a new transaction, and have it signed and sent within a minute.',
  },
  INSUFFICIENT_ALLOWANCE: {
    status: 400,
    retryable: false,
    next: 'Send the approval first: it is the item before.',
  },
  TRANSACTION_FAILED: {
    status: 400,
    retryable: false,
    next: 'Read the reason in the message; ask for a new transaction.',
  },
  TRANSACTION_REVERTED: {
    status: 400,
    retryable: false,
    next: 'This is not final: a reorganisation may still undo it. Ask /transactions/status with the intentId in details, and do not send it again before that says failed.',
  },
  FEES_EXCEED_AMOUNT: {
    status: 400,
    retryable: false,
    next: 'Lower builder.fee: all fees together must leave something.',
  },
  SLIPPAGE_TOO_HIGH: {
    status: 400,
    retryable: false,
    next: 'Lower slippageBps: at most 5000, and 300 for an API key with a budget.',
  },
  ACKNOWLEDGEMENT_MISSING: {
    status: 400,
    retryable: false,
    next: 'Change the figure, or repeat it exactly in the field of `acknowledge` that the message names.',
  },
  UNSAFE_RECIPIENT: {
    status: 400,
    retryable: false,
    next: 'Name another address, or repeat this one in `acknowledge.recipient`.',
  },
  MEDIA_INVALID: {
    status: 400,
    retryable: false,
    next: 'Send a PNG, JPEG, GIF, WEBP or SVG image, or an MP4 or WebM video.',
  },
  MEDIA_TOO_LARGE: {
    status: 400,
    retryable: false,
    next: 'Send an image up to 5 MB and 50 megapixels, a video up to 8 MiB.',
  },
  MEDIA_UNREACHABLE: {
    status: 400,
    retryable: true,
    next: 'Check that the address is public and answers with the file.',
  },
  MEDIA_QUOTA_EXCEEDED: {
    status: 403,
    retryable: false,
    next: 'Wait for the next day (UTC), or delete what you no longer need.',
  },
  FILMS_NOT_YET: {
    status: 403,
    retryable: false,
    next: 'Send pictures, create a token, or wait until the time in details.',
  },
  TEXT_NOT_ALLOWED: {
    status: 400,
    retryable: false,
    next: 'Say it in other words, or without the link.',
  },
  AUTHENTICATION_FAILED: {
    status: 401,
    retryable: false,
    next: 'Send Authorization: Bearer with an access token or API key; /auth/login gives one.',
  },
  IDENTITY_NOT_REGISTERED: { status: 401, retryable: false, next: 'Register the wallet, then send this again.' },
  INVALID_ACTION_SIGNATURE: {
    status: 401,
    retryable: false,
    next: 'Sign exactly the fields of this request with the wallet that the bearer names.',
  },
  INVALID_REGISTER_MESSAGE: {
    status: 401,
    retryable: false,
    next: 'Sign a message whose timestamp is the nonce and whose address is the bearer.',
  },
  ACTION_EXPIRED: { status: 401, retryable: false, next: 'Sign again with the current time as nonce.' },
  REPLAY_DETECTED: { status: 401, retryable: false, next: 'Sign again with a new nonce.' },
  REFERRAL_SELF: { status: 400, retryable: false, next: 'Enter the code of somebody else.' },
  REFERRAL_CODE_INACTIVE: { status: 400, retryable: false, next: 'Ask for a code that is in use.' },
  REFERRAL_VOLUME_TOO_LOW: {
    status: 403,
    retryable: true,
    next: 'Trade more on chains of this network, or wait until your newest trades are final.',
  },
  REFERRAL_CODE_NOT_FOUND: {
    status: 404,
    retryable: false,
    next: 'Check the spelling, and network_mode: a code belongs to one network.',
  },
  REFERRAL_CODE_TAKEN: { status: 409, retryable: false, next: 'Choose another code.' },
  REFERRAL_CODE_EXISTS: { status: 409, retryable: false, next: 'Use the code that you have; GET /me shows it.' },
  REFERRAL_ALREADY_SET: {
    status: 409,
    retryable: false,
    next: 'The code that you entered first stays.',
  },
  USER_NOT_FOUND: {
    status: 404,
    retryable: false,
    next: 'Check the id, username or address; names can change, ids do not.',
  },
  USERNAME_TAKEN: { status: 409, retryable: false, next: 'Choose another name; /check-username says which are free.' },
  USERNAME_RESERVED: { status: 400, retryable: false, next: 'Choose a name that nobody takes for the service itself.' },
  USERNAME_COOLDOWN: {
    status: 403,
    retryable: false,
    next: 'Wait until the time in details: a name can change once in 30 days.',
  },
  POST_NOT_FOUND: {
    status: 404,
    retryable: false,
    next: 'Check the id; a post that was deleted or hidden is shown to nobody.',
  },
  VOTE_TARGET_NOT_FOUND: {
    status: 400,
    retryable: false,
    next: 'Check target_id: a token or post that this service shows.',
  },
  CANNOT_TARGET_SELF: { status: 400, retryable: false, next: 'Name another user.' },
  TOO_MANY_FOLLOWS: {
    status: 409,
    retryable: false,
    next: 'Unfollow or unblock somebody first: 5,000 of each is the most.',
  },
  HUB_MEMBERS_ONLY: { status: 403, retryable: false, next: 'Join the hub with /join-hub first.' },
  HUB_HOLDERS_ONLY: { status: 403, retryable: false, next: 'Hold as many tokens as details say.' },
  HUB_INVITE_ONLY: { status: 403, retryable: false, next: 'Ask an owner or moderator of the hub for an invite.' },
  HUB_BANNED: { status: 403, retryable: false, next: 'Wait until the time in details, or ask a moderator of the hub.' },
  NOT_THE_HUB_OWNER: { status: 403, retryable: false, next: 'Ask the owner or a moderator of the hub.' },
  NOT_THE_AUTHOR: {
    status: 403,
    retryable: false,
    next: 'Ask the author, or a moderator of the hub it was posted in.',
  },
  BLOCKED: {
    status: 403,
    retryable: false,
    next: 'If it was you, lift it with /unblock-user.',
  },
  HOLDINGS_PRIVATE: {
    status: 403,
    retryable: false,
    next: 'Ask for `created`, or ask the user, who does not show what they hold.',
  },
  USER_SUSPENDED: {
    status: 403,
    retryable: false,
    next: 'Ask the operator: until they lift it you trade and claim, and say nothing.',
  },
  NOT_AN_OPERATOR: {
    status: 403,
    retryable: false,
    next: 'Sign in as a user in OPERATORS, or use a key of theirs.',
  },
  SCOPE_MISSING: { status: 403, retryable: false, next: 'Use a credential with what details name.' },
  BUDGET_EXCEEDED: {
    status: 403,
    retryable: false,
    next: 'Lower the amount, wait for the next day (UTC), or use a credential with a larger budget.',
  },
  RECIPIENT_NOT_ALLOWED: {
    status: 403,
    retryable: false,
    next: 'Use a credential that may call this address, or your own wallet.',
  },
  CONFIRMATION_NEEDED: {
    status: 403,
    retryable: false,
    next: 'Sign in again, then repeat it with the new access token.',
  },
  ACCESS_TOO_NEW: {
    status: 403,
    retryable: false,
    next: 'Use an older way in, or wait.',
  },
  ACCOUNT_FROZEN: {
    status: 403,
    retryable: false,
    next: 'Ask the operator.',
  },
  EXECUTION_PAUSED: {
    status: 403,
    retryable: false,
    next: 'Sign in and resume execution, or send it from your own wallet.',
  },
  FORBIDDEN_ORIGIN: {
    status: 403,
    retryable: false,
    next: 'Call the address of this service; web pages need TOOL_ORIGINS.',
  },
  NOT_FOUND: { status: 404, retryable: false, next: 'See GET /docs for the routes of this service.' },
  MEDIA_WITHDRAWN: {
    status: 451,
    retryable: false,
    next: 'Show something else: the operator took the file out of service.',
  },
  WEBHOOK_NOT_FOUND: { status: 404, retryable: false, next: 'Use the id of one of your webhooks: /list-webhooks.' },
  TRANSACTION_NOT_FOUND: {
    status: 404,
    retryable: true,
    next: 'Check hash, chainSlug and intentId; a chain may not show a new transaction for some seconds.',
  },
  EVENT_NOT_FOUND: {
    status: 404,
    retryable: false,
    next: 'Use the number of an event that the webhook delivers and that is still kept.',
  },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false, next: 'Use the method named in the Allow header.' },
  TOO_MANY_KEYS: { status: 409, retryable: false, next: 'Revoke an API key you no longer use.' },
  TOO_MANY_PASSKEYS: { status: 409, retryable: false, next: 'Remove a passkey you no longer use.' },
  TOO_MANY_WALLETS: { status: 409, retryable: false, next: 'Use one of the wallets that are linked already.' },
  WALLET_TAKEN: {
    status: 409,
    retryable: false,
    next: 'Sign in with this wallet to use its account, or link another one.',
  },
  LAST_WAY_IN: {
    status: 409,
    retryable: false,
    next: 'Add another passkey or link a wallet, then remove this one.',
  },
  TOO_MANY_WEBHOOKS: { status: 409, retryable: false, next: 'Delete a webhook you no longer use.' },
  IDEMPOTENCY_CONFLICT: { status: 409, retryable: false, next: 'Use a new Idempotency-Key for a new request.' },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, retryable: true, next: 'Send the same request again in a few seconds.' },
  IDEMPOTENCY_OUTCOME_UNKNOWN: {
    status: 409,
    retryable: false,
    next: 'Ask /transactions/status with the intentId in details, or with this key, first.',
  },
  IDEMPOTENCY_ANSWER_GONE: { status: 409, retryable: false, next: 'Revoke what was made and make another one.' },
  UPGRADE_REQUIRED: { status: 426, retryable: false, next: 'Connect with a WebSocket client; docs/streams.md.' },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    retryable: false,
    next: 'Send a smaller body: 256 KiB, 12 MiB on creation, 64 KiB without a credential.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    retryable: true,
    next: 'Wait as long as Retry-After says; a credential has a larger allowance.',
  },
  INTERNAL_ERROR: { status: 500, retryable: true, next: 'Try again; if it stays, report the request id.' },
  OUTCOME_UNKNOWN: {
    status: 500,
    retryable: false,
    next: 'Ask /transactions/status with the intentId in details before you send it again.',
  },
  NETWORK_ERROR: { status: 503, retryable: true, next: 'The chain does not answer now; try again in a few seconds.' },
  ROUTE_PAUSED: {
    status: 503,
    retryable: true,
    next: 'Wait until the owner has opened the way again; tokens that are on it arrive then.',
  },
  SERVICE_UNAVAILABLE: { status: 503, retryable: true, next: 'Try again in a few seconds.' },
  UNREACHABLE: {
    status: 0,
    retryable: true,
    next: 'Check the base address and the connection. A write may have been done: send it again with the idempotencyKey of this error, else look first.',
  },
  UNEXPECTED_ANSWER: {
    status: 0,
    retryable: false,
    next: 'Check that the base address is of this service, and no proxy answers.',
  },
  BYTES_DIFFER: {
    status: 0,
    retryable: false,
    next: 'Do not sign this: nothing was sent. Prepare it again, and tell the operator if it stays.',
  },
  WALLET_REFUSED: {
    status: 0,
    retryable: false,
    next: 'Nothing was sent. Ask again when the owner of the wallet agrees.',
  },
  WALLET_ELSEWHERE: {
    status: 0,
    retryable: false,
    next: 'Nothing was sent. Switch the wallet as the message says, then go on.',
  },
  SENT_UNCONFIRMED: {
    status: 0,
    retryable: false,
    next: 'Look up what details name before you send anything again: it may still be mined.',
  },
  WEBHOOK_NOT_GENUINE: {
    status: 0,
    retryable: false,
    next: 'Answer 401, and use nothing of it. Check the secret, this machine’s clock, and that the body is as it arrived.',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorCatalogue;

/** One offending field: `path` in dot notation, '' for the body as a whole. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** Of a code that a newer service knows and we do not. */
const unknownKind: ErrorKind = { status: 0, retryable: false, next: 'Bring the client up to date.' };

interface ErrorOptions {
  details?: unknown;
  cause?: unknown;
  /** Of the request that failed. */
  requestId?: string | undefined;
  /** What `Retry-After` said, milliseconds. */
  retryAfterMs?: number | undefined;
  /** By which the write that failed was named. */
  idempotencyKey?: string | undefined;
}

/**
 * The one error class of the service and its clients. `message` is the sentence a person reads; keep the technical cause in
 * `cause`.
 */
export class MintageError extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;
  /** Null where no request was made, and in the service, which says it beside the error. */
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  /** Of a write by a client: sent again with it, it is done once. */
  readonly idempotencyKey: string | null;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'MintageError';
    this.code = code;
    this.details = options.details ?? null;
    this.requestId = options.requestId ?? null;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.idempotencyKey = options.idempotencyKey ?? null;
  }

  get kind(): ErrorKind {
    return Object.hasOwn(errorCatalogue, this.code) ? errorCatalogue[this.code] : unknownKind;
  }
}

/** A 400 about one field. */
export const invalid = (path: string, message: string): MintageError =>
  new MintageError('INVALID_PARAMETERS', path === '' ? message : `${path}: ${message}`, {
    details: [{ path, message }],
  });
