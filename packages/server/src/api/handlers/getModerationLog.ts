import { definitions } from '@mintage/protocol/operations';
import { moderationLog } from '../people/moderationLog.ts';
import { handler } from './handler.ts';

export const getModerationLog = handler(definitions.getModerationLog, ({ db }, page) => moderationLog(db, page));
