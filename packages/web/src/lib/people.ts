import type { UserCard } from '@mintage/sdk';
import { short } from './format.ts';

/** What a list says of a user. */
export type Person = Pick<UserCard, 'id' | 'username' | 'profile_picture'> & Partial<UserCard>;

/** What somebody is called first; a name of one's own choice need not be unique. */
export const nameOf = ({ id, display_name, username, address }: Person): string =>
  display_name ?? (username === null ? short(address ?? id) : `@${username}`);

/** What tells them from others of the same name; null: `nameOf` is that already. */
export const handleOf = ({ id, display_name, username, address }: Person): string | null =>
  display_name == null ? null : username === null ? short(address ?? id) : `@${username}`;

/** Whether they chose a name. */
export const isNamed = ({ display_name, username }: Person): boolean => display_name != null || username !== null;

/** Their page. */
export const userPath = ({ id, username }: Pick<Person, 'id' | 'username'>): string => `/user/${username ?? id}`;
