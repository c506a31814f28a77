/** What a sign-in's text says. */
export interface SignInText {
  /** What wallets of the family call their accounts. */
  account: 'Ethereum' | 'Solana';
  /** Host, with its port where there is one, of who asks. */
  domain: string;
  /** As people read it: hex with the checksum, or base58. */
  address: string;
  /** One line: what the user agrees to. */
  statement: string;
  /** Address of the page that asks. */
  uri: string;
  /** EIP-155; of Solana the name of the cluster. */
  chainId: number | string;
  nonce: string;
  /** ISO 8601 with milliseconds, as the next. */
  issuedAt: string;
  expiresAt: string;
}

/** The text that a wallet signs to sign in, as EIP-4361 lays it out, and Sign in with Solana likewise. Client and service write it by this. */
export const signInText = ({
  account,
  domain,
  address,
  statement,
  uri,
  chainId,
  nonce,
  issuedAt,
  expiresAt,
}: SignInText): string =>
  `${domain} wants you to sign in with your ${account} account:
${address}

${statement}

URI: ${uri}
Version: 1
Chain ID: ${chainId}
Nonce: ${nonce}
Issued At: ${issuedAt}
Expiration Time: ${expiresAt}`;
