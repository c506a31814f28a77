import { definitions } from '@mintage/protocol/operations';
import { randomBase62 } from '../accounts/base62.ts';
import { evmAddress } from '../accounts/evm/evmAddress.ts';
import { firstChainId, signInMessage } from '../accounts/evm/signInMessage.ts';
import { handler } from './handler.ts';

const challengeMs = 5 * 60_000;

export const authChallenge = handler(definitions.authChallenge, async ({ config, db, chains, now }, input) => {
  const address = evmAddress(input.address, 'address');
  const issuedAt = new Date(now());
  const expiresAt = new Date(now() + challengeMs);
  const nonce = randomBase62(24);
  const message = signInMessage({
    platformName: config.platformName,
    appUrl: config.appUrl,
    address,
    chainId: input.chainId ?? firstChainId(chains),
    nonce,
    issuedAt,
    expiresAt,
  });
  await db.deleteFrom('auth_challenge').where('expires_at', '<', issuedAt).execute();
  await db.insertInto('auth_challenge').values({ nonce, address, message, expires_at: expiresAt }).execute();
  return { message, nonce, expiresAt: expiresAt.toISOString() };
});
