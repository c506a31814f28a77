import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalAccount } from 'viem';
import { noAnswer } from './noAnswer.ts';

/** A user to try the service with: a rich local wallet, signed in, with an API key. */
export interface DemoUser {
  address: `0x${string}`;
  apiKey: string;
}

/**
 * Signs the wallet in and makes an API key, as any client would; the key of the last run is used again while it works.
 *
 * @param home - Folder in which the key is kept for the next run.
 */
export const demoUser = async (url: string, home: string, account: LocalAccount): Promise<DemoUser> => {
  const file = join(home, 'demo-user.json');
  const kept = readKept(file);
  if (kept?.address === account.address && (await works(url, kept.apiKey))) return kept;
  const { message } = await post<{ message: string }>(url, '/auth/challenge', { address: account.address });
  const signature = await account.signMessage({ message });
  const { accessToken } = await post<{ accessToken: string }>(url, '/auth/login', { message, signature });
  await revokeOld(url, accessToken);
  const { key } = await post<{ key: string }>(url, '/api-keys', { name: keyName }, accessToken);
  const user = { address: account.address, apiKey: key };
  writeFileSync(file, `${JSON.stringify(user, null, 2)}\n`, { mode: 0o600 });
  return user;
};

const keyName = 'demo';

const readKept = (file: string): DemoUser | null => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DemoUser;
  } catch {
    return null; // not there, or not readable: a new one is made
  }
};

const works = async (url: string, apiKey: string): Promise<boolean> => {
  try {
    await post(url, '/api-keys/list', {}, apiKey);
    return true;
  } catch {
    return false; // another database, or revoked
  }
};

/** A user has at most ten keys; those of earlier runs are of no use any more. */
const revokeOld = async (url: string, token: string): Promise<void> => {
  const { keys } = await post<{ keys: { id: string; name: string }[] }>(url, '/api-keys/list', {}, token);
  for (const { id, name } of keys) if (name === keyName) await post(url, '/api-keys/revoke', { id }, token);
};

const post = async <Answer>(url: string, path: string, body: object, bearer?: string): Promise<Answer> => {
  const response = await fetch(`${url}/functions/v1${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw noAnswer(`${url} to ${path}`, cause);
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
};
