import { formatUnits } from '@mintage/protocol';
import type { NotificationType } from '@mintage/protocol/operations';
import type { Selectable } from 'kysely';
import type { NotificationTable } from '../../db/serviceTables.ts';

type About = Pick<Selectable<NotificationTable>, 'amount_usd18' | 'detail'>;

/** What notifications say: words of ours alone, since whoever reads them may be an assistant. */
const sentences: Record<NotificationType, (about: About) => string> = {
  comment: () => 'Somebody commented on what you posted.',
  mention: () => 'Somebody mentioned you.',
  vote: () => 'There are new votes on your post.',
  follow: () => 'Somebody follows you.',
  hub_joined: () => 'Somebody joined the hub of your token.',
  hub_role: ({ detail }) =>
    detail === 'moderator' ? 'You are a moderator of a hub now.' : 'You are no moderator of a hub any more.',
  token_bought: ({ amount_usd18 }) => `Your token was bought for ${dollars(amount_usd18)}.`,
  token_graduated: ({ detail }) =>
    detail === 'created' ? 'The token that you created graduated.' : 'A token that you hold graduated.',
  fee_earned: ({ amount_usd18, detail }) => `Your wallets earned ${dollars(amount_usd18)} of fees on ${detail}.`,
  referral_joined: () => 'Somebody entered your referral code.',
  transaction_final: () => 'A transaction of your embedded wallet is final.',
  transaction_failed: () => 'A transaction of your embedded wallet failed.',
  transfer_received: () => 'You received a token.',
  moderation: ({ detail }) => decisions[detail ?? ''] ?? 'Something was decided about you.',
  security: ({ detail }) => accessChanges[detail ?? ''] ?? 'Who can sign in to your account changed.',
};

const undo = 'If that was not you, sign in and undo it at once.';
const accessChanges: Record<string, string> = {
  wallet_linked: `A wallet was linked to your account and can sign in to it. ${undo}`,
  wallet_unlinked: 'A wallet was unlinked from your account.',
  passkey_added: `A passkey was added to your account. ${undo}`,
  passkey_removed: 'A passkey was removed from your account.',
  key_created: `An API key that can spend was created for your account. ${undo}`,
  app_allowed: `An application was allowed to spend from your account. ${undo}`,
  frozen: 'An operator of this service froze your account. Ask them why.',
  unfrozen: 'Your account is no longer frozen.',
};

const decisions: Record<string, string> = {
  hidden: 'A post of yours was hidden by whoever runs this service.',
  deleted: 'A post of yours was deleted by a moderator of its hub.',
  suspended: 'Your account was suspended.',
  banned: 'You were banned from a hub.',
};

export const sentenceOf = (type: NotificationType, about: About): string => sentences[type](about);

/** Rounded down to cents. */
const dollars = (usd18: bigint | null): string => {
  const [whole = '0', part = ''] = formatUnits(usd18 ?? 0n, 18).split('.');
  return `$${whole}.${part.padEnd(2, '0').slice(0, 2)}`;
};
