import type { Address } from '@mintage/protocol';
import { sql, type Transaction } from 'kysely';
import type { Database } from './chainTables.ts';

/**
 * Counts a wallet's past and future earnings for an account, which is a user's first wallet. Repeating it changes
 * nothing.
 *
 * @throws When the wallet counts for another account already.
 */
export const linkWallets = async (tx: Transaction<Database>, account: Address, wallet: Address): Promise<void> => {
  // Waits for pages being written, and briefly holds up the next ones.
  await sql`lock table earner_wallet in exclusive mode`.execute(tx);
  const known = await tx.selectFrom('earner_wallet').selectAll().where('wallet', 'in', [account, wallet]).execute();
  const accountOf = (one: Address): Address => known.find((row) => row.wallet === one)?.account ?? one;
  const [to, from] = [accountOf(account), accountOf(wallet)];
  if (from === to) return;
  if (from !== wallet) throw new Error(`the earnings of ${wallet} count for ${from} already`);
  await tx.updateTable('earner_wallet').set({ account: to }).where('account', '=', wallet).execute();
  await tx.insertInto('earner_wallet').values({ wallet, account: to }).execute();
  await sql`with gone as (delete from earner where account = ${wallet} returning *)
    insert into earner select network, ${to}, earned_usd18, earned_7d_usd18 from gone
    on conflict (network, account) do update set earned_usd18 = earner.earned_usd18 + excluded.earned_usd18,
      earned_7d_usd18 = earner.earned_7d_usd18 + excluded.earned_7d_usd18`.execute(tx);
};
