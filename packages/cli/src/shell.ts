import {
  apiKey,
  type Client,
  createClient,
  createReader,
  type Network,
  type Reader,
  readTrusted,
  session,
  type Trusted,
} from '@mintage/sdk';
import { Failure } from './failure.ts';
import { createOutput, type Output } from './output/output.ts';
import { type Profile, profileNamed, readProfiles, saveProfile } from './profile/profiles.ts';
import { requireStore, type Secrets, secretStore } from './profile/secrets.ts';

/** Options that every command takes. */
export interface GlobalOptions {
  profile?: string;
  url?: string;
  json?: boolean;
}

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
  secrets(): Promise<Secrets>;
  /** Keeps what changed. */
  keep(changed: Partial<Profile>, secrets?: Secrets): Promise<void>;
  client(): Promise<Client>;
  /** Contracts' addresses of the profile; of a chain that it does not know yet, as the service says now, and from then on. */
  trusted(): Promise<Trusted>;
}

const usualUrl = 'http://127.0.0.1:8080';

export const openShell = ({ profile: asked, url, json = false }: GlobalOptions): Shell => {
  const kept = readProfiles();
  const named = asked ?? (process.env.MINTAGE_PROFILE || undefined);
  const profileName = named ?? kept.current;
  const profile = named === undefined ? (kept.profiles[profileName] ?? null) : profileNamed(kept, profileName);
  const baseUrl = url ?? (process.env.MINTAGE_URL || profile?.baseUrl || usualUrl);
  const isOwn = profile?.baseUrl === baseUrl;
  let current = profile;
  let opened: Promise<Secrets> | null = null;
  let made: Promise<Client> | null = null;

  const open = async (): Promise<Secrets> => {
    const given: Secrets = {};
    if (process.env.MINTAGE_API_KEY) given.apiKey = process.env.MINTAGE_API_KEY;
    if (process.env.MINTAGE_PRIVATE_KEY) given.privateKey = privateKeyIn(process.env.MINTAGE_PRIVATE_KEY);
    // A profile's credential is for its own deployment only.
    const isNeeded = given.apiKey === undefined || given.privateKey === undefined;
    const stored =
      isNeeded && isOwn && profile?.secrets ? await (await secretStore(profile.secrets)).read(profileName) : {};
    return given.apiKey === undefined ? { ...stored, ...given } : { ...stored, session: undefined, ...given };
  };
  const secrets = (): Promise<Secrets> => {
    opened ??= open();
    return opened;
  };
  const keep = async (changed: Partial<Profile>, next?: Secrets): Promise<void> => {
    if (current === null)
      throw new Failure('usage', 'There is no profile to keep this in.', '`mintage init` makes one.');
    current = { ...current, ...changed };
    if (next !== undefined) {
      await (await secretStore(requireStore(current.secrets))).write(profileName, next);
      opened = Promise.resolve(next);
    }
    saveProfile(profileName, current);
  };
  const connect = async (): Promise<Client> => {
    const { apiKey: key, session: signedIn } =
      profile?.credential || process.env.MINTAGE_API_KEY ? await secrets() : {};
    const auth =
      key !== undefined
        ? apiKey(key)
        : signedIn &&
          session(signedIn, { onRefresh: async (next) => keep({}, { ...(await secrets()), session: next }) });
    const network = (isOwn && profile?.network) || (await networkOf(createReader({ baseUrl })));
    return createClient({ baseUrl, network, auth });
  };
  const shell: Shell = {
    output: createOutput(json),
    profileName,
    profile,
    baseUrl,
    secrets,
    keep,
    client() {
      made ??= connect();
      return made;
    },
    async trusted() {
      const known = isOwn ? (current?.trusted ?? {}) : {};
      const now = await readTrusted(await shell.client());
      const all = { ...now, ...known };
      if (isOwn && Object.keys(all).length > Object.keys(known).length) await keep({ trusted: all });
      return all;
    },
  };
  return shell;
};

/** A deployment serves test chains, or real ones. */
export const networkOf = async (reader: Pick<Reader, 'chains'>): Promise<Network> => {
  const { chains } = await reader.chains();
  return chains.every(({ testnet }) => testnet) ? 'Testnet' : 'Mainnet';
};

/** @throws Failure. The text may be a key with a letter missing, so it is not repeated. */
export const privateKeyIn = (text: string): `0x${string}` => {
  const digits = text.trim().replace(/^0x/i, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits))
    throw new Failure('usage', 'This is no private key: it has 64 hexadecimal digits.');
  return `0x${digits.toLowerCase()}`;
};
