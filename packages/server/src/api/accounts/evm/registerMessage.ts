import { type Address, invalid, MintageError } from '@mintage/protocol';
import { recoverSigner } from './recoverSigner.ts';
import { isWithinWindow, type SignedAt } from './walletSignature.ts';

/** What a wallet signed to register: three lines or an EIP-4361 text. */
export interface RegisterMessage {
  message: string;
  signature: string;
}

/**
 * Checks the text that goes with a registration (wire contract 4.5). Published samples write a line break as a
 * backslash and an n; both forms are accepted.
 *
 * @throws MintageError INVALID_REGISTER_MESSAGE, ACTION_EXPIRED.
 */
export const requireRegisterMessage = async (
  { message, signature }: RegisterMessage,
  wallet: Address,
  signedAt: SignedAt,
  nowMs: number,
): Promise<void> => {
  const lines = message.replaceAll('\\n', '\n');
  const timestamp = /timestamp: *(\d{13})(?!\d)/.exec(lines)?.[1];
  if (timestamp === undefined || Number(timestamp) !== signedAt.nonce) {
    throw wrong('Its timestamp is not the nonce');
  }
  if (!isWithinWindow({ ...signedAt, nonce: Number(timestamp) }, nowMs)) {
    throw new MintageError('ACTION_EXPIRED', 'The message is too old or too new');
  }
  const named = /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/.exec(lines)?.[0]?.toLowerCase();
  if (named !== undefined && named !== wallet) throw wrong('It names another wallet than the bearer');
  if (recoverSigner(message, signature) !== wallet) throw wrong('It is not signed by the bearer');
};

const wrong = (why: string): MintageError =>
  new MintageError(
    'INVALID_REGISTER_MESSAGE',
    `The register message is not valid: ${why[0]?.toLowerCase()}${why.slice(1)}`,
    {
      details: invalid('action.message', why).details,
    },
  );
