import { invalid } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { removeWayIn } from '../accounts/removeWayIn.ts';
import { ownWallets } from '../accounts/users.ts';
import { walletAddress } from '../accounts/walletTexts/walletForms.ts';
import { handler } from './handler.ts';

export const unlinkWallet = handler(definitions.unlinkWallet, async (context, input, { caller }) => {
  const { userId } = caller;
  const address = walletAddress(context.chains, input.address, 'address');
  await removeWayIn(context, caller, {
    name: 'wallet',
    id: address,
    async actsFrom(tx) {
      const wallet = (await ownWallets(tx, userId)).find((one) => one.address === address);
      if (wallet === undefined) throw invalid('address', 'must be a wallet that is linked to your account');
      return wallet.acts_from;
    },
    async remove(tx) {
      await tx.deleteFrom('user_wallet').where('address', '=', address).execute();
      await tx
        .insertInto('unlinked_wallet')
        .values({ address, user_id: userId, unlinked_at: new Date(context.now()) })
        .execute();
    },
  });
  return { success: true };
});
