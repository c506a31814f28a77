import { definitions } from '@mintage/protocol/operations';
import type { Address } from '../../chain/servedChain.ts';
import { randomBase62 } from '../accounts/base62.ts';
import { signInMessage } from '../accounts/signInMessage.ts';
import { handler } from './handler.ts';

const challengeMs = 5 * 60_000;

export const authChallenge = handler(definitions.authChallenge, async ({ config, db, chains, now }, input) => {
  const address = input.address.toLowerCase() as Address;
  const [firstChain] = chains.values();
  const issuedAt = new Date(now());
  const expiresAt = new Date(now() + challengeMs);
  const nonce = randomBase62(24);
  const message = signInMessage({
    platformName: config.platformName,
    appUrl: config.appUrl,
    address,
    chainId: input.chainId ?? firstChain?.chain.chainId ?? 1,
    nonce,
    issuedAt,
    expiresAt,
  });
  await db.deleteFrom('auth_challenge').where('expires_at', '<', issuedAt).execute();
  await db.insertInto('auth_challenge').values({ nonce, address, message, expires_at: expiresAt }).execute();
  return { message, nonce, expiresAt: expiresAt.toISOString() };
});
