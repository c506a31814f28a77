import type { Config } from '../../config.ts';
import type { Db } from '../../db/serviceTables.ts';
import { oneOf } from '../reads/oneOf.ts';

/** By how many of each kind a user signs in and acts now: a new one may have to wait (`newAccess.ts`). */
export interface WaysIn {
  passkeys: number;
  /** Of the user's own: an embedded one signs nobody in. */
  wallets: number;
  /** At issuers whose tokens are taken now. */
  identities: number;
}

export const waysIn = async (
  db: Db,
  { jwtIssuers }: Pick<Config, 'jwtIssuers'>,
  userId: string,
  nowMs: number,
): Promise<WaysIn> => {
  const now = new Date(nowMs);
  const issuers = jwtIssuers.map(({ issuer }) => issuer);
  const row = await db
    .selectNoFrom((select) => [
      select
        .selectFrom('passkey')
        .select((of) => of.fn.countAll().as('count'))
        .where('user_id', '=', userId)
        .where((where) => where.or([where('acts_from', 'is', null), where('acts_from', '<=', now)]))
        .as('passkeys'),
      select
        .selectFrom('user_wallet')
        .leftJoin('embedded_wallet', (join) =>
          join
            .onRef('embedded_wallet.user_id', '=', 'user_wallet.user_id')
            .onRef('embedded_wallet.address', '=', 'user_wallet.address'),
        )
        .select((of) => of.fn.countAll().as('count'))
        .where('user_wallet.user_id', '=', userId)
        .where('embedded_wallet.user_id', 'is', null)
        .where((where) => where.or([where('acts_from', 'is', null), where('acts_from', '<=', now)]))
        .as('wallets'),
      select
        .selectFrom('user_identity')
        .select((of) => of.fn.countAll().as('count'))
        .where('user_id', '=', userId)
        .where(oneOf('issuer', issuers))
        .as('identities'),
    ])
    .executeTakeFirstOrThrow();
  return { passkeys: Number(row.passkeys), wallets: Number(row.wallets), identities: Number(row.identities) };
};
