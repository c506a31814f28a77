import { apiKey, createReader, MintageError, readTrusted, signIn } from '@mintage/sdk';
import type { Command } from 'commander';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { Failure } from '../failure.ts';
import { ask } from '../output/ask.ts';
import { createOutput } from '../output/output.ts';
import { facts } from '../output/table.ts';
import { own } from '../own.ts';
import {
  changeProfile,
  deleteProfile,
  makeProfile,
  type Profile,
  readProfiles,
  requireName,
  requireNew,
} from '../profile/profiles.ts';
import { hasKeychain, type Secrets, secretStore } from '../profile/secrets.ts';
import { type GlobalOptions, privateKeyIn } from '../shell.ts';

interface InitFlags extends GlobalOptions {
  chain?: string;
  newWallet?: boolean;
  importWallet?: boolean;
  apiKey?: boolean;
  anonymous?: boolean;
  force?: boolean;
}

type Who = 'newWallet' | 'importWallet' | 'apiKey' | 'anonymous';

/** Makes a profile: where the service is, on which chain, and who one is. Signs in at once. */
export const init = (command: Command): void => {
  command
    .option('--chain <slug>', 'the chain that is meant when none is named; absent: the first of the service')
    .option('--new-wallet', 'make a wallet of your own')
    .option('--import-wallet', 'take a private key, of the pipe or asked for')
    .option('--api-key', 'take an API key, of the pipe or asked for: your embedded wallet signs')
    .option('--anonymous', 'only read')
    .option('--force', 'in the place of the profile that has this name; its secrets are lost');
  command.action(async () => {
    const flags = command.opts<InitFlags>();
    const output = createOutput(flags.json ?? false);
    const name = requireName(flags.profile ?? (process.env.MINTAGE_PROFILE || 'default'));
    const { profiles } = readProfiles();
    const before = own(profiles, name);
    if (!flags.force) requireNew(profiles, name);
    const baseUrl = flags.url ?? (process.env.MINTAGE_URL || (await askUrl()));
    const reader = createReader({ baseUrl });
    const { chains } = await reader.chains();
    if (!Array.isArray(chains)) throw new MintageError('UNEXPECTED_ANSWER', `${baseUrl} is no service of Mintage.`);
    const slugs = chains.map(({ slug }) => slug as string);
    const chain = flags.chain ?? slugs[0] ?? null;
    if (chain !== null && !slugs.includes(chain)) {
      throw new Failure('usage', `${baseUrl} does not serve ${chain}.`, `It serves ${slugs.join(', ')}.`);
    }
    const who = chosen(flags) ?? (await askWho());
    const kind = who === 'anonymous' ? null : (await hasKeychain()) ? 'keychain' : 'file';
    const store = kind === null ? null : await secretStore(kind);
    if (!flags.force && (await store?.has(name))) {
      throw new Failure(
        'usage',
        `Secrets of an earlier profile ${name} are kept, perhaps with the key of a wallet.`,
        'Name another by --profile; --force loses them.',
      );
    }
    const secrets = await secretsOf(who);
    const account = secrets.privateKey === undefined ? null : privateKeyToAccount(secrets.privateKey);
    if (account !== null) secrets.session = await output.during('Signing in', signIn(reader, account));
    if (secrets.apiKey !== undefined) await createReader({ baseUrl, auth: apiKey(secrets.apiKey) }).me({});
    const profile: Profile = {
      baseUrl,
      chain,
      wallet: account?.address ?? null,
      credential: secrets.apiKey !== undefined ? 'apiKey' : account === null ? null : 'session',
      secrets: kind,
      trusted: await readTrusted(reader),
      rpcUrls: {},
    };
    // The name is taken first: of two at once, the later one would else write over the key of the earlier one's wallet.
    makeProfile(name, profile, flags.force ?? false);
    await store?.write(name, secrets).catch((error: unknown) => {
      if (before === undefined) deleteProfile(name);
      else changeProfile(name, () => before);
      throw error;
    });
    if (before?.secrets && before.secrets !== kind) await (await secretStore(before.secrets)).remove(name);
    if (output.isJson) return output.json({ name, ...profile });
    output.print(
      facts([
        ['Profile', name],
        ['Service', baseUrl],
        ['Chain', chain],
        ['Wallet', account?.address ?? (who === 'apiKey' ? 'embedded' : 'none')],
        ['Secrets', kind === 'file' ? 'a file under your password' : (kind ?? 'none')],
        [
          'Next',
          `mintage ${who === 'anonymous' ? 'tokens' : 'me'}${readProfiles().current === name ? '' : ` --profile ${name}`}`,
        ],
      ]),
    );
  });
};

const usualUrl = 'http://127.0.0.1:8080';
const askUrl = () => ask.text('Where is the service?', 'Add --url <address>.', usualUrl);

const choices = ['newWallet', 'importWallet', 'apiKey', 'anonymous'] as const;

const chosen = (flags: InitFlags): Who | undefined => {
  const given = choices.filter((one) => flags[one]);
  if (given.length > 1)
    throw new Failure('usage', 'Choose one of --new-wallet, --import-wallet, --api-key and --anonymous.');
  if (given[0] !== undefined) return given[0];
  if (process.env.MINTAGE_PRIVATE_KEY) return 'importWallet';
  return process.env.MINTAGE_API_KEY ? 'apiKey' : undefined;
};

const askWho = () =>
  ask.select<Who>('Who signs?', 'Add --new-wallet, --import-wallet, --api-key or --anonymous.', [
    { value: 'newWallet', label: 'A new wallet of your own', hint: 'its key stays on this machine' },
    { value: 'importWallet', label: 'A wallet that you have', hint: 'by its private key' },
    { value: 'apiKey', label: 'An embedded wallet', hint: 'by an API key' },
    { value: 'anonymous', label: 'Nobody', hint: 'only read' },
  ]);

const secretsOf = async (who: Who): Promise<Secrets> => {
  if (who === 'newWallet') return { privateKey: generatePrivateKey() };
  if (who === 'importWallet') {
    return { privateKey: privateKeyIn(process.env.MINTAGE_PRIVATE_KEY || (await ask.secret('Private key'))) };
  }
  return who === 'apiKey' ? { apiKey: process.env.MINTAGE_API_KEY || (await ask.secret('API key')) } : {};
};
