import type { Caller } from '../context.ts';

export interface Auth {
  /** The caller that an Authorization header proves, null when it proves none. */
  verify(authorization: string): Promise<Caller | null>;
}
