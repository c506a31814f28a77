import { until } from '@mintage/devnet/until';
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webApp } from '../../src/api/accounts/passkeys/place.ts';
import { createPasskey, type SoftPasskey, usePasskey } from '../world/authenticator.ts';
import { signInWith } from '../world/call.ts';
import { executionSlug as chainSlug, type ExecutionWorld, startExecutionWorld } from './executionWorld.ts';
import { onePixel } from './trade/tradeWorld.ts';

interface Session {
  userId: string;
  accessToken: string;
}

/** A person without a wallet, from the first passkey to the loss of it, with real chains and a real signer. */
describe('an account by passkey', () => {
  let world: ExecutionWorld;
  let origin: string;
  let passkey: SoftPasskey;
  let person: Session;
  let embedded: Address;
  let token: { tokenId: string; address: Address };

  beforeAll(async () => {
    world = await startExecutionWorld();
    [origin = ''] = webApp(world.api.context.config).origins;
    const owner = await world.newUser();
    const code = { code_key: 'alice2030', code: 'ALICE2030', user_id: owner.userId, created_at: new Date() };
    await world.api.context.db
      .insertInto('referral_code')
      .values({ ...code, network: 'testnet' })
      .execute();
  });
  afterAll(() => world?.stop());

  const register = async (bearer?: string): Promise<{ passkey: SoftPasskey; session: Session }> => {
    const { options } = await world.done('passkeyRegisterOptions', {}, { bearer });
    const made = createPasskey(options, { origin });
    const session = await world.done('passkeyRegister', { credential: made.credential }, { bearer });
    return { passkey: made.passkey, session };
  };
  const login = async (by: SoftPasskey): Promise<Session> => {
    const { options } = await world.done('passkeyLoginOptions', {});
    return world.done('passkeyLogin', { credential: usePasskey(by, options, { origin }) });
  };
  const me = async ({ accessToken }: Session) => (await world.done('me', {}, { bearer: accessToken })).data;
  const held = async (of: Address): Promise<bigint> => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [embedded] });
    return BigInt((await world.chain.rpc('eth_call', [{ to: of, data }, 'latest'])) as Hex);
  };
  /** Executes it with this credential, and waits until it is mined. */
  const execute = async (name: 'createTokenTransaction' | 'tradeToken', input: object, bearer: string) => {
    const answer = await world.done(name, { ...input, chainSlug, execute: true }, { bearer });
    expect(answer.executed).toBe(true);
    const status = await world.becomes({ intentId: answer.intentId }, bearer, 'mined', 'final', 'failed');
    expect(status.error).toBeNull();
    return answer;
  };
  const buy = async (bearer: string): Promise<void> => {
    const before = await held(token.address);
    const { quote } = await execute(
      'tradeToken',
      { tokenId: token.tokenId, direction: 'buy', buyAmountUSD: 5 },
      bearer,
    );
    expect((await held(token.address)) - before).toBe(BigInt(quote.outputAmountRaw));
  };

  it('default: its embedded wallet is made when it is first needed; it creates, trades, and has a portfolio', async () => {
    ({ passkey, session: person } = await register());
    embedded = await until(async () => (await me(person)).wallets[0]?.address);
    expect(await me(person)).toMatchObject({
      userId: person.userId,
      wallets: [{ address: embedded, embedded: true }],
      signIn: { passkeys: 1, wallets: 0, identities: 0 },
    });
    await until(async () => (await world.balance(embedded)) > 0n);
    await until(async () => BigInt((await me(person)).balances[0].usd.balanceRaw) > 0n);

    const bearer = person.accessToken;
    const entered = { referral_code: 'alice2030', network_mode: 'testnet' };
    expect(await world.done('enterReferralCode', entered, { bearer })).toMatchObject({ success: true });
    const made = { name: 'Passkey Coin', symbol: 'PASS', description: 'Made without a wallet.', image: onePixel };
    const { metadata } = await execute('createTokenTransaction', { ...made, amountIn: 5 }, bearer);
    token = { tokenId: metadata.tokenId, address: metadata.addresses.evm };
    await world.chain.advance(10);
    await buy(bearer);

    const { key } = await world.done('createApiKey', { name: 'agent', budget: { perDayUsd: 50 } }, { bearer });
    await buy(key);
    await world.indexed();
    const { data: portfolio } = await world.done('getUserPortfolio', {}, { bearer });
    expect(portfolio.tokens[0].chainBalances[0]).toMatchObject({ walletAddress: embedded });
    expect((await me(person)).referral.referredBy).toMatch(/^0x/);
  });

  it('behavior: a linked wallet signs in to the same account, whose earnings count together', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const own = wallet.address.toLowerCase() as Address;
    const bearer = person.accessToken;
    const { message } = await world.done('linkWalletChallenge', { address: own }, { bearer });
    const signature = await wallet.signMessage({ message });
    await world.done('linkWallet', { message, signature }, { bearer });
    const again: Session = await signInWith(world.call, wallet);
    expect(again.userId).toBe(person.userId);
    expect((await me(again)).wallets.map(({ address }: { address: Address }) => address)).toEqual([own, embedded]);
    await buy(again.accessToken);

    // A key with a budget may pay the user's own wallets, and to the signer this is one now.
    const { key } = await world.done('createApiKey', { name: 'payer', budget: { perDayUsd: 5 } }, { bearer });
    const pay = (to: Address) => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 10n ** 18n] });
      return world.call('sendTransaction', { to: token.address, amount: '0', data, chainSlug }, { bearer: key });
    };
    const stranger = privateKeyToAccount(generatePrivateKey()).address;
    expect(await pay(stranger)).toMatchObject({ status: 403, body: { code: 'RECIPIENT_NOT_ALLOWED' } });
    expect(await pay(own)).toMatchObject({ status: 200, body: { success: true } });
    const { leaderboard } = await world.done('getLeaderboard', { network_mode: 'testnet' });
    const lines = leaderboard.filter(({ user_id }: { user_id: string }) => user_id === person.userId);
    expect(lines.map(({ recipient_address }: { recipient_address: Address }) => recipient_address)).toEqual([embedded]);
  });

  it('behavior: the loss of a passkey: with another one it is the same account with the same embedded wallet', async () => {
    const { passkey: second, session } = await register(person.accessToken);
    expect(session.userId).toBe(person.userId);
    const saved = await login(second);
    expect(saved.userId).toBe(person.userId);
    await world.done('removePasskey', { id: passkey.id }, { bearer: saved.accessToken });
    const { options } = await world.done('passkeyLoginOptions', {});
    const lost = usePasskey(passkey, options, { origin });
    expect((await world.call('passkeyLogin', { credential: lost })).status).toBe(401);
    expect((await world.call('createApiKey', { name: 'x' }, { bearer: person.accessToken })).status).toBe(401);
    const { wallets, signIn } = await me(saved);
    expect(wallets.at(-1)).toMatchObject({ address: embedded, embedded: true });
    expect(signIn).toEqual({ passkeys: 1, wallets: 1, identities: 0 });
    await buy(saved.accessToken);
  });
});
