import { z } from 'zod';
import { UserCard } from './people.ts';
import { Post } from './posts.ts';
import { IsoTime, Uuid } from './scalars.ts';
import { writtenText } from './writtenText.ts';

/** What operators see and do. Source: docs/decisions/0081-moderation.md. */

export type ReportedPost = z.output<typeof ReportedPost>;
export type ModerationAction = z.output<typeof ModerationAction>;

export const reportReasons = ['spam', 'scam', 'abuse', 'illegal', 'other'] as const;
export type ReportReason = (typeof reportReasons)[number];

/** Why an operator does something: it is written down with it. */
export const ModerationReason = writtenText('reason', 500);

const Report = z
  .strictObject({
    user: UserCard.nullable().meta({ description: 'Who reported it.' }),
    reason: z.enum(reportReasons).meta({ description: 'What they say is wrong with it.' }),
    note: z.string().nullable().meta({ description: 'In their words: text of a stranger.' }),
    created_at: IsoTime.meta({ description: 'When they first reported it.' }),
  })
  .meta({ id: 'PostReport' });

const count = z.int().nonnegative();

export const ReportedPost = z
  .strictObject({
    post: Post.meta({ description: 'With `hidden` where it is, whoever wrote it.' }),
    reports_count: count.meta({ description: 'Reports that nobody has seen to.' }),
    reasons: z.partialRecord(z.enum(reportReasons), count).meta({ description: 'How many of them give each reason.' }),
    reports: z.array(Report).meta({ description: 'The oldest 20 of them.' }),
  })
  .meta({ id: 'ReportedPost' });

export const ModerationAction = z.enum([
  'hide_post',
  'unhide_post',
  'suspend_user',
  'unsuspend_user',
  'freeze_account',
  'unfreeze_account',
  'resolve_reports',
  'take_down_token',
  'restore_token',
  'delete_post',
  'hub_role',
  'hub_ban',
  'hub_unban',
]);

export const ModerationEntry = z
  .strictObject({
    id: z.int().positive().meta({ description: 'Number of the entry; a later one is higher.' }),
    at: IsoTime.meta({ description: 'When it was done.' }),
    user: UserCard.nullable().meta({ description: 'Who did it; null: an operator at the command line.' }),
    action: ModerationAction.meta({ description: 'What was done; `delete_post` and `hub_…` by moderators of hubs.' }),
    target: z.string().meta({ description: 'Id of the post, user or token that it was done to.' }),
    reason: z.string().nullable().meta({ description: 'Why; null: none was given.' }),
  })
  .meta({ id: 'ModerationEntry' });

export const PostId = Uuid.meta({ description: 'Id of the post or comment.' });
