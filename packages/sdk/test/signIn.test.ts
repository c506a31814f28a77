import { statements } from '@mintage/protocol/signing';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReader, linkWallet, type SignInOptions, session, signIn } from '../src/sdk.ts';
import { errorOf } from './errorOf.ts';
import { startService, type TestService, watchedFetch } from './service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ APP_URL: 'https://app.example.com:8443/pad' });
});
afterAll(() => service?.stop());

const domain = 'app.example.com:8443';

/** Signs in at a service that changes its text on the way; tells what was signed. */
const signInTo = async (change: (text: string) => string, options?: SignInOptions) => {
  const account = privateKeyToAccount(generatePrivateKey());
  const signed: unknown[] = [];
  const signer = {
    address: account.address,
    async signMessage(asked: Parameters<typeof account.signMessage>[0]) {
      signed.push(asked.message);
      return account.signMessage(asked);
    },
  };
  const { fetch } = watchedFetch(async (request) => {
    if (!request.url.endsWith('/auth/challenge')) return null;
    const answer = (await (await globalThis.fetch(request)).json()) as { message: string };
    return Response.json({ ...answer, message: change(answer.message) });
  });
  const reader = createReader({ baseUrl: service.url, fetch });
  return { account, signed, reader, signingIn: signIn(reader, signer, options) };
};
const asItIs = (text: string): string => text;
const other = privateKeyToAccount(generatePrivateKey()).address;

describe('signIn', () => {
  it('default: signs the service’s own text, of the chain and the domain that were asked for', async () => {
    for (const options of [{}, { domain }, { chainId: 8453, domain }]) {
      const { signingIn, signed, reader } = await signInTo(asItIs, options);
      reader.use(session(await signingIn));
      expect((await reader.me()).success).toBe(true);
      expect(signed).toEqual([expect.stringContaining(`Chain ID: ${options.chainId ?? 1}\n`)]);
    }
  });

  it.each<[string, (text: string) => string]>([
    ['that agrees to something else', (text) => text.replace(/Sign in to .*/, 'I owe you all that I have.')],
    [
      'that links the wallet to an account',
      (text) => text.replace(/Sign in to .*/, statements.link('Mintage', '11111111-1111-4111-8111-111111111111')),
    ],
    [
      'that lets an application in',
      (text) => text.replace(/Sign in to .*/, statements.decide('Mintage', 'evil.example')),
    ],
    ['of no form', () => 'I owe you all that I have.'],
    ['of nothing', () => ''],
    ['with a line before it', (text) => `I owe you all that I have.\n${text}`],
    ['with a line after it', (text) => `${text}\nI owe you all that I have.`],
    ['with resources', (text) => `${text}\nResources:\n- https://example.com/`],
    ['with a request id', (text) => `${text}\nRequest ID: 7`],
    ['with a beginning in time', (text) => `${text}\nNot Before: 2020-01-01T00:00:00.000Z`],
    ['with a second line in its statement', (text) => text.replace('Sign in to', 'I owe you\nSign in to')],
    ['with a second page', (text) => text.replace('URI: ', 'URI: https://evil.example\nURI: ')],
    ['with carriage returns', (text) => text.replaceAll('\n', '\r\n')],
    ['with a space at the end', (text) => `${text} `],
    ['of another version', (text) => text.replace('Version: 1', 'Version: 2')],
    ['of another wallet', (text) => text.replace(/0x[0-9a-fA-F]{40}/, other)],
    ['of this wallet in lower case', (text) => text.replace(/0x[0-9a-fA-F]{40}/, (found) => found.toLowerCase())],
    ['with another nonce', (text) => text.replace(/Nonce: ../, 'Nonce: 00')],
    ['with a chain id of other digits', (text) => text.replace('Chain ID: ', 'Chain ID: 0')],
    ['without an end', (text) => text.replace(/\nExpiration Time: .*/, '')],
    ['with an end that is no time', (text) => text.replace(/Expiration Time: .*/, 'Expiration Time: never')],
    ['with another clock’s time', (text) => text.replace(/(Issued At: .*)Z/, '$1+00:00')],
    ['that expired', (text) => text.replace(/Expiration Time: .*/, 'Expiration Time: 2020-01-01T00:00:00.000Z')],
    ['of another page than its domain’s', (text) => text.replace('URI: https://app.', 'URI: https://evil.')],
    ['of another domain than its page’s', (text) => text.replace(/^app\./, 'evil.')],
    ['of a page that is no page', (text) => text.replace('URI: https:', 'URI: ftp:')],
    ['with a scheme before its domain', (text) => `https://${text}`],
  ])('error: a text %s is not signed', async (_what, change) => {
    const { signingIn, signed } = await signInTo(change);
    expect((await errorOf(signingIn)).code).toBe('BYTES_DIFFER');
    expect(signed).toEqual([]);
  });

  it.each<[string, SignInOptions, (text: string) => string]>([
    ['another domain', { domain: 'app.example.com' }, asItIs],
    ['a domain’s end alone', { domain: 'example.com:8443' }, asItIs],
    ['another domain and its page', { domain }, (text) => text.replaceAll('app.example.com', 'evil.example.com')],
    ['another chain', { chainId: 8453 }, (text) => text.replace('Chain ID: 8453', 'Chain ID: 1')],
  ])('error: a text of %s than was asked for is not signed', async (_what, options, change) => {
    const { signingIn, signed } = await signInTo(change, options);
    expect(await errorOf(signingIn)).toMatchObject({
      code: 'BYTES_DIFFER',
      message: expect.stringMatching(/not .*, so it was not signed/),
    });
    expect(signed).toEqual([]);
  });
});

describe('linkWallet', () => {
  /** A user who is signed in by one wallet, and another wallet to link. */
  const newUser = async (change: (text: string) => string = asItIs) => {
    const { reader, signingIn } = await signInTo(asItIs);
    const { userId, ...signedIn } = await signingIn;
    const { fetch } = watchedFetch(async (request) => {
      if (!request.url.endsWith('/auth/wallets/challenge')) return null;
      const answer = (await (await globalThis.fetch(request)).json()) as { message: string };
      return Response.json({ ...answer, message: change(answer.message) });
    });
    reader.use(session(signedIn));
    return { userId, reader: createReader({ baseUrl: service.url, fetch, auth: session(signedIn) }) };
  };

  it('default: the linked wallet signs in to the same account', async () => {
    const { userId, reader } = await newUser();
    const wallet = privateKeyToAccount(generatePrivateKey());
    await linkWallet(reader, wallet, userId, { domain });
    expect((await signIn(createReader({ baseUrl: service.url }), wallet)).userId).toBe(userId);
  });

  it('error: a text of another wallet, or of another web app, is not signed', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    for (const [change, options] of [
      [(text: string) => text.replace(/0x[0-9a-fA-F]{40}/, other), {}],
      [asItIs, { domain: 'elsewhere.example' }],
      [(text: string) => text.replace(/account \S+,/, 'account 11111111-1111-4111-8111-111111111111,'), {}],
      [(text: string) => text.replace(/Link this .*/, statements.signIn('Mintage')), {}],
    ] as const) {
      const { reader, userId } = await newUser(change);
      expect((await errorOf(linkWallet(reader, wallet, userId, options))).code).toBe('BYTES_DIFFER');
    }
  });

  it('error: a wallet that has an account is WALLET_TAKEN', async () => {
    const { reader, userId } = await newUser();
    const taken = await signInTo(asItIs);
    await taken.signingIn;
    expect((await errorOf(linkWallet(reader, taken.account, userId))).code).toBe('WALLET_TAKEN');
  });
});
