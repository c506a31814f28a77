import { type ErrorCode, MintageError } from '@mintage/protocol/errors';

/** What a socket says in words of its own, in those that calls and server-sent events are refused with. */
const codes: ReadonlyMap<string, ErrorCode> = new Map([
  ['AUTH_REQUIRED', 'AUTHENTICATION_FAILED'],
  ['AUTH_TIMEOUT', 'SERVICE_UNAVAILABLE'], // our answer was late; another time it is not
  ['INVALID_SUBSCRIPTION', 'INVALID_PARAMETERS'],
  ['INVALID_MESSAGE', 'INVALID_PARAMETERS'],
]);

/** The error of a message `error`. A code that this client does not know stays as it is. */
export const refusalOf = ({ code, message }: { code: string; message: string }): MintageError =>
  new MintageError(codes.get(code) ?? (code as ErrorCode), message);
