import { apiKey, createReader, session, signIn } from '@mintage/sdk';
import type { Command } from 'commander';
import { privateKeyToAccount } from 'viem/accounts';
import { Failure } from '../failure.ts';
import { ask } from '../output/ask.ts';
import { plain } from '../output/plain.ts';
import { hasKeychain, type Secrets } from '../profile/secrets.ts';
import { type GlobalOptions, openShell, type Shell } from '../shell.ts';

interface LoginFlags extends GlobalOptions {
  apiKey?: boolean;
  token?: boolean;
}

/** Gives the profile a credential: by its wallet's signature, an API key, or an access token of the deployment's own issuer. */
export const login = (command: Command): void => {
  command
    .option('--api-key', 'take an API key, of the pipe or asked for')
    .option('--token', 'take an access token of the deployment’s identity provider, of the pipe or asked for');
  command.action(async () => {
    const flags = command.opts<LoginFlags>();
    const shell = openShell(flags);
    const { baseUrl } = shell;
    const profile = shell.requireProfile();
    const before = await shell.stored();
    const credential = await credentialOf(flags, baseUrl, before);
    const auth =
      credential.apiKey === undefined ? session(credential.session ?? { accessToken: '' }) : apiKey(credential.apiKey);
    const { data } = await createReader({ baseUrl, auth }).me({});
    const secrets = { ...before, apiKey: undefined, session: undefined, ...credential };
    const kind = profile.secrets ?? ((await hasKeychain()) ? 'keychain' : 'file');
    await shell.keep({ secrets: kind, credential: credential.apiKey === undefined ? 'session' : 'apiKey' }, secrets);
    if (shell.output.isJson) shell.output.json({ userId: data.userId });
    else shell.output.print(plain(`Signed in as ${data.userId}.`));
  });
};

const credentialOf = async (flags: LoginFlags, baseUrl: string, { privateKey }: Secrets): Promise<Secrets> => {
  if (flags.apiKey) return { apiKey: await ask.secret('API key') };
  if (flags.token) return { session: { accessToken: await ask.secret('Access token') } };
  if (privateKey !== undefined)
    return { session: await signIn(createReader({ baseUrl }), privateKeyToAccount(privateKey)) };
  throw new Failure(
    'credential',
    'This profile has no wallet to sign in with.',
    'Add --api-key or --token, or import a wallet: mintage profile import.',
  );
};

/** Ends the session at the service, and forgets it here. */
export const logout = (command: Command): void => {
  command.action(async () => {
    const shell = openShell(command.opts<GlobalOptions>());
    shell.requireProfile();
    const { apiKey: key, session: signedIn, ...others } = await shell.stored();
    if (key === undefined && signedIn === undefined) throw new Failure('usage', 'Nobody is signed in.');
    await end(shell, signedIn?.refreshToken);
    await shell.keep({ credential: null }, others);
    if (shell.output.isJson) shell.output.json({ userId: null });
    else shell.output.print('Signed out.');
  });
};

const end = async ({ baseUrl }: Shell, refreshToken: string | undefined): Promise<void> => {
  if (refreshToken !== undefined) await createReader({ baseUrl }).authLogout({ refreshToken });
};
