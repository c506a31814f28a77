import { createHash } from 'node:crypto';
import { randomBase62 } from '../accounts/base62.ts';

/** An invite to a hub: more than 128 random bits. */
export const newInvite = (): string => randomBase62(22);

/** What is kept of it: SHA-256, hex. */
export const inviteHash = (invite: string): string => createHash('sha256').update(invite).digest('hex');
