import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rpcRequest } from '@mintage/devnet/rpc';
import { until } from '@mintage/devnet/until';
import { type Base58, formatUnits, toBase58 } from '@mintage/protocol';
import { tokenAccountOf } from '@mintage/protocol/solana';
import { createReader, keypairWallet, signIn } from '@mintage/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from './world.ts';

const chain = 'solana-devnet';
const image =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

describe('on Solana', () => {
  let world: World;
  let own: Base58;
  let env: Record<string, string>;
  beforeAll(async () => {
    world = await startWorld(chain);
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const bytes = (form: Buffer) => [...form.subarray(-32)];
    const [secret, open] = [
      bytes(privateKey.export({ format: 'der', type: 'pkcs8' })),
      bytes(publicKey.export({ format: 'der', type: 'spki' })),
    ];
    own = toBase58(Uint8Array.from(open));
    const file = join(world.folder, 'id.json');
    writeFileSync(file, JSON.stringify([...secret, ...open]));
    const signer = await keypairWallet(Uint8Array.from([...secret, ...open]), () => '');
    const reader = createReader({ baseUrl: world.system.url ?? '' });
    // A wallet claims what is owed to its own user.
    const { accessToken } = await signIn(reader, signer, { domain: new URL(world.system.config.appUrl).host });
    env = { MINTAGE_API_KEY: accessToken, MINTAGE_SOLANA_KEYPAIR: file, MINTAGE_CHAIN: chain };
    await ask('requestAirdrop', own, 2_000_000_000);
    await until(async () => (await lamports(own)) > 0);
  });
  afterAll(() => world?.stop());

  const ask = (method: string, ...params: unknown[]) =>
    rpcRequest(world.system.solana[0]?.rpcUrl ?? '', method, params) as Promise<unknown>;
  const lamports = async (wallet: Base58): Promise<number> =>
    ((await ask('getBalance', wallet, { commitment: 'confirmed' })) as { value: number }).value;
  const run = async (...words: string[]): Promise<string> => {
    const { code, out, err } = await world.run(words, { env });
    expect(code, `${words.join(' ')}: ${err}`).toBe(0);
    return out;
  };
  const tokenOf = async (slug: string) => {
    await world.system.caughtUp();
    const { token } = await createReader({ baseUrl: world.system.url ?? '' }).getTokenAbout({ token_id: slug });
    return token.primary_solana_address as Base58;
  };
  const held = async (mint: Base58, wallet: Base58): Promise<bigint> => {
    const account = tokenAccountOf(wallet, mint, 'token2022');
    const { value } = (await ask('getTokenAccountBalance', account, { commitment: 'confirmed' })) as {
      value: { amount: string };
    };
    return BigInt(value.amount);
  };
  const embedded = async (): Promise<Base58> => {
    const { data } = JSON.parse(await run('me', '--json', '--include-testnets'));
    return data.wallets.find((wallet: { embedded: boolean }) => wallet.embedded)?.address;
  };

  it('default: mint, create, buy, sell a part, claim and send by a wallet of one’s own', async () => {
    await run('mint-usd', '1000', '--yes');
    const named = ['--name', 'Tea House', '--symbol', 'TEA', '--description', 'A house.', '--image', image];
    const made = await run('create', ...named, '--amount-in', '10', '--yes');
    const mint = await tokenOf('tea-house');
    expect(made).toMatch(/Created +Tea House \(TEA\) +solana-devnet/);
    expect(made).toContain(mint);
    const before = await held(mint, own);
    const bought = await run('buy', 'tea-house', '12.5', '--yes');
    const has = await held(mint, own);
    expect(bought).toContain(`Got   ${formatUnits(has - before, 6)} TEA`);
    await run('sell', 'tea-house', '50%', '--yes');
    expect(await held(mint, own)).toBe(has - has / 2n);
    const to = await embedded();
    await run('transfer', 'tea-house', '1.5', to, '--yes');
    expect(await held(mint, to)).toBe(1_500_000n);
    await world.system.caughtUp();
    expect(await run('claim', '--yes')).toMatch(/Paid +[\d.]+ dollars +solana-devnet/);
    expect(await run('portfolio')).toContain('TEA');
  });

  it('default: the embedded wallet does the same, and sends SOL and dollars', async () => {
    const wallet = await embedded();
    await expect.poll(() => lamports(wallet)).toBeGreaterThan(0);
    const mint = await tokenOf('paper-boat-on-solana-devnet');
    const bought = await run('buy', 'paper-boat-on-solana-devnet', '20', '--execute', '--yes');
    const has = await held(mint, wallet);
    expect(bought).toContain(`Got   ${formatUnits(has, 6)} BOAT`);
    await world.system.caughtUp();
    await run('sell', 'paper-boat-on-solana-devnet', 'all', '--execute', '--yes');
    expect(await held(mint, wallet)).toBe(0n);
    await run('send', own, '0.01', '--yes');
    await run('send', own, '3', '--dollars', '--yes');
  });

  it('error: without a key file, and with a file that has none, a sentence with the next step', async () => {
    const none = await world.run(['buy', 'tea-house', '1', '--yes'], { env: { ...env, MINTAGE_SOLANA_KEYPAIR: '' } });
    expect(none).toMatchObject({ code: 3, err: expect.stringContaining('MINTAGE_SOLANA_KEYPAIR') });
    const bad = join(world.folder, 'bad.json');
    writeFileSync(bad, '[1,2,3]');
    const torn = await world.run(['buy', 'tea-house', '1', '--yes'], { env: { ...env, MINTAGE_SOLANA_KEYPAIR: bad } });
    expect(torn).toMatchObject({ code: 3, err: expect.stringContaining('solana-keygen new') });
  });
});
