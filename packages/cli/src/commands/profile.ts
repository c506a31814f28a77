import { readTrusted, type Trusted } from '@mintage/sdk';
import type { Command } from 'commander';
import { privateKeyToAccount } from 'viem/accounts';
import { group } from '../command/group.ts';
import { Failure } from '../failure.ts';
import { ask } from '../output/ask.ts';
import { createOutput } from '../output/output.ts';
import { facts, table } from '../output/table.ts';
import { own } from '../own.ts';
import { deleteProfile, profileNamed, readProfiles, useProfile } from '../profile/profiles.ts';
import { hasKeychain, secretStore } from '../profile/secrets.ts';
import { type GlobalOptions, openShell, privateKeyIn } from '../shell.ts';

const list = (command: Command): void => {
  command.action(() => {
    const { output } = openShell(command.opts<GlobalOptions>());
    const { current, profiles } = readProfiles();
    if (output.isJson) return output.json({ current, profiles });
    output.print(
      table(Object.entries(profiles), [
        { head: '', of: ([name]) => (name === current ? '*' : '') },
        { head: 'profile', of: ([name]) => name },
        { head: 'service', of: ([, { baseUrl }]) => baseUrl },
        { head: 'chain', of: ([, { chain }]) => chain },
        { head: 'wallet', of: ([, { wallet }]) => wallet },
        { head: 'signed in by', of: ([, { credential }]) => credential },
        { head: 'secrets', of: ([, { secrets }]) => secrets },
      ]),
    );
  });
};

const use = (command: Command): void => {
  command.argument('<name>').action((name: string) => {
    const { output } = openShell(command.opts<GlobalOptions>());
    useProfile(name);
    if (output.isJson) output.json({ current: name });
  });
};

const remove = (command: Command): void => {
  command.argument('<name>').option('-y, --yes', 'do not ask');
  command.action(async (name: string) => {
    const flags = command.opts<GlobalOptions & { yes?: boolean }>();
    const { wallet, secrets } = profileNamed(readProfiles(), name);
    const lost = wallet === null ? '' : ` The key of ${wallet} is lost, unless you exported it.`;
    if (!flags.yes && !(await ask.confirm(`Delete the profile ${name}?${lost}`))) {
      throw new Failure('declined', 'Not confirmed. Nothing was deleted.');
    }
    if (secrets !== null) await (await secretStore(secrets)).remove(name);
    deleteProfile(name);
    if (flags.json) createOutput(true).json({ deleted: name });
  });
};

const importKey = (command: Command): void => {
  command.option('--force', 'in the place of the wallet that is there, whose key is lost');
  command.action(async () => {
    const flags = command.opts<GlobalOptions & { force?: boolean }>();
    const shell = openShell(flags);
    const profile = shell.requireProfile();
    const before = await shell.stored();
    if (profile.wallet !== null && !flags.force) {
      throw new Failure(
        'usage',
        `This profile has the wallet ${profile.wallet}.`,
        'Export it, then add --force; or make another profile.',
      );
    }
    const privateKey = privateKeyIn(await ask.secret('Private key'));
    const { address } = privateKeyToAccount(privateKey);
    const secrets = profile.secrets ?? ((await hasKeychain()) ? 'keychain' : 'file');
    // Who signed in by the wallet that was there is another user.
    const isOver = before.session?.refreshToken !== undefined;
    await shell.keep(
      { wallet: address, secrets, ...(isOver && { credential: null }) },
      { ...before, privateKey, ...(isOver && { session: undefined }) },
    );
    if (shell.output.isJson) return shell.output.json({ wallet: address });
    shell.output.print(
      facts([
        ['Wallet', address],
        ['Next', 'mintage login'],
      ]),
    );
  });
};

const exportKey = (command: Command): void => {
  command.option('-y, --yes', 'do not ask');
  command.action(async () => {
    const flags = command.opts<GlobalOptions & { yes?: boolean }>();
    const shell = openShell(flags);
    shell.requireProfile();
    const { privateKey } = await shell.stored();
    if (privateKey === undefined) throw new Failure('absent', 'This profile has no wallet of its own.');
    if (!flags.yes && !(await ask.confirm('Show the private key? Who sees it has all that the wallet holds.'))) {
      throw new Failure('declined', 'Not confirmed.');
    }
    if (shell.output.isJson) shell.output.json({ privateKey });
    else shell.output.print(privateKey);
  });
};

const rpc = (command: Command): void => {
  command.argument('<chain>', 'slug').argument('[url]', 'none: the service’s own again');
  command.action(async (chain: string, url: string | undefined) => {
    const shell = openShell(command.opts<GlobalOptions>());
    const { trusted } = shell.requireProfile();
    if (url !== undefined && own(trusted, chain) === undefined && own(await shell.trusted(), chain) === undefined)
      throw new Failure('usage', `The service does not serve ${chain}.`, '`mintage chains` lists them.');
    if (url !== undefined && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
      throw new Failure('usage', `${url} is no address of a provider, as https://example.com.`);
    await shell.keep(({ rpcUrls: { [chain]: _before, ...others } }) => ({
      rpcUrls: url === undefined ? others : { ...others, [chain]: url },
    }));
    if (shell.output.isJson) shell.output.json({ rpcUrls: shell.requireProfile().rpcUrls });
  });
};

/** Takes the addresses that the service says now: after a look at them, when a deployment moved. */
const trust = (command: Command): void => {
  command.option('-y, --yes', 'do not ask');
  command.action(async () => {
    const flags = command.opts<GlobalOptions & { yes?: boolean }>();
    const shell = openShell(flags);
    const { trusted: before } = shell.requireProfile();
    const now = await readTrusted(shell.anonymous());
    const changed = differences(before, now);
    const { isJson, json, print } = shell.output;
    if (isJson) json({ changed });
    if (changed.length === 0) return isJson ? undefined : print('Nothing changed.');
    const compared = table(changed, [
      { head: 'chain', of: ({ chain }) => chain },
      { head: 'what', of: ({ what }) => what },
      { head: 'before', of: ({ was }) => was },
      { head: 'now', of: ({ is }) => is },
    ]);
    if (!isJson) print(compared);
    if (!flags.yes && !(await ask.confirm('Trust these addresses from now on?')))
      throw new Failure('declined', 'Not confirmed.');
    await shell.keep(({ trusted }) => ({ trusted: { ...trusted, ...now } }));
  });
};

/** Everything that the service says otherwise than it is trusted. */
const differences = (before: Trusted, now: Trusted) =>
  Object.values(now).flatMap((chain) =>
    Object.entries(chain).flatMap(([what, is]) => {
      const was = Object.entries(before[chain.slug] ?? {}).find(([name]) => name === what)?.[1];
      return was === is ? [] : [{ chain: chain.slug, what, was, is }];
    }),
  );

export const profile = group({
  list: ['Lists the profiles.', list],
  use: ['Makes a profile the one that is meant.', use],
  import: ['Gives the profile a wallet, by its private key.', importKey],
  export: ['Shows the private key of the profile’s wallet.', exportKey],
  delete: ['Deletes a profile and its secrets.', remove],
  rpc: ['Sets the provider that own transactions on a chain are sent through.', rpc],
  trust: ['Shows which contracts’ addresses changed, and takes the new ones.', trust],
});
