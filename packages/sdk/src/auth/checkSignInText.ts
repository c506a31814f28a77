import { MintageError } from '@mintage/protocol/errors';
import { signInText } from '@mintage/protocol/signing';
import { checksumAddress, type Hex } from 'viem';
import { parseSiweMessage } from 'viem/siwe';

interface WantedSignIn {
  address: Hex;
  nonce: string;
  /** EIP-155, as the next: any where it is absent. */
  chainId: number | undefined;
  domain: string | undefined;
  /** Whether the statement says what was asked for. */
  isStatement(line: string): boolean;
}

/**
 * Holds a text against the sign-in that was asked for. All of it is written again from what was read, so that nothing hides beside it.
 *
 * @throws MintageError BYTES_DIFFER.
 */
export const checkSignInText = (message: string, wanted: WantedSignIn): void => {
  const read = parseSiweMessage(message);
  const { domain = '', statement = '', uri = '', chainId = 0, expirationTime } = read;
  const again = signInText({
    account: 'Ethereum',
    domain,
    address: checksumAddress(wanted.address),
    statement,
    uri,
    chainId,
    nonce: wanted.nonce,
    issuedAt: timeText(read.issuedAt),
    expiresAt: timeText(expirationTime),
  });
  if (again !== message) throw refused('is no sign-in (EIP-4361) of this wallet with the nonce of the answer');
  if (!wanted.isStatement(statement)) throw refused(`says “${statement}”, which is not what was asked for`);
  if (wanted.domain !== undefined && domain !== wanted.domain) throw refused(`is for ${domain}, not ${wanted.domain}`);
  if (hostOf(uri) !== domain) throw refused(`is for ${domain}, but names the page ${uri}`);
  if (wanted.chainId !== undefined && chainId !== wanted.chainId)
    throw refused(`names the chain ${chainId}, not ${wanted.chainId}`);
  if (Number(expirationTime) <= Date.now()) throw refused(`expired at ${timeText(expirationTime)} by this clock`);
};

/** ISO 8601; empty for what is no time. */
const timeText = (time: Date | undefined): string => (Number.isFinite(Number(time)) && time?.toISOString()) || '';

/** Of a web page; null for any other address. */
const hostOf = (uri: string): string | null => {
  const url = URL.canParse(uri) ? new URL(uri) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.host : null;
};

const refused = (why: string): MintageError =>
  new MintageError('BYTES_DIFFER', `The text that the service wants signed ${why}, so it was not signed.`);
