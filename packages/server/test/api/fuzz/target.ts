import { until } from '@mintage/devnet/until';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { basePath } from '../../../src/api/wire/limits.ts';

/** The service that is attacked, as a stranger sees it who signed in and looked around. */
export interface Target {
  /** Without the base path. */
  url: string;
  platformSlug: string;
  network: 'Mainnet' | 'Testnet';
  /** What a header `Authorization` may say: nothing, good ones of every kind, bad ones. */
  credentials: readonly (string | undefined)[];
  apiKey: string;
  accessToken: string;
  /** Ids of what exists there, for requests that find something. */
  known: readonly unknown[];
  /** Texts that no answer may hold. */
  secrets: readonly string[];
  /** The embedded wallet of who attacks. */
  wallet: string;
  oauth: { clientId: string };
}

export const redirectUri = 'http://127.0.0.1:7777/callback';

/**
 * Signs in, makes a key and a client, and learns some ids.
 *
 * @param secrets - Further texts that no answer may hold.
 */
export const targetOf = async (url: string, secrets: readonly string[] = []): Promise<Target> => {
  const ask = async (path: string, body?: object, bearer?: string) => {
    const answer = await fetch(`${url}${basePath}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        'content-type': 'application/json',
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      },
    });
    // oxlint-disable-next-line typescript/no-explicit-any -- whatever the operation answers
    const said = (await answer.json()) as any;
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(said)}`);
    return said;
  };

  const account = privateKeyToAccount(generatePrivateKey());
  const { message } = await ask('/auth/challenge', { address: account.address });
  const signature = await account.signMessage({ message });
  const { accessToken, refreshToken, userId } = await ask('/auth/login', { message, signature });
  const { key } = await ask('/api-keys', { name: 'fuzz' }, accessToken);
  const { client_id: clientId } = await fetch(`${url}${basePath}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Fuzz', redirect_uris: [redirectUri] }),
  }).then((answer) => answer.json() as Promise<{ client_id: string }>);
  const wallet = await embeddedWallet(() => ask('/me', { include_testnets: true }, accessToken));
  const { post } = await ask('/create-post', { text: 'gm' }, accessToken);
  const { token } = await ask('/search-token', { input: 'paper-boat' });

  return {
    url,
    platformSlug: 'mintage',
    network: 'Testnet',
    apiKey: key,
    accessToken,
    wallet,
    oauth: { clientId },
    credentials: [
      undefined,
      `Bearer ${accessToken}`,
      `Bearer ${accessToken}`,
      `Bearer ${key}`,
      `Bearer ${key}`,
      `Bearer ${account.address}`,
      `bearer  ${key} `,
      'Bearer',
      'Basic YTpi',
      `Bearer ${'x'.repeat(3_000)}`,
      `Bearer ${accessToken.slice(0, -2)}`,
      'Bearer a.b.c',
      'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJcdTAwMDAifQ.',
    ],
    known: [
      userId,
      account.address,
      wallet,
      clientId,
      post.id,
      ...(token === null ? [] : [token.id, token.platform_id, token.slug, token.primary_evm_address]),
    ],
    secrets: [refreshToken, accessToken, key, ...secrets],
  };
};

/** It is made at the first need, in a moment. */
const embeddedWallet = async (
  me: () => Promise<{ data: { wallets: { embedded: boolean; address: string }[] } }>,
): Promise<string> => {
  const made = await until(async () => (await me()).data.wallets.find(({ embedded }) => embedded));
  return made.address;
};
