import { sql } from 'kysely';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { meeting } from '../../../test/api/testing/meeting.ts';
import { type SignedIn, type TestApi, testApi, testChain } from '../../../test/api/testing/testApi.ts';
import { createPasskey } from '../../../test/world/authenticator.ts';

const origin = 'https://app.acmepad.example';

describe('linkWallet', () => {
  let api: TestApi;
  beforeAll(async () => {
    const chains = [testChain('base-sepolia', 'http://127.0.0.1:1')];
    api = await testApi({ chains, patience: { walletMs: 0 }, env: { PLATFORM_NAME: 'Acme Pad', APP_URL: origin } });
  });
  afterAll(() => api?.stop());

  const newWallet = () => privateKeyToAccount(generatePrivateKey());
  const lower = ({ address }: PrivateKeyAccount) => address.toLowerCase() as `0x${string}`;
  type User = Pick<SignedIn, 'userId' | 'accessToken'>;
  const newUser = async (): Promise<User> => {
    const { body } = await api.call('passkeyRegisterOptions');
    const { credential } = createPasskey(body.options, { origin });
    return (await api.call('passkeyRegister', { credential })).body;
  };
  const challenge = async ({ accessToken }: User, { address }: PrivateKeyAccount) =>
    (await api.call('linkWalletChallenge', { address }, { bearer: accessToken })).body.message as string;
  const send = ({ accessToken }: User, message: string, signature: string) =>
    api.call('linkWallet', { message, signature }, { bearer: accessToken });
  const link = async (user: User, wallet: PrivateKeyAccount, signer = wallet) => {
    const message = await challenge(user, wallet);
    return send(user, message, await signer.signMessage({ message }));
  };
  const walletsOf = async ({ accessToken }: User) =>
    (await api.call('me', {}, { bearer: accessToken })).body.data.wallets.map(
      ({ address }: { address: string }) => address,
    );
  const refused = { status: 400, body: { code: 'INVALID_PARAMETERS' } };

  it('linkWalletChallenge default: the text says that it links, and to which account', async () => {
    const [user, wallet] = [await newUser(), newWallet()];
    const { address } = wallet;
    const { body } = await api.call('linkWalletChallenge', { address, chainId: 8453 }, { bearer: user.accessToken });
    expect(body.message).toBe(`app.acmepad.example wants you to sign in with your Ethereum account:
${address}

Link this wallet for good to the Acme Pad account ${user.userId}, which it signs in to from now on. This costs nothing and sends no transaction.

URI: ${origin}
Version: 1
Chain ID: 8453
Nonce: ${body.nonce}
Issued At: ${new Date(api.clock.ms).toISOString()}
Expiration Time: ${body.expiresAt}`);
    const wrong = await api.call('linkWalletChallenge', { address: 'x' }, { bearer: user.accessToken });
    expect(wrong.body.code).toBe('INVALID_PARAMETERS');
  });

  it('default: the wallet signs in to the account, which keeps its id', async () => {
    const [user, wallet] = [await newUser(), newWallet()];
    expect((await link(user, wallet)).body).toEqual({ success: true, address: lower(wallet), actsFrom: null });
    expect(await walletsOf(user)).toEqual([lower(wallet)]);
    expect((await api.signIn(wallet)).userId).toBe(user.userId);
    const { body } = await api.call('me', {}, { bearer: user.accessToken });
    expect(body.data.signIn).toEqual({ passkeys: 1, wallets: 1, identities: 0 });
    // Then the passkey is not the last way in any more.
    const { body: list } = await api.call('listPasskeys', {}, { bearer: user.accessToken });
    const { accessToken: bearer } = await api.signIn(wallet);
    expect((await api.call('removePasskey', { id: list.passkeys[0].id }, { bearer })).status).toBe(200);
  });

  it('behavior: once more changes nothing; a second wallet joins the first', async () => {
    const [user, one, two] = [await newUser(), newWallet(), newWallet()];
    for (const wallet of [one, one, two]) expect((await link(user, wallet)).status).toBe(200);
    expect((await walletsOf(user)).toSorted()).toEqual([lower(one), lower(two)].toSorted());
    const rows = api.context.db.selectFrom('earner_wallet').selectAll().where('wallet', '=', lower(two));
    expect(await rows.execute()).toEqual([{ wallet: lower(two), account: lower(one) }]);
  });

  /** The accounts for which wallets count. */
  const accountsOf = async (wallets: `0x${string}`[]): Promise<Set<string>> => {
    const rows = await api.context.db.selectFrom('earner_wallet').selectAll().where('wallet', 'in', wallets).execute();
    return new Set(wallets.map((wallet) => rows.find((row) => row.wallet === wallet)?.account ?? wallet));
  };
  const signed = async (user: User, wallet: PrivateKeyAccount) => {
    const message = await challenge(user, wallet);
    const signature = await wallet.signMessage({ message });
    return () => send(user, message, signature);
  };
  const meet = <Answer>(calls: (() => Promise<Answer>)[]) =>
    meeting(api.context.db, sql`lock table user_wallet in share mode`, calls);

  it('behavior: an embedded wallet that comes at the same moment counts for the same account', async () => {
    for (const isFirst of [true, false]) {
      const [user, wallet, embedded] = [await newUser(), newWallet(), lower(newWallet())];
      const row = { user_id: user.userId, chain_type: 'evm', sealed_key: '{}', address: embedded } as const;
      await api.context.db.insertInto('embedded_wallet').values(row).execute();
      // Reading the account makes the embedded wallet its own.
      const calls = [() => walletsOf(user), await signed(user, wallet)];
      await meet(isFirst ? calls : calls.toReversed());
      expect(await walletsOf(user)).toEqual([lower(wallet), embedded]);
      expect((await accountsOf([lower(wallet), embedded])).size).toBe(1);
    }
  });

  it('behavior: two wallets at the same moment count for one account', async () => {
    const [user, one, two] = [await newUser(), newWallet(), newWallet()];
    const answers = await meet([await signed(user, one), await signed(user, two)]);
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect((await accountsOf([lower(one), lower(two)])).size).toBe(1);
  });

  it('error: beside the removal of the passkey that signed in, the removal goes first and nothing waits in a circle', async () => {
    const user = await newUser();
    const { body: options } = await api.call('passkeyRegisterOptions', {}, { bearer: user.accessToken });
    const { credential } = createPasskey(options.options, { origin });
    const { body: other } = await api.call('passkeyRegister', { credential }, { bearer: user.accessToken });
    const { body: list } = await api.call('listPasskeys', {}, { bearer: user.accessToken });
    const id = list.passkeys.find((passkey: { id: string }) => passkey.id !== credential.id).id;
    const answers = await meeting(
      api.context.db,
      sql`select from app_user where user_id = ${user.userId} for no key update`,
      [() => api.call('removePasskey', { id }, { bearer: other.accessToken }), await signed(user, newWallet())],
    );
    expect(answers).toMatchObject([{ status: 200 }, { status: 401 }]);
  });

  it('error: WALLET_TAKEN, also when it signs in at the same moment', async () => {
    const [user, theirs] = [await newUser(), newWallet()];
    const owner = await api.signIn(theirs);
    expect(await link(user, theirs)).toMatchObject({ status: 409, body: { code: 'WALLET_TAKEN' } });
    expect(await walletsOf(user)).toEqual([]);
    expect((await api.signIn(theirs)).userId).toBe(owner.userId);
    for (let round = 0; round < 5; round += 1) {
      const [late, wallet] = [await newUser(), newWallet()];
      const [linked, signedIn] = await Promise.all([link(late, wallet), api.signIn(wallet)]);
      expect(linked.status).toBe(signedIn.userId === late.userId ? 200 : 409);
      expect(await walletsOf(late)).toEqual(linked.status === 200 ? [lower(wallet)] : []);
    }
  });

  it('error: of two accounts at once, one gets it', async () => {
    const [one, two, wallet] = [await newUser(), await newUser(), newWallet()];
    const answers = await meet([await signed(one, wallet), await signed(two, wallet)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const winner = answers[0]?.status === 200 ? one : two;
    expect((await api.signIn(wallet)).userId).toBe(winner.userId);
  });

  it('error: TOO_MANY_WALLETS', async () => {
    const user = await newUser();
    for (let count = 0; count < 10; count += 1) expect((await link(user, newWallet())).status).toBe(200);
    expect(await link(user, newWallet())).toMatchObject({ status: 409, body: { code: 'TOO_MANY_WALLETS' } });
    expect(await walletsOf(user)).toHaveLength(10);
  });

  it('error: a text is good once, for the user who asked, for five minutes, and by its wallet alone', async () => {
    const [user, other, wallet] = [await newUser(), await newUser(), newWallet()];
    expect(await link(user, wallet, newWallet())).toMatchObject(refused);
    const message = await challenge(user, wallet);
    const signature = await wallet.signMessage({ message });
    expect(await send(other, message, signature)).toMatchObject(refused);
    expect(await send(user, message.replace(user.userId, other.userId), signature)).toMatchObject(refused);
    expect(await send(user, message, signature)).toMatchObject(refused);
    const late = await challenge(user, wallet);
    api.clock.ms += 300_000;
    expect(await send(user, late, await wallet.signMessage({ message: late }))).toMatchObject(refused);
    expect(await walletsOf(user)).toEqual([]);
  });

  it('error: a text that links signs nobody in, and one that signs in links nothing', async () => {
    const [user, wallet] = [await newUser(), newWallet()];
    const linking = await challenge(user, wallet);
    const signature = await wallet.signMessage({ message: linking });
    expect((await api.call('authLogin', { message: linking, signature })).body.code).toBe('AUTHENTICATION_FAILED');
    // It was left where it is: it still links.
    expect((await send(user, linking, signature)).status).toBe(200);
    const stranger = newWallet();
    const { body } = await api.call('authChallenge', { address: stranger.address });
    const signed = await stranger.signMessage({ message: body.message });
    expect(await send(user, body.message, signed)).toMatchObject(refused);
    expect((await api.call('authLogin', { message: body.message, signature: signed })).status).toBe(200);
  });
});
