import { type Auth, apiKey, type Client, createClient, readTrusted, type Session, type Trusted } from '@mintage/sdk';
import { Failure } from './failure.ts';
import { createOutput, type Output } from './output/output.ts';
import { own } from './own.ts';
import { changeProfile, type Profile, profileNamed, readProfiles } from './profile/profiles.ts';
import { requireStore, type Secrets, secretStore } from './profile/secrets.ts';
import { signedIn } from './signedIn.ts';

/** Options that every command takes. */
export interface GlobalOptions {
  profile?: string;
  url?: string;
  json?: boolean;
}

type Changed = Partial<Profile> | ((now: Profile) => Partial<Profile>);

/**
 * What a command works with. Variables win over the profile, and options over both, so that a script needs no profile:
 * `MINTAGE_URL`, `MINTAGE_API_KEY`, `MINTAGE_PRIVATE_KEY`, `MINTAGE_CHAIN`, `MINTAGE_PROFILE`, `MINTAGE_PASSWORD`.
 */
export interface Shell {
  output: Output;
  profileName: string;
  /** Null: there is none, and variables say everything. */
  profile: Profile | null;
  baseUrl: string;
  /** What the profile keeps; opened once, when it is needed: it may take a password. */
  stored(): Promise<Secrets>;
  /** Of the wallet of one's own; null: there is none. */
  privateKey(): Promise<`0x${string}` | null>;
  /**
   * The profile, to be changed.
   *
   * @throws Failure where there is none, or another service than its own is meant: its secrets are closed then, and what would be
   *   kept in their place is another's.
   */
  requireProfile(): Profile;
  /**
   * Keeps what changed.
   *
   * @param changed - What changes, of the profile as another command may have left it meanwhile.
   * @throws Failure as `requireProfile`.
   */
  keep(changed: Changed, secrets?: Secrets): Promise<void>;
  client(): Promise<Client>;
  /** Calls as nobody: for what anybody may read, no secret is opened. */
  anonymous(): Client;
  /** Contracts' addresses of the profile; of a chain that it does not know yet, as the service says now, and from then on. */
  trusted(): Promise<Trusted>;
}

const usualUrl = 'http://127.0.0.1:8080';

export const openShell = ({ profile: asked, url, json = false }: GlobalOptions): Shell => {
  const kept = readProfiles();
  const named = asked ?? (process.env.MINTAGE_PROFILE || undefined);
  const profileName = named ?? kept.current;
  const profile = named === undefined ? (own(kept.profiles, profileName) ?? null) : profileNamed(kept, profileName);
  const baseUrl = url ?? (process.env.MINTAGE_URL || profile?.baseUrl || usualUrl);
  const isOwn = profile?.baseUrl === baseUrl;
  let current = profile;
  let opened: Promise<Secrets> | null = null;
  let made: Promise<Client> | null = null;

  const stored = (): Promise<Secrets> => {
    // A profile's secrets are for its own deployment only.
    const kind = isOwn ? profile?.secrets : null;
    opened ??= kind ? secretStore(kind).then((store) => store.read(profileName)) : Promise.resolve({});
    return opened;
  };
  const requireProfile = (): Profile => {
    if (current === null) throw new Failure('usage', 'There is no profile.', '`mintage init` makes one.');
    if (isOwn) return current;
    throw new Failure(
      'usage',
      `The profile ${profileName} is of ${current.baseUrl}, not of ${baseUrl}.`,
      'Leave out --url and MINTAGE_URL, or make a profile of that service: mintage init --profile <name>.',
    );
  };
  const keep = async (changed: Changed, next?: Secrets): Promise<void> => {
    const of = typeof changed === 'function' ? changed : () => changed;
    const { secrets } = { ...requireProfile(), ...of(requireProfile()) };
    if (next !== undefined) {
      await (await secretStore(requireStore(secrets))).write(profileName, next);
      opened = Promise.resolve(next);
    }
    current = changeProfile(profileName, of);
  };
  /** Nothing, where another command has signed in otherwise or changed the wallet meanwhile: that stays. */
  const keepSession = async (before: Session, next: Session): Promise<void> => {
    const store = await secretStore(requireStore(requireProfile().secrets));
    const now = await store.read(profileName);
    if (now.session?.accessToken !== before.accessToken) return;
    const changed = { ...now, session: next };
    await store.write(profileName, changed);
    opened = Promise.resolve(changed);
  };
  const credential = async (): Promise<Auth | undefined> => {
    if (process.env.MINTAGE_API_KEY) return apiKey(process.env.MINTAGE_API_KEY);
    if (!profile?.credential) return undefined;
    const { apiKey: key, session, privateKey } = await stored();
    if (key !== undefined) return apiKey(key);
    let last = session;
    const keepNext = async (next: Session): Promise<void> => {
      if (last !== undefined) await keepSession(last, next);
      last = next;
    };
    return session && signedIn({ baseUrl, session, privateKey, keep: keepNext });
  };
  const shell: Shell = {
    output: createOutput(json),
    profileName,
    profile,
    baseUrl,
    stored,
    async privateKey() {
      if (process.env.MINTAGE_PRIVATE_KEY) return privateKeyIn(process.env.MINTAGE_PRIVATE_KEY);
      return (profile?.wallet && (await stored()).privateKey) || null;
    },
    requireProfile,
    keep,
    client() {
      made ??= credential().then((auth) => createClient({ baseUrl, auth }));
      return made;
    },
    anonymous: () => createClient({ baseUrl }),
    async trusted() {
      const known = isOwn ? (current?.trusted ?? {}) : {};
      const now = await readTrusted(shell.anonymous());
      const all = { ...now, ...known };
      if (!isOwn || Object.keys(all).length === Object.keys(known).length) return all;
      await keep(({ trusted }) => ({ trusted: { ...now, ...trusted } }));
      return current?.trusted ?? all;
    },
  };
  return shell;
};

/** @throws Failure. The text may be a key with a letter missing, so it is not repeated. */
export const privateKeyIn = (text: string): `0x${string}` => {
  const digits = text.trim().replace(/^0x/i, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits))
    throw new Failure('usage', 'This is no private key: it has 64 hexadecimal digits.');
  return `0x${digits.toLowerCase()}`;
};
