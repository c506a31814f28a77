import { type ErrorCode, MintageError } from '@mintage/sdk';
import { type CommanderError, InvalidArgumentError } from 'commander';

/** Exit codes by what a script can do about it. They are part of the interface: `mintage --help` lists them. */
export const exitCodes = {
  done: { code: 0, about: 'done' },
  unexpected: { code: 1, about: 'a fault of this program; of doctor: something is not as it should be' },
  usage: { code: 2, about: 'the command line or a field is wrong: correct it' },
  credential: { code: 3, about: 'not signed in, or not allowed: other credential, budget or scope' },
  absent: { code: 4, about: 'there is no such thing' },
  refused: { code: 5, about: 'the market, a contract or a wallet refuses: nothing was sent' },
  later: { code: 6, about: 'the service or a chain does not answer now: the same command may succeed later' },
  sent: {
    code: 7,
    about: 'something was sent and failed, or it is not known what became of it: look before you repeat',
  },
  declined: { code: 8, about: 'not confirmed: nothing was sent' },
  interrupted: { code: 130, about: 'ended by Ctrl-C' },
} as const;

export type Exit = keyof typeof exitCodes;

/** What a person did wrong or decided, with what to do next; `MintageError` is what the service or a chain says. */
export class Failure extends Error {
  readonly exit: Exit;
  readonly next: string | null;

  constructor(exit: Exit, message: string, next: string | null = null) {
    super(message);
    this.exit = exit;
    this.next = next;
  }
}

const sentCodes: readonly ErrorCode[] = [
  'SENT_UNCONFIRMED',
  'TRANSACTION_REVERTED',
  'OUTCOME_UNKNOWN',
  'IDEMPOTENCY_OUTCOME_UNKNOWN',
  'IDEMPOTENCY_ANSWER_GONE',
];
const usageCodes: readonly ErrorCode[] = [
  'INVALID_PARAMETERS',
  'INVALID_JSON',
  'UNSUPPORTED_CHAIN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'UPGRADE_REQUIRED',
  'PAYLOAD_TOO_LARGE',
  'MEDIA_INVALID',
  'MEDIA_TOO_LARGE',
  'MEDIA_UNREACHABLE',
];
const laterCodes: readonly ErrorCode[] = ['UNREACHABLE', 'UNEXPECTED_ANSWER'];

/** What to do next here, where the catalogue speaks of routes. */
const nextHere: Partial<Record<ErrorCode, string>> = {
  CONFIRMATION_NEEDED: '`mintage login` signs in again; repeat this within five minutes.',
  AUTHENTICATION_FAILED: '`mintage init` makes a profile, `mintage login` signs it in.',
  TOKEN_NOT_FOUND:
    '`mintage search <words>` finds a token by its name; one just created needs its creation to be mined.',
  UNSUPPORTED_CHAIN: '`mintage chains` lists them.',
  UNREACHABLE: 'Check the address: --url, MINTAGE_URL, or that of the profile (`mintage profile list`).',
  BYTES_DIFFER:
    'Nothing was signed. If the deployment itself moved, `mintage profile trust` shows its new addresses; otherwise do not use it.',
};

/** What is printed of an error, and with which code the process ends. */
export interface Told {
  exit: Exit;
  code: string | null;
  message: string;
  next: string | null;
  requestId: string | null;
  details: unknown;
}

export const told = (error: unknown): Told => {
  if (error instanceof MintageError) {
    const { code, kind, requestId = null, details } = error;
    const next = nextHere[code] ?? kind.next;
    // The service ends its sentence with the catalogue's words, which are said below, or here in others.
    const message = error.message.replace(kind.next, '').trim() || error.message;
    return { exit: exitOf(error), code, message, next, requestId, details };
  }
  if (error instanceof Failure && error.cause instanceof MintageError) {
    const { exit, message, next } = error;
    return { ...told(error.cause), exit, message, next };
  }
  // Of a value that a command reads itself; of the others commander has told.
  if (error instanceof InvalidArgumentError)
    return { exit: 'usage', code: null, message: error.message, next: null, requestId: null, details: undefined };
  const outside = saidOutside(error);
  if (outside !== null) return { ...outside, code: null, requestId: null, details: undefined };
  const message = error instanceof Error ? error.message : String(error);
  const [exit, next] = error instanceof Failure ? [error.exit, error.next] : (['unexpected', unexpectedNext] as const);
  return { exit, code: null, message, next, requestId: null, details: undefined };
};

/** Of words that commander does not take. Help in the place of a command that is missing has no sentence of its own. */
export const misread = ({ code, message }: CommanderError): Told => {
  const [first = '', ...more] = message.replace(/^error: /, '').split('\n');
  const said = code === 'commander.help' ? 'A command is missing.' : first;
  const next = more.join(' ') || 'Flags stand behind the whole command; --help there lists them.';
  return { exit: 'usage', code: null, message: said, next, requestId: null, details: undefined };
};

/** What the system says of a file, or viem of a provider, whose own text has its address: that may hold a key. Null for what else. */
const saidOutside = (error: unknown): Pick<Told, 'exit' | 'message' | 'next'> | null => {
  if (!(error instanceof Error) || error instanceof Failure) return null;
  if ('syscall' in error) return { exit: 'usage', message: error.message, next: null };
  if (!('shortMessage' in error)) return null;
  const details = 'details' in error && error.details ? ` (${error.details})` : '';
  return { exit: 'later', message: `The chain’s provider: ${error.shortMessage}${details}`, next: providerNext };
};

const providerNext = 'Name another by --rpc, or keep one: mintage profile rpc <chain> <url>.';

const unexpectedNext = 'If the address is that of a Mintage service, report this with the lines below.';

const exitOf = ({ code, kind, details }: MintageError): Exit => {
  const hash = (details as { hash?: unknown } | undefined)?.hash;
  if (sentCodes.includes(code) || typeof hash === 'string') return 'sent';
  if (usageCodes.includes(code)) return 'usage';
  if (kind.status === 401 || kind.status === 403) return 'credential';
  if (kind.status === 404 || code === 'TOKEN_NOT_FOUND') return 'absent';
  if (kind.retryable && kind.status !== 400) return 'later';
  return laterCodes.includes(code) ? 'later' : 'refused';
};
