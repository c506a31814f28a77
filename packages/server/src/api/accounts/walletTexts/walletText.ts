import { type Address, chainTypeOfAddress, invalid, MintageError } from '@mintage/protocol';
import type { AnswerOf } from '@mintage/protocol/operations';
import { statements } from '@mintage/protocol/signing';
import type { Reading } from '../../tokens/reading.ts';
import { randomBase62 } from '../base62.ts';
import { type Accounts, sealed } from '../rowSeals.ts';
import { walletForms } from './walletForms.ts';

type Texts = Pick<Reading, 'config' | 'chains'> & Accounts & { now: () => number };

const textMs = 5 * 60_000;

export interface Asked {
  address: Address;
  /** EIP-155, of an EVM wallet; absent: the first chain of this service. */
  chainId?: number | undefined;
  /** The user to whom the text links the wallet; null: the wallet signs in. Each is good for its own purpose alone. */
  linksTo: string | null;
}

/** Keeps a text for a wallet to sign, which any process takes back. */
export const newWalletText = async (
  { config, db, seals, chains, now }: Texts,
  { address, chainId, linksTo }: Asked,
): Promise<AnswerOf<'authChallenge'>> => {
  const issuedAt = new Date(now());
  const expiresAt = new Date(now() + textMs);
  const nonce = randomBase62(24);
  const message = walletForms[chainTypeOfAddress(address)].text(chains, chainId, {
    appUrl: config.appUrl,
    statement:
      linksTo === null ? statements.signIn(config.platformName) : statements.link(config.platformName, linksTo),
    address,
    nonce,
    issuedAt,
    expiresAt,
  });
  await db.deleteFrom('auth_challenge').where('expires_at', '<', issuedAt).execute();
  const text = { nonce, address, message, expires_at: expiresAt, user_id: linksTo };
  await db
    .insertInto('auth_challenge')
    .values({ ...text, seal: seals.of(sealed.authChallenge(text)) })
    .execute();
  return { message, nonce, expiresAt: expiresAt.toISOString() };
};

/**
 * The wallet that signed a text of ours. The text is taken out: it works once, also when the signature is no good.
 *
 * @throws MintageError AUTHENTICATION_FAILED; INVALID_PARAMETERS of who is signed in: their own credential is good.
 */
export const takeWalletText = async (
  { db, seals, now }: Pick<Texts, 'db' | 'seals' | 'now'>,
  { message, signature }: { message: string; signature: string },
  linksTo: string | null,
): Promise<Address> => {
  const nonce = nonceOf(message);
  const taken =
    nonce === null
      ? undefined
      : await db
          .deleteFrom('auth_challenge')
          .where('nonce', '=', nonce)
          .where('user_id', 'is not distinct from', linksTo)
          .returningAll()
          .executeTakeFirst();
  const isOurs = taken !== undefined && seals.holds(sealed.authChallenge({ ...taken, user_id: linksTo }), taken.seal);
  if (!isOurs || taken.message !== message || taken.expires_at.getTime() <= now()) {
    throw refusal(linksTo, 'message', 'is not one of our texts, has expired, or was used before');
  }
  const { address } = taken;
  if (!walletForms[chainTypeOfAddress(address)].isBy(address, message, signature)) {
    throw refusal(linksTo, 'signature', 'is not by the wallet that asked for this text');
  }
  return address;
};

const refusal = (linksTo: string | null, field: string, what: string): MintageError =>
  linksTo === null ? new MintageError('AUTHENTICATION_FAILED', `The ${field} ${what}`) : invalid(field, what);

/** The nonce line of such a text, null when it has none. */
export const nonceOf = (message: string): string | null => /^Nonce: ([0-9A-Za-z]{8,64})$/m.exec(message)?.[1] ?? null;
