import { type Address, invalid, MintageError, platformPascal } from '@mintage/protocol';
import { recoverSigner } from './recoverSigner.ts';
import { isWithinWindow, type SignedAt } from './walletSignature.ts';

/** What a wallet signed to register: three lines or an EIP-4361 text. */
export interface RegisterMessage {
  message: string;
  signature: string;
}

/**
 * Checks the text that goes with a registration (wire contract 4.5).
 *
 * @throws MintageError INVALID_REGISTER_MESSAGE, ACTION_EXPIRED.
 */
export const requireRegisterMessage = async (
  { message, signature }: RegisterMessage,
  wallet: Address,
  signedAt: SignedAt,
  platformName: string,
  nowMs: number,
): Promise<void> => {
  const read = readRegisterMessage(message, platformName);
  if (read === null) throw wrong(`It must be "${platformPascal(platformName)} register" in one of its two forms`);
  if (read.timestamp !== signedAt.nonce) throw wrong('Its timestamp is not the nonce');
  if (!isWithinWindow({ ...signedAt, nonce: read.timestamp }, nowMs)) {
    throw new MintageError('ACTION_EXPIRED', 'The message is too old or too new');
  }
  if (read.address !== wallet) throw wrong('It names another wallet than the bearer');
  if (recoverSigner(message, signature) !== wallet) throw wrong('It is not signed by the bearer');
};

/**
 * The address, lower case, and the time, Unix milliseconds, of a register text; null for any other text. Addresses may be in any
 * case, also in an EIP-4361 text, and published samples write a line break as a backslash and an n.
 */
export const readRegisterMessage = (
  message: string,
  platformName: string,
): { address: string; timestamp: number } | null => {
  const lines = message
    .replaceAll('\\n', '\n')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trim());
  const isRegister = (text = ''): boolean =>
    [platformName, platformPascal(platformName)].some((name) => text === `${name} register`);
  const [first = '', second = '', third = '', fourth = ''] = lines;
  const isShort = isRegister(first) && lines.length === 3;
  const isLong = /^\S+ wants you to sign in with your Ethereum account:$/.test(first) && third === '';
  const [, about, digits] = /^(.*?) *\btimestamp: *(\d{13})$/.exec(isShort ? third : fourth) ?? [];
  const address = (isShort ? /^address: *(0x[0-9a-f]{40})$/i : /^(0x[0-9a-f]{40})$/i).exec(second)?.[1];
  if (digits === undefined || address === undefined) return null;
  if (!(isShort && about === '') && !(isLong && isRegister(about))) return null;
  return { address: address.toLowerCase(), timestamp: Number(digits) };
};

const wrong = (why: string): MintageError =>
  new MintageError(
    'INVALID_REGISTER_MESSAGE',
    `The register message is not valid: ${why[0]?.toLowerCase()}${why.slice(1)}`,
    {
      details: invalid('action.message', why).details,
    },
  );
