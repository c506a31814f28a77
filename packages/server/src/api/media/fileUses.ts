import { sql } from 'kysely';

/**
 * Everything that refers to a stored file, in whatever way it names it: columns `cid`, and `token_id` of the token or hub that does;
 * null for people, and for posts that are in no hub.
 */
export const fileUses = sql`
  select substring(url, '[^/]*$') as cid, token_id from (
    select unnest(array[profile_picture, banner_url]) as url, null::uuid as token_id from profile
    union all select unnest(array[logo, banner, video, token_uri]), token_id from token_draft
    union all select banner_url, token_id from hub
  ) addresses
  union all select file ->> 'cid', token_id from post, jsonb_array_elements(media) file`;
