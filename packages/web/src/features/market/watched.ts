import { store, stored } from '../../lib/storage.ts';
import { useStored } from '../../lib/useStored.ts';
import { mostWatched } from './view.ts';

/** Ids of starred tokens, as every page of this browser keeps them; the last one last. */
const name = 'watched';
const nothing: readonly string[] = [];

export const useWatched = (): readonly string[] => useStored<readonly string[]>(name) ?? nothing;

export const toggleWatched = (id: string): void => {
  const now = stored<readonly string[]>(name) ?? nothing;
  store(name, now.includes(id) ? now.filter((one) => one !== id) : [...now, id].slice(-mostWatched));
};

/** What a watched token was worth when it was last looked at. */
export interface Look {
  /** Milliseconds since 1970. */
  atMs: number;
  marketCap: number;
}

const looks = 'looks';

export const lastLooks = (): Readonly<Record<string, Look>> => stored<Record<string, Look>>(looks) ?? {};

/** Keeps the looks at what is watched; those at anything else are forgotten. */
export const keepLooks = (seen: Readonly<Record<string, Look>>): void => store(looks, seen);
