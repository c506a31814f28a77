import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '@mintage/sdk';
import { Failure } from '../failure.ts';
import { ask } from '../output/ask.ts';
import { folder, readIfThere, writePrivate } from './folder.ts';
import { seal, unseal } from './sealed.ts';

/** What a profile keeps that nobody else may see. */
export interface Secrets {
  apiKey?: string;
  session?: Session;
  privateKey?: `0x${string}`;
}

/** Where the secrets of profiles are. */
export interface SecretStore {
  /** Whether something is kept under this name, also of a profile that is gone. */
  has(profile: string): Promise<boolean>;
  read(profile: string): Promise<Secrets>;
  write(profile: string, secrets: Secrets): Promise<void>;
  remove(profile: string): Promise<void>;
}

/** Of the operating system: Keychain, Credential Manager, or the Secret Service of a desktop. */
const keychain = async (): Promise<SecretStore> => {
  const { AsyncEntry } = await import('@napi-rs/keyring').catch(closed);
  const entry = (profile: string) => {
    try {
      return new AsyncEntry('mintage', `${folder()} ${profile}`, lasting);
    } catch (error) {
      return closed(error as Error);
    }
  };
  const textOf = (profile: string) => entry(profile).getPassword().catch(closed);
  return {
    has: async (profile) => (await textOf(profile)) !== null,
    async read(profile) {
      const text = await textOf(profile);
      return text === null ? {} : (JSON.parse(text) as Secrets);
    },
    async write(profile, secrets) {
      await entry(profile).setPassword(JSON.stringify(secrets)).catch(closed);
    },
    async remove(profile) {
      await entry(profile).deletePassword().catch(closed);
    },
  };
};

/** Without it a Linux that runs no Secret Service gets the kernel's memory, which a restart empties: the key would be lost. */
const lasting = { linux: { store: 'secret-service' } } as const;

const closed = (error: Error): never => {
  throw new Failure('credential', `The system’s keychain does not open: ${error.message}`, 'Unlock it, and try again.');
};

const pathOf = (profile: string): string => join(folder(), 'secrets', `${profile}.json`);

/** A file for each profile, for its owner alone, under a password that is asked for once. None opens in the place of another. */
const sealedFile = (): SecretStore => {
  let password: string | null = null;
  return {
    has: async (profile) => existsSync(pathOf(profile)),
    async read(profile) {
      const text = readIfThere(pathOf(profile));
      if (text === null) return {};
      password ??= await ask.password('Password of the secrets');
      return JSON.parse(await unseal(text, password, profile)) as Secrets;
    },
    async write(profile, secrets) {
      password ??= await ask.newPassword('A password for the file that your secrets are kept in');
      writePrivate(pathOf(profile), await seal(JSON.stringify(secrets), password, profile));
    },
    async remove(profile) {
      rmSync(pathOf(profile), { force: true });
    },
  };
};

const stores = new Map<string, Promise<SecretStore>>();

/** One of each kind, so that a password is asked for once. */
export const secretStore = (kind: 'keychain' | 'file'): Promise<SecretStore> => {
  const open = stores.get(kind) ?? (kind === 'file' ? Promise.resolve(sealedFile()) : keychain());
  stores.set(kind, open);
  return open;
};

/** Writes there, reads it again and takes it away: whether this machine's keychain works for this program. */
export const hasKeychain = async (): Promise<boolean> => {
  if (process.env.MINTAGE_PASSWORD) return false; // who gives a password wants the file
  const probe = `probe ${process.pid}`;
  try {
    const store = await secretStore('keychain');
    await store.write(probe, { apiKey: probe });
    const { apiKey } = await store.read(probe);
    await store.remove(probe);
    return apiKey === probe;
  } catch {
    return false; // none is installed, none is running, or it is locked: the file it is
  }
};

/** @throws Failure where they would have to be kept and cannot be. */
export const requireStore = (kind: 'keychain' | 'file' | null): 'keychain' | 'file' => {
  if (kind !== null) return kind;
  throw new Failure('credential', 'This profile keeps no secrets.', '`mintage login` gives it a credential.');
};
