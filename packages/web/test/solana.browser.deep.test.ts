import { until } from '@mintage/devnet/until';
import type { Address } from '@mintage/protocol';
import type { Page } from 'playwright-core';
import { formatUnits } from 'viem';
import { beforeAll, describe, expect, it } from 'vitest';
import { type OnSolana, onSolana } from './onSolana.ts';
import { addSolanaWallet, type TestSolanaWallet, testSolanaWalletName } from './testSolanaWallet.ts';
import { hasNoFault, type KeptSession, picture, useWorld, type Visit } from './world.ts';

/** Everything that people do, on a chain whose addresses are base58 and whose transactions are whole ones. */
const world = useWorld({ seed: false, env: { CHAINS: 'base-sepolia,solana-devnet' } });

const slug = 'solana-devnet';
/** Of tokens and of dollars. */
const decimals = 6;

let chain: OnSolana;
beforeAll(() => {
  chain = onSolana(world);
});

/** The button of the trade, once it can be pressed. */
const act = (page: Page) => page.locator('.btn[data-step="trade"]:not([aria-disabled])');

const fill = (page: Page, amount: string): Promise<void> => page.locator('.pay input').fill(amount);

/** The one number of the trade box, base units. */
const limitShown = async (page: Page): Promise<bigint> =>
  BigInt((await page.locator('.least .v[data-limit]').getAttribute('data-limit')) ?? 0);

/** Writes a token into the form of a creation on Solana, of the curve that is for trying. */
const describeToken = async (page: Page, name: string, symbol: string): Promise<void> => {
  await page.locator('input[type=file]').first().setInputFiles(picture);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Symbol', { exact: true }).fill(symbol);
  await page.getByLabel('Description').fill('A small token for people who restore woodland.');
  await page.getByRole('radio', { name: 'Solana Devnet' }).check({ force: true });
  await page.getByText('Links, banner, tags').click();
  await page.getByRole('radio', { name: /^For trying/ }).check({ force: true });
};

/** The token of the page that is open. */
const tokenOf = async (page: Page): Promise<{ id: string; mint: Address }> => {
  const found = await world.post<{ token: { id: string; token_addresses: { address: Address }[] } }>('/search-token', {
    input: new URL(page.url()).pathname.split('/').at(-1),
  });
  return { id: found.token.id, mint: found.token.token_addresses[0]?.address ?? ('' as Address) };
};

/** Waits until so many own trades are in a block. */
const mined = async (page: Page, count: number): Promise<void> => {
  const kept = async () =>
    JSON.parse((await page.evaluate<string | null>("localStorage.getItem('mintage trades')")) ?? '[]') as {
      blockNumber: number | null;
    }[];
  await expect.poll(async () => (await kept()).filter((one) => one.blockNumber !== null).length).toBe(count);
};

/** Presses once the box has its price; says what was promised, and what wallet and chain say of it. */
const traded = async (page: Page, wallet: Address, mint: Address, count: number) => {
  const held = async () => ({ usd: await chain.dollars(wallet), tokens: await chain.tokens(wallet, mint) });
  // What is large beside the curve is agreed to before.
  const isReady = async (): Promise<boolean> => {
    const large = page.getByLabel('I accept a price');
    if ((await large.isVisible()) && !(await large.isChecked())) await large.check();
    return (await act(page).count()) === 1;
  };
  await expect.poll(isReady).toBe(true);
  const [before, limit] = [await held(), await limitShown(page)];
  await act(page).click();
  await mined(page, count);
  const after = await held();
  return { limit, usd: after.usd - before.usd, tokens: after.tokens - before.tokens };
};

interface Embedded extends Visit {
  session: KeptSession;
  wallet: Address;
}

/** Somebody without a wallet of their own, who has a filled one here. */
const newcomer = async (name: string): Promise<Embedded> => {
  const context = await world.browser.newContext({ locale: 'en-US' });
  const session = await world.issuedTo(name);
  await world.keep(context, { session });
  const visit = await world.visit('/account', context);
  const here = visit.page.getByRole('region', { name: 'Your wallet here' });
  await here.getByRole('row').filter({ hasText: 'Solana Devnet' }).getByText('1,000 USDC').waitFor();
  const { data } = await world.post<{ data: { wallets: { address: Address; chainType: string }[] } }>(
    '/me',
    {},
    session.accessToken,
  );
  const wallet = data.wallets.find(({ chainType }) => chainType === 'solana')?.address ?? expect.fail();
  // Coins for the fee come after the dollars.
  const lamports = async () =>
    ((await chain.ask('getBalance', wallet, { commitment: 'confirmed' })) as { value: number }).value;
  await until(async () => (await lamports()) > 0);
  return { ...visit, session, wallet };
};

describe('without a wallet', () => {
  let person: Embedded;
  let mint: Address;
  let tokenPath: string;

  beforeAll(async () => {
    person = await newcomer('solana');
  });

  it('sees both wallets here, each with its address and what is in it', async () => {
    const { page, wallet, complaints } = person;
    const here = page.getByRole('region', { name: 'Your wallet here' });
    await here.getByText(wallet, { exact: true }).waitFor();
    expect(await here.locator('.deposit').count()).toBe(2);
    await here.getByRole('row').filter({ hasText: 'Base Sepolia' }).getByText('1,000 USDC').waitFor();
    await hasNoFault(page, 'the account with two wallets here', [1280, 360]);
    expect(complaints).toEqual([]);
  });

  it('creates a token with a first buy in the window', async () => {
    const { page, wallet, complaints } = person;
    await world.go(page, '/create');
    await describeToken(page, 'Fiddlehead', 'FERN');
    await page.getByRole('switch', { name: 'Buy some yourself' }).click();
    await page.getByLabel('Dollars', { exact: true }).fill('20');
    await page.getByRole('radio', { name: /^In the same transaction/ }).check({ force: true });
    await page.getByText('You have 1,000 USDC there.').waitFor();
    await page
      .getByText(/^About [\d.]+M FERN$/)
      .first()
      .waitFor();
    await page.getByText('about 0.013 SOL').waitFor();
    await hasNoFault(page, 'a creation on Solana', [1280, 360]);
    const before = await chain.dollars(wallet);
    await page.getByRole('button', { name: 'Create on Solana Devnet' }).click();
    await page.waitForURL('**/token/fiddlehead');
    tokenPath = new URL(page.url()).pathname;
    ({ mint } = await tokenOf(page));
    expect(before - (await chain.dollars(wallet))).toBe(20_000_000n);
    expect(await chain.tokens(wallet, mint)).toBeGreaterThan(0n);
    await page.getByTitle(mint, { exact: true }).first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('buys and sells on the curve for exactly what is shown or better', async () => {
    const { page, wallet, complaints } = person;
    await fill(page, '5');
    const bought = await traded(page, wallet, mint, 1);
    expect(bought.usd).toBe(-5_000_000n);
    expect(bought.tokens).toBeGreaterThanOrEqual(bought.limit);
    await page.getByRole('tab', { name: 'Sell' }).click();
    await page.getByRole('button', { name: '50 %' }).click();
    const sold = await traded(page, wallet, mint, 2);
    expect(sold.tokens).toBeLessThan(0n);
    expect(sold.usd).toBeGreaterThanOrEqual(sold.limit);
    await hasNoFault(page, 'a token on Solana', [1280, 360]);
    expect(complaints).toEqual([]);
  });

  it('buys the rest of the curve, and trades on in its pool', async () => {
    const { page, wallet, complaints } = person;
    await page.getByRole('tab', { name: 'Buy' }).click();
    await fill(page, '400');
    const last = await traded(page, wallet, mint, 3);
    // No more is taken than the curve needs.
    expect(-last.usd).toBeLessThan(400_000_000n);
    await page.getByText('Graduated').first().waitFor();
    await page
      .locator('.least')
      .getByText(/valid (1[6-9]|2\d|30) s/)
      .waitFor();
    await fill(page, '5');
    const bought = await traded(page, wallet, mint, 4);
    expect(bought.usd).toBe(-5_000_000n);
    expect(bought.tokens).toBeGreaterThanOrEqual(bought.limit);
    await page.getByRole('tab', { name: 'Sell' }).click();
    await page.getByRole('button', { name: '25 %' }).click();
    const sold = await traded(page, wallet, mint, 5);
    expect(sold.usd).toBeGreaterThanOrEqual(sold.limit);
    // Its bar lies over what is scrolled below it.
    await page.evaluate('scrollTo(0, 0)');
    await hasNoFault(page, 'a token of a pool on Solana', [1280, 360]);
    expect(complaints).toEqual([]);
  });

  it('sends tokens to a wallet of Solana, and to no other', async () => {
    const { page, wallet, complaints } = person;
    await page.getByRole('button', { name: 'Send to a wallet' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send FERN' });
    const to = 'GKvqsuNcnwWqPzzuhLmGi4rzzh55FhJtGizkhHaEJqiV' as Address;
    await dialog.getByLabel('Amount').fill('12.5');
    for (const wrong of ['', `0x${'ab'.repeat(20)}`]) {
      await dialog.getByLabel('To whom').fill(wrong);
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await dialog.getByText('Enter an address of Solana').waitFor();
    }
    await hasNoFault(page, 'sending on Solana', [360]);
    await dialog.getByLabel('To whom').fill(to);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText(to).waitFor();
    await hasNoFault(page, 'sending on Solana, before it is sent', [360]);
    const before = await chain.tokens(wallet, mint);
    await dialog.getByRole('button', { name: 'Send 12.5 FERN' }).click();
    await page.locator('.crossing').getByText('Delivered', { exact: true }).first().waitFor();
    expect(before - (await chain.tokens(wallet, mint))).toBe(12_500_000n);
    expect(await chain.tokens(to, mint)).toBe(12_500_000n);
    expect(complaints).toEqual([]);
  });

  it('claims what it earned: the figure is what the chain pays', async () => {
    const { page, wallet, complaints } = person;
    await world.go(page, '/rewards');
    await page.getByText('From tokens you created').waitFor();
    const shown = (await page.locator('.big [title]').getAttribute('title')) ?? '';
    const before = await chain.dollars(wallet);
    await page.getByRole('button', { name: 'Claim all, 1 transaction' }).click();
    await page.locator('.claim').getByText('Claimed', { exact: true }).waitFor();
    expect(`${formatUnits((await chain.dollars(wallet)) - before, decimals)} USD`).toBe(shown);
    await expect.poll(() => page.locator('.big [title]').getAttribute('title')).toBe('0 USD');
    await hasNoFault(page, 'rewards on Solana', [1280, 360]);
    expect(complaints).toEqual([]);
  });

  it('sees in the portfolio what the chain says, and what a transaction did', async () => {
    const { page, wallet, complaints } = person;
    await world.go(page, '/portfolio');
    const row = page.getByRole('row').filter({ hasText: 'Fiddlehead' });
    const held = formatUnits(await chain.tokens(wallet, mint), decimals);
    await expect.poll(() => row.locator('td').nth(1).locator('[title]').first().getAttribute('title')).toBe(held);
    await row.getByRole('button').click();
    await page.locator('tr.sub').filter({ hasText: 'your wallet here' }).waitFor();
    await hasNoFault(page, 'a position on Solana', [1280, 360]);
    await world.go(page, tokenPath);
    await page.locator('.trades a.proof').first().click();
    await page.waitForURL(`**/tx/${slug}/**`);
    await page
      .getByText(/^(final|in a block)$/)
      .first()
      .waitFor();
    await page.getByTitle(wallet, { exact: true }).first().waitFor();
    const sentence = page.locator('li').filter({ hasText: 'Trade' }).locator('p').first();
    await expect.poll(() => sentence.innerText()).toMatch(/^Sell: [\d,.]+ FERN for [\d,.]+ USDC, fee 1 %$/);
    await hasNoFault(page, 'a transaction of Solana', [1280, 360]);
    expect(complaints).toEqual([]);
  });
});

describe('an account', () => {
  it('sends dollars out to a wallet of Solana, after they were shown once more', async () => {
    const { page, complaints } = await newcomer('sender');
    const to = 'GKvqsuNcnwWqPzzuhLmGi4rzzh55FhJtGizkhHaEJqiV' as Address;
    const before = await chain.dollars(to);
    await page.getByRole('button', { name: 'Send out' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send out' });
    await dialog.getByLabel('Chain').selectOption('Solana Devnet');
    await dialog.getByLabel('Amount').fill('12.5');
    await dialog.getByLabel('To the address').fill(`0x${'ab'.repeat(20)}`);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('Write an address of Solana').waitFor();
    await dialog.getByLabel('To the address').fill(to);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('12.5 USDC').waitFor();
    await dialog.getByText(to).waitFor();
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await dialog.getByText(/^Done/).waitFor();
    expect((await chain.dollars(to)) - before).toBe(12_500_000n);
    expect(complaints).toEqual([]);
  });

  it('takes a wallet of Solana as a further way in', async () => {
    const context = await world.newContext();
    const wallet = await addSolanaWallet(context, chain);
    await world.keep(context, { session: await world.issuedTo('linker') });
    const { page, complaints } = await world.visit('/account', context);
    const ways = page.getByRole('region', { name: 'Ways in' });
    await ways.getByRole('button', { name: 'Link a wallet' }).click();
    const dialog = page.getByRole('dialog', { name: 'Link a wallet' });
    await dialog.getByRole('button', { name: testSolanaWalletName }).click();
    await dialog.waitFor({ state: 'hidden' });
    await ways.getByTitle(wallet.address, { exact: true }).waitFor();
    expect(wallet.texts).toHaveLength(1);
    expect(complaints).toEqual([]);
  });
});

describe('with a wallet of Solana', () => {
  let visit: Visit;
  let wallet: TestSolanaWallet;
  let mint: Address;

  beforeAll(async () => {
    const context = await world.browser.newContext({ locale: 'en-US' });
    wallet = await addSolanaWallet(context, chain);
    await chain.fill(wallet.address, 1_000_000_000n);
    visit = await world.visit('/', context);
  });

  /** The SDK asks for what its wallet sent until the service knows it. */
  const unmeant = (complaints: readonly string[]): string[] =>
    complaints.filter((one) => !/status of 404.*\/functions\/v1\/get-transaction$/.test(one));

  const signedIn = (page: Page) =>
    page.evaluate<string | null>("JSON.parse(localStorage.getItem('mintage session') ?? 'null')?.address ?? null");

  it('signs in by a text of this page, and is taken up again without a question', async () => {
    const { page, complaints } = visit;
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    const button = dialog.getByRole('button', { name: testSolanaWalletName });
    await button.getByText('Solana', { exact: true }).waitFor();
    await hasNoFault(page, 'the dialog to sign in, with a wallet of Solana', [1280, 360]);
    for (const feature of ['standard:connect', 'solana:signMessage']) {
      wallet.refuses.add(feature);
      await button.click();
      await dialog.getByText('You said no, so nothing happened.').waitFor();
      wallet.refuses.clear();
    }
    expect(await signedIn(page)).toBeNull();
    await button.click();
    await dialog.waitFor({ state: 'hidden' });
    expect(wallet.texts.at(-1)).toContain(
      `${new URL(world.app).host} wants you to sign in with your Solana account:\n${wallet.address}\n`,
    );
    expect(await signedIn(page)).toBe(wallet.address);
    const asked = wallet.asked.length;
    await page.reload();
    await page
      .getByRole('banner')
      .getByRole('link', { name: /^Account/ })
      .locator('img')
      .waitFor();
    expect(wallet.asked.slice(asked)).toEqual(['standard:connect silently']);
    expect(unmeant(complaints)).toEqual([]);
  });

  it('creates a token with a first buy over a refusal, and sends one transaction', async () => {
    const { page, complaints } = visit;
    await world.go(page, '/create');
    await describeToken(page, 'Bracken', 'BRAC');
    await page.getByRole('switch', { name: 'Buy some yourself' }).click();
    await page.getByLabel('Dollars', { exact: true }).fill('20');
    await page.getByRole('radio', { name: /^In the same transaction/ }).check({ force: true });
    wallet.refuses.add('solana:signAndSendTransaction');
    await page.getByRole('button', { name: 'Create on Solana Devnet' }).click();
    await page.getByRole('alert').filter({ hasText: 'refused' }).waitFor();
    wallet.refuses.clear();
    expect(wallet.asked.filter((one) => one === 'solana:signAndSendTransaction')).toHaveLength(1);
    const before = await chain.dollars(wallet.address);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.waitForURL('**/token/bracken');
    expect(wallet.transactions).toHaveLength(1);
    ({ mint } = await tokenOf(page));
    expect(before - (await chain.dollars(wallet.address))).toBe(20_000_000n);
    expect(await chain.tokens(wallet.address, mint)).toBeGreaterThan(0n);
    expect(unmeant(complaints)).toEqual([]);
  });

  it('buys and sells for exactly what is shown or better, and nothing where its person refuses', async () => {
    const { page, complaints } = visit;
    await fill(page, '5');
    wallet.refuses.add('solana:signAndSendTransaction');
    await act(page).click();
    await page.getByText('Your wallet refused. Nothing was sent').waitFor();
    wallet.refuses.clear();
    const bought = await traded(page, wallet.address, mint, 1);
    expect(bought.usd).toBe(-5_000_000n);
    expect(bought.tokens).toBeGreaterThanOrEqual(bought.limit);
    await page.getByRole('tab', { name: 'Sell' }).click();
    await page.getByRole('button', { name: '25 %' }).click();
    const sold = await traded(page, wallet.address, mint, 2);
    expect(sold.usd).toBeGreaterThanOrEqual(sold.limit);
    expect(wallet.transactions).toHaveLength(3);
    expect(unmeant(complaints)).toEqual([]);
  });

  it('claims what its token earned', async () => {
    const { page, complaints } = visit;
    // The first buy, a buy and a sale: until the index has them the page shows less than the chain pays.
    const trades = () => world.post<{ activities: unknown[] }>('/get-token-trades', { token_id: mint });
    await expect.poll(async () => (await trades()).activities.length).toBe(3);
    await world.go(page, '/rewards');
    await page.getByText('From tokens you created').waitFor();
    const shown = (await page.locator('.big [title]').getAttribute('title')) ?? '';
    const before = await chain.dollars(wallet.address);
    await page.getByRole('button', { name: 'Claim all, 1 transaction' }).click();
    await page.locator('.claim').getByText('Claimed', { exact: true }).waitFor();
    expect(`${formatUnits((await chain.dollars(wallet.address)) - before, decimals)} USD`).toBe(shown);
    expect(unmeant(complaints)).toEqual([]);
  });

  it('behavior: row 4, discards a creation while its window is open and after a reload; a late answer brings nothing back', async () => {
    const { page, complaints } = visit;
    const asked = wallet.transactions.length;
    const held = Promise.withResolvers<void>();
    wallet.holdTransaction = held.promise;
    await world.go(page, '/create');
    await describeToken(page, 'Sedge', 'SEDGE');
    const create = page.getByRole('button', { name: 'Create on Solana Devnet' });
    const discard = page.getByRole('button', { name: 'Discard' });
    const unsaid = page.getByText('Your wallet hasn’t said whether it signed.').first();
    await create.click();
    await unsaid.waitFor();
    await discard.click();
    await create.waitFor();
    await create.click();
    await expect.poll(() => wallet.transactions.length).toBe(asked + 2);
    await page.reload();
    await unsaid.waitFor();
    await discard.click();
    await create.waitFor();
    held.resolve();
    wallet.holdTransaction = Promise.resolve();
    await page.reload();
    await create.waitFor();
    expect(wallet.transactions).toHaveLength(asked + 2);
    expect(unmeant(complaints)).toEqual([]);
  });

  it('pays on no EVM chain, nor a wallet of those here: the box says so, and the wallet here pays', async () => {
    const context = await world.newContext();
    const { wallet: foreign, session } = await world.addUser(context);
    await world.keep(context, { session: { ...session, address: foreign.account.address.toLowerCase() } });
    const own = await addSolanaWallet(context, chain);
    const { page } = await world.visit('/token/bracken', context);
    const note = page.locator('.note').filter({ hasText: 'Test wallet cannot pay on Solana Devnet.' });
    await note.getByText('Your wallet here pays.').waitFor();
    await hasNoFault(page, 'a wallet of another family', [1280, 360]);
    await fill(page, '5');
    await act(page).waitFor();
    await note.getByRole('button', { name: 'Use another wallet' }).click();
    const choice = page.getByRole('dialog', { name: 'Connect a wallet' });
    await choice.getByRole('button', { name: testSolanaWalletName }).waitFor();
    expect(await choice.getByRole('button', { name: 'Test wallet', exact: true }).count()).toBe(0);
    await choice.getByRole('button', { name: testSolanaWalletName }).click();
    await note.waitFor({ state: 'hidden' });
    expect([own.isConnected, foreign.sent()]).toEqual([true, []]);
    // It is nobody's of this account: it would sign in to its own.
    await page.locator('.btn[data-step="signIn"]').waitFor();
  });
});
