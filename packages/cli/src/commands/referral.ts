import { group } from '../command/group.ts';
import { read } from '../command/read.ts';
import { plain } from '../output/plain.ts';
import { facts } from '../output/table.ts';

export const referral = group({
  create: [
    'Makes your referral code.',
    read({
      operation: 'createReferralCode',
      words: { code: 'code' },
      show: ({ referral_code, share_link }) =>
        facts([
          ['Code', referral_code],
          ['Link', share_link],
        ]),
    }),
  ],
  enter: [
    'Enters the code of who brought you.',
    read({ operation: 'enterReferralCode', words: { code: 'referral_code' }, show: ({ message }) => plain(message) }),
  ],
  show: [
    'Shows your code, the link to share, and who brought you.',
    read({
      operation: 'me',
      show: ({ data }) =>
        facts([
          ['Code', data.referral.code],
          ['Link', data.referral.shareLink],
          ['Referred by', data.referral.referredBy],
        ]),
    }),
  ],
});
