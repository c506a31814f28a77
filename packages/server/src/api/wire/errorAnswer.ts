import { MintageError, type Operation } from '@mintage/protocol';
import { DatabaseUnavailableError, type UnavailableReason } from '../../db/databaseUnavailable.ts';
import { KekUnavailableError } from '../../keys/keyEncryption.ts';

export interface ErrorAnswer {
  status: number;
  body: { success?: false; error: string; code: string; details: unknown; requestId: string };
}

/** The answer to a failed request, in the body shape of its operation. Says nothing about our insides. */
export const errorAnswer = (
  error: unknown,
  { errorShape, plainStatuses }: Pick<Operation, 'errorShape' | 'plainStatuses'>,
  requestId: string,
): ErrorAnswer => {
  const known = toMintageError(error, requestId);
  const body = { error: sentenceOf(known), code: known.code, details: known.details, requestId };
  const { status } = known.kind;
  return {
    status: plainStatuses && becomePlain.has(status) ? 400 : status,
    body: errorShape === 'B' ? body : { success: false, ...body },
  };
};

/** Statuses that clients of the action endpoint do not know: they get 400 instead. */
const becomePlain = new Set([403, 404, 409, 413]);

/** What is wrong, then what to do. */
const sentenceOf = (error: MintageError): string => {
  const said = error.message.endsWith('.') ? error.message : `${error.message}.`;
  return `${said} ${error.kind.next}`;
};

/**
 * Converts any error to one of the catalogue; an unknown error becomes INTERNAL_ERROR with the original as its cause.
 */
export const toMintageError = (error: unknown, requestId: string): MintageError => {
  if (error instanceof MintageError) return error;
  const code = codeOf(error);
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new MintageError('PAYLOAD_TOO_LARGE', 'The body is too large', { cause: error });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new MintageError('INVALID_JSON', 'The content type of the body is not application/json', { cause: error });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new MintageError('INVALID_JSON', 'The body is not as long as its Content-Length', { cause: error });
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new MintageError('NOT_FOUND', 'The path cannot be read', { cause: error });
  }
  if (error instanceof DatabaseUnavailableError) {
    return new MintageError('SERVICE_UNAVAILABLE', databaseSentences[error.reason], { cause: error });
  }
  if (isNotNow.has(code)) {
    return new MintageError('SERVICE_UNAVAILABLE', 'A part of this service does not answer now', { cause: error });
  }
  if (error instanceof KekUnavailableError) {
    return new MintageError('SERVICE_UNAVAILABLE', 'What holds the keys does not answer now', { cause: error });
  }
  return new MintageError('INTERNAL_ERROR', `Something went wrong on our side, in request ${requestId}`, {
    cause: error,
  });
};

const databaseSentences: Record<UnavailableReason, string> = {
  away: 'The database does not answer now',
  full: 'The database has no room left now',
  slow: 'The database took too long',
};

/** Error codes of sockets and of this machine's disk and files: the request itself is fine, so it may be retried. */
const isNotNow = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE']);

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';
