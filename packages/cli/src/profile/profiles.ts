import { join } from 'node:path';
import type { Trusted } from '@mintage/sdk';
import { Failure } from '../failure.ts';
import { own } from '../own.ts';
import { alone } from './alone.ts';
import { folder, readIfThere, writePrivate } from './folder.ts';

/** A deployment, and who one is there. No secret is in it. */
export interface Profile {
  baseUrl: string;
  /** Slug of the chain that is meant when none is named. */
  chain: string | null;
  /** Own wallet, whose key is among the secrets; null: none, or only an embedded one. */
  wallet: string | null;
  credential: 'apiKey' | 'session' | null;
  /** Where its secrets are; null: it has none. */
  secrets: 'keychain' | 'file' | null;
  /** Addresses of the contracts as they were when the profile was made: what the service says later changes none of them. */
  trusted: Trusted;
  /** Providers by chain, where not the service's own is asked. */
  rpcUrls: Record<string, string>;
}

interface Kept {
  current: string;
  profiles: Record<string, Profile>;
}

const path = (): string => join(folder(), 'profiles.json');

export const readProfiles = (): Kept => {
  const text = readIfThere(path());
  if (text === null) return { current: 'default', profiles: {} };
  const kept = jsonIn(text);
  if (isKept(kept)) return kept;
  throw new Failure(
    'usage',
    `${path()} holds no profiles: it was changed.`,
    'Mend it, or move it away and run `mintage init`.',
  );
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null; // the caller says that it is damaged, and where it is
  }
};

/** Whether it has the parts that every command reads. */
const isKept = (value: unknown): value is Kept => {
  const { current, profiles } = (value ?? {}) as Partial<Kept>;
  if (typeof current !== 'string' || typeof profiles !== 'object' || profiles === null) return false;
  return Object.values(profiles).every(
    (one) => typeof one?.baseUrl === 'string' && typeof one.trusted === 'object' && typeof one.rpcUrls === 'object',
  );
};

/** Reads, changes and writes with no other command in between: what that one writes stays. */
const change = (changed: (kept: Kept) => Kept): void =>
  alone(path(), () => writePrivate(path(), `${JSON.stringify(changed(readProfiles()), null, 2)}\n`));

/** @throws Failure where there is one of that name, and it is not to be replaced. */
export const makeProfile = (name: string, profile: Profile, mayReplace: boolean): void =>
  change(({ current, profiles }) => {
    if (!mayReplace) requireNew(profiles, name);
    const isFirst = Object.keys(profiles).length === 0;
    return { current: isFirst ? name : current, profiles: { ...profiles, [requireName(name)]: profile } };
  });

/** @throws Failure. */
export const requireNew = (profiles: Kept['profiles'], name: string): void => {
  if (own(profiles, name) === undefined) return;
  throw new Failure('usage', `There is a profile ${name}.`, 'Name another by --profile, or replace it by --force.');
};

/**
 * @param changed - What changes, of the profile as it is now: another command may have changed it since it was read.
 * @returns The profile as it is kept.
 */
export const changeProfile = (name: string, changed: (now: Profile) => Partial<Profile>): Profile => {
  change((kept) => {
    const now = profileNamed(kept, name);
    return { ...kept, profiles: { ...kept.profiles, [name]: { ...now, ...changed(now) } } };
  });
  return profileNamed(readProfiles(), name);
};

export const useProfile = (name: string): void =>
  change((kept) => {
    profileNamed(kept, name);
    return { ...kept, current: name };
  });

export const deleteProfile = (name: string): void =>
  change((kept) => {
    profileNamed(kept, name);
    const { [name]: _deleted, ...profiles } = kept.profiles;
    const [first = 'default'] = Object.keys(profiles);
    return { current: kept.current === name ? first : kept.current, profiles };
  });

/** @throws Failure for a name that there is no profile of. */
export const profileNamed = ({ profiles }: Kept, name: string): Profile => {
  const profile = own(profiles, name);
  if (profile !== undefined) return profile;
  const names = Object.keys(profiles);
  const next = names.length === 0 ? '`mintage init` makes one.' : `There are: ${names.join(', ')}.`;
  throw new Failure('usage', `There is no profile ${name}.`, next);
};

/** A name is also the name of a file. */
export const requireName = (name: string): string => {
  if (/^[a-z0-9][a-z0-9-]{0,31}$/.test(name)) return name;
  throw new Failure('usage', `${name} is no name of a profile.`, 'Take small letters, digits and hyphens, at most 32.');
};
