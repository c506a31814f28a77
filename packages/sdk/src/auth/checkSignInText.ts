import { MintageError } from '@mintage/protocol/errors';
import { signInText } from '@mintage/protocol/signing';
import { checksumAddress, type Hex } from 'viem';
import { isSolanaSigner, type TextSigner } from './signer.ts';

interface WantedSignIn {
  signer: TextSigner;
  nonce: string;
  /** EIP-155, as the next: any where it is absent. */
  chainId: number | undefined;
  domain: string | undefined;
  /** Whether the statement says what was asked for. */
  isStatement(line: string): boolean;
}

/** What the wallets of a family call their accounts and chains. */
const forms = {
  evm: { account: 'Ethereum', chain: /^[1-9][0-9]*$/, form: 'sign-in (EIP-4361)' },
  solana: { account: 'Solana', chain: /^solana:[a-z]+$/, form: 'Sign-in with Solana' },
} as const;

/** The lines of `signInText`. */
const lines = new RegExp(
  [
    '^(?<domain>.*) wants you to sign in with your .* account:',
    '.*',
    '',
    '(?<statement>.*)',
    '',
    'URI: (?<uri>.*)',
    'Version: 1',
    'Chain ID: (?<chainId>.*)',
    'Nonce: .*',
    'Issued At: (?<issuedAt>.*)',
    'Expiration Time: (?<expiresAt>.*)$',
  ].join('\n'),
);

/**
 * Holds a text against the sign-in that was asked for. All of it is written again from what was read, so that nothing hides beside it.
 *
 * @throws MintageError BYTES_DIFFER.
 */
export const checkSignInText = (message: string, wanted: WantedSignIn): void => {
  const { signer } = wanted;
  const { account, chain, form } = forms[isSolanaSigner(signer) ? 'solana' : 'evm'];
  const read = lines.exec(message)?.groups ?? {};
  const { domain = '', statement = '', uri = '', chainId = '', issuedAt = '', expiresAt = '' } = read;
  const again = signInText({
    account,
    domain,
    address: isSolanaSigner(signer) ? signer.address : checksumAddress(signer.address as Hex),
    statement,
    uri,
    chainId,
    nonce: wanted.nonce,
    issuedAt: timeText(issuedAt),
    expiresAt: timeText(expiresAt),
  });
  if (again !== message || !chain.test(chainId))
    throw refused(`is no ${form} of this wallet with the nonce of the answer`);
  if (!wanted.isStatement(statement)) throw refused(`says “${statement}”, which is not what was asked for`);
  if (wanted.domain !== undefined && domain !== wanted.domain) throw refused(`is for ${domain}, not ${wanted.domain}`);
  if (hostOf(uri) !== domain) throw refused(`is for ${domain}, but names the page ${uri}`);
  if (wanted.chainId !== undefined && chainId !== String(wanted.chainId))
    throw refused(`names the chain ${chainId}, not ${wanted.chainId}`);
  if (Date.parse(expiresAt) <= Date.now()) throw refused(`expired at ${expiresAt} by this clock`);
};

/** ISO 8601 in its one form; empty for what is no time. */
const timeText = (text: string): string => {
  const time = new Date(text);
  return Number.isFinite(Number(time)) ? time.toISOString() : '';
};

/** Of a web page; null for any other address. */
const hostOf = (uri: string): string | null => {
  const url = URL.canParse(uri) ? new URL(uri) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.host : null;
};

const refused = (why: string): MintageError =>
  new MintageError('BYTES_DIFFER', `The text that the service wants signed ${why}, so it was not signed.`);
