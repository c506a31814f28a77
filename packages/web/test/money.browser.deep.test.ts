import { readFile } from 'node:fs/promises';
import { launchpadAbi, type Slug } from '@mintage/protocol';
import type { Page } from 'playwright-core';
import {
  decodeFunctionData,
  erc20Abi,
  formatUnits,
  getAddress,
  type Hex,
  maxUint256,
  numberToHex,
  parseUnits,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SentTransaction, TestWallet } from './testWallet.ts';
import { hasNoFault, type KeptSession, picture, runs, useWorld, type Visit } from './world.ts';

/** Creating, the portfolio and claiming, as people do it: a real browser and the running service on local chains. */
const world = useWorld();

interface Person extends Visit {
  session: KeptSession;
}

/** Somebody new with a wallet of their own. */
const withWallet = async (path: string): Promise<Person & { wallet: TestWallet }> => {
  const context = await world.newContext();
  const user = await world.addUser(context);
  return { ...(await world.visit(path, context)), ...user };
};

const fill = async (page: Page, name: string, symbol: string): Promise<void> => {
  await page.locator('input[type=file]').first().setInputFiles(picture);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Symbol', { exact: true }).fill(symbol);
  await page.getByLabel('Description').fill('A small token for people who restore woodland.');
};

/** What a transaction to the Launchpad calls: each call of a multicall. */
const calledIn = ({ data }: SentTransaction): { functionName: string; args: readonly unknown[] }[] => {
  const { functionName, args = [] } = decodeFunctionData({ abi: launchpadAbi, data });
  return functionName === 'multicall'
    ? (args[0] as Hex[]).flatMap((inner) => calledIn({ to: '0x', data: inner }))
    : [{ functionName, args }];
};

const tokenBySlug = async (slug: string): Promise<Hex> => {
  const found = await world.post<{ token: { token_addresses: { address: Hex; chain: Slug }[] } }>('/search-token', {
    input: slug,
  });
  return found.token.token_addresses[0]?.address ?? '0x';
};

const deferred = () => Promise.withResolvers<void>();

/** Somebody with a wallet of their own, gas on both chains and 10,000 dollars on the first; in all tests the same. */
let person: Person & { wallet: TestWallet };
beforeAll(async () => {
  const context = await world.browser.newContext({ locale: 'en-US' });
  const user = await world.addUser(context);
  person = { ...(await world.visit('/portfolio', context)), ...user };
});

describe('with a wallet', () => {
  let token: Hex;

  it('creates a token over a refusal and a reload, buys and announces it, and sends nothing twice', async () => {
    const { page, wallet, complaints } = person;
    await world.go(page, '/create');
    await fill(page, 'Fiddlehead', 'FERN');
    await page.getByText('Links, banner, tags').click();
    await page.getByRole('group', { name: 'Announce it' }).getByText('Unichain Sepolia').click();
    await page.getByRole('switch', { name: 'Buy some yourself' }).click();
    await page.getByLabel('Dollars', { exact: true }).fill('50');
    await page
      .getByText(/^About [\d.]+M FERN$/)
      .first()
      .waitFor();

    // What is written outlives the page.
    await page.reload();
    await runs(page);
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Fiddlehead');
    await page.getByText('fern.png').waitFor();

    wallet.refuses.add('eth_sendTransaction');
    await page.getByRole('button', { name: 'Create on Base Sepolia' }).click();
    await page.getByRole('alert').filter({ hasText: 'refused' }).waitFor();
    await hasNoFault(page, 'a creation that was refused');
    expect(wallet.sent()).toHaveLength(1);
    wallet.refuses.clear();

    // The page goes away while the wallet asks its person, who then signs.
    const held = deferred();
    wallet.holdTrade = held.promise;
    const { page: other } = await world.visit('/create', page.context());
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(() => wallet.sent().length).toBe(2);
    // Another tab that presses too is told, and asks for nothing.
    await other.getByRole('button', { name: 'Go on' }).click();
    await other.getByText('Another tab of this browser is at it.').waitFor();
    expect(wallet.sent()).toHaveLength(2);
    await other.close();
    await world.go(page, '/portfolio');
    held.resolve();
    wallet.holdTrade = Promise.resolve();
    const created = wallet.sent()[1] as SentTransaction;
    expect(calledIn(created)).toMatchObject([
      { functionName: 'create', args: [{ name: 'Fiddlehead', symbol: 'FERN', poolType: 7 }] },
    ]);
    await expect
      .poll(
        async () => (await world.chain.rpc('eth_getTransactionCount', [wallet.account.address, 'latest'])) as string,
      )
      .toBe('0x1');

    await world.go(page, '/create');
    await page.waitForURL('**/token/fiddlehead');
    token = await tokenBySlug(new URL(page.url()).pathname.slice('/token/'.length));
    const [, , approval, buy, announcement, ...more] = wallet.sent();
    expect(more).toEqual([]);
    expect(decodeFunctionData({ abi: erc20Abi, data: approval?.data ?? '0x' })).toMatchObject({
      functionName: 'approve',
      args: [expect.any(String), parseUnits('50', world.chain.deployment.usdDecimals)],
    });
    expect(calledIn(buy as SentTransaction).map(({ functionName }) => functionName)).toEqual(['buyExactIn']);
    expect(announcement?.to.toLowerCase()).toBe(world.chain.deployment.tokenBridge?.toLowerCase());
    // 50 dollars at 1 % fee; at the opening fee they buy less than a million.
    expect(await world.balanceOf(token, wallet.account.address)).toBeGreaterThan(parseUnits('4000000', 18));
    expect(complaints).toEqual([]);
  });

  it('shows what the chain says in the portfolio and in its CSV', async () => {
    const { page, wallet, complaints } = person;
    await world.go(page, '/portfolio');
    const row = page.getByRole('row').filter({ hasText: 'Fiddlehead' });
    await row.waitFor();
    const held = formatUnits(await world.balanceOf(token, wallet.account.address), 18);
    expect(await row.locator('td').nth(1).locator('[title]').first().getAttribute('title')).toBe(held);
    await row.getByRole('button').click();
    await page
      .locator('tr.sub')
      .filter({ hasText: wallet.account.address.slice(2, 6).toLowerCase() })
      .waitFor();
    await hasNoFault(page, 'a position that is open', [1280, 360]);

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const [head, ...lines] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    expect(head?.startsWith('\ufeffToken,Symbol,Chain,Contract,Amount')).toBe(true);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.startsWith(`Fiddlehead,FERN,base-sepolia,${token.toLowerCase()},${held},`)).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('claims what the creator earned, after a refusal too, and leads to the transaction', async () => {
    const { page, wallet, complaints } = person;
    const before = await world.balanceOf(world.chain.deployment.usd, wallet.account.address);
    await world.go(page, '/rewards');
    await page.getByText('From tokens you created').waitFor();
    expect(await page.locator('.big [title]').getAttribute('title')).toBe('0.25 USD');
    wallet.refuses.add('eth_sendTransaction');
    await page.getByRole('button', { name: 'Claim all, 1 transaction' }).click();
    await page.getByRole('alert').filter({ hasText: 'refused' }).waitFor();
    await hasNoFault(page, 'a claim that was refused');
    wallet.refuses.clear();
    const claimed = page.getByRole('region', { name: 'Claimed' });
    await claimed.getByText('You have not claimed anything yet.').waitFor();

    // Elsewhere the wallet is asked to come back, and stays where it is if its person says so.
    await page.evaluate(() => Reflect.get(globalThis, 'goToChain')(1301));
    wallet.refuses.add('wallet_switchEthereumChain');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('alert').filter({ hasText: 'Your wallet did not go to Base Sepolia.' }).waitFor();
    wallet.refuses.clear();

    // Loaded again while the wallet asks, and open in a second tab: what is signed once is sent once.
    const held = deferred();
    const sent = wallet.sent().length;
    wallet.holdTrade = held.promise;
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(() => wallet.sent().length).toBe(sent + 1);
    const { page: other } = await world.visit('/rewards', page.context());
    await other.getByText('Another tab of this browser is at it.').waitFor();
    await other.close();
    await page.reload();
    await page.getByRole('alert').filter({ hasText: 'Your wallet has not said whether it signed.' }).waitFor();
    held.resolve();
    wallet.holdTrade = Promise.resolve();
    await page.locator('.claim').getByText('Claimed', { exact: true }).waitFor();
    expect(wallet.sent()).toHaveLength(sent + 1);
    expect(calledIn(wallet.sent().at(-1) as SentTransaction)).toMatchObject([
      {
        functionName: 'withdrawBatch',
        args: [[getAddress(world.chain.deployment.usd)], wallet.account.address, [maxUint256]],
      },
    ]);
    expect(await world.balanceOf(world.chain.deployment.usd, wallet.account.address)).toBe(
      before + parseUnits('0.25', world.chain.deployment.usdDecimals),
    );
    const proof = await page.locator('.claim').getByRole('link').getAttribute('href');
    const receipt = (await world.chain.rpc('eth_getTransactionReceipt', [proof?.split('/').at(-1)])) as {
      status: string;
    };
    expect(receipt.status).toBe('0x1');
    await expect.poll(() => page.locator('.big [title]').getAttribute('title')).toBe('0 USD');
    expect(await page.getByRole('region', { name: 'History' }).locator('tbody tr').count()).toBe(1);

    // It stands among what was claimed, and leads to its transaction.
    const line = claimed.locator('tbody tr');
    await expect.poll(() => line.count()).toBe(1);
    await line.getByText('Base Sepolia').waitFor();
    expect(await line.locator('.num').textContent()).toBe('+0.2500');
    expect(await claimed.getByText('You have not claimed anything yet.').count()).toBe(0);
    await line.getByRole('link').click();
    await page.waitForURL(`**${proof}`);
    await page.getByText('Withdrawn').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('says how it goes on where the wallet stays on another chain, and asks it for no chain but the one it is about', async () => {
    const { page, context, wallet, complaints } = await withWallet('/create');
    await fill(page, 'Bracken', 'BRAC');
    await page.getByRole('radio', { name: 'Unichain Sepolia' }).check({ force: true });
    // A second tab has the same draft, and knows of no creation.
    const { page: other } = await world.visit('/create', context);
    await expect.poll(() => other.getByLabel('Name', { exact: true }).inputValue()).toBe('Bracken');
    const switches = () => wallet.asked.filter(({ method }) => method === 'wallet_switchEthereumChain');
    const unichain = [{ chainId: numberToHex(world.chainOf('unichain-testnet').chain.chainId) }];

    wallet.refuses.add('wallet_switchEthereumChain');
    await page.getByRole('button', { name: 'Create on Unichain Sepolia' }).click();
    await page.getByRole('alert').getByText('Your wallet did not go to Unichain Sepolia.').waitFor();
    expect(switches().map(({ params }) => params)).toEqual([unichain]);
    expect(wallet.sent()).toEqual([]);
    wallet.refuses.clear();

    // The page goes away while the wallet asks; the other tab begins none of its own then.
    const held = deferred();
    wallet.holdTrade = held.promise;
    wallet.unknown.add(Number(unichain[0]?.chainId));
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(() => wallet.sent().length).toBe(1);
    const added = wallet.asked.filter(({ method }) => method === 'wallet_addEthereumChain');
    expect(added).toMatchObject([{ params: [{ ...unichain[0], chainName: 'Unichain Sepolia' }] }]);
    await page.close();
    await other.getByRole('button', { name: 'Create on Unichain Sepolia' }).click();
    await other.getByText('Bracken is being created').waitFor();
    expect(wallet.sent()).toHaveLength(1);
    held.resolve();
    await other.waitForURL('**/token/bracken*');
    expect(wallet.sent()).toHaveLength(1);
    expect(calledIn(wallet.sent()[0] as SentTransaction)).toMatchObject([
      { functionName: 'create', args: [{ name: 'Bracken', symbol: 'BRAC' }] },
    ]);
    expect(new Set(switches().map(({ params }) => JSON.stringify(params)))).toEqual(
      new Set([JSON.stringify(unichain)]),
    );
    expect(complaints).toEqual([]);
  });

  it('enters a code once, and says why one is refused', async () => {
    const { page, complaints } = person;
    await world.go(page, '/rewards');
    const inviter = await world.sessionOf(privateKeyToAccount(generatePrivateKey()));
    await world.system.db
      .insertInto('referral_code')
      .values({
        network: 'testnet',
        code_key: 'marlow',
        code: 'Marlow',
        user_id: inviter.userId,
        created_at: new Date(),
      })
      .execute();
    await page.getByLabel('Code', { exact: true }).fill('x');
    await page.getByRole('button', { name: 'Use' }).click();
    await page.getByText('Use 4 to 20 letters and digits.').waitFor();
    expect(complaints).toEqual([]);
    await page.getByLabel('Code', { exact: true }).fill('nobodys');
    await page.getByRole('button', { name: 'Use' }).click();
    await page.getByRole('alert').waitFor();
    await hasNoFault(page, 'a code that is refused, with the id of the request', [360]);
    await page.getByLabel('Code', { exact: true }).fill('MARLOW');
    await page.getByRole('button', { name: 'Use' }).click();
    await page.getByText('The code Marlow is yours now.').waitFor();
    await page.reload();
    await page.getByText('You were invited').waitFor();
  });
});

describe('another account', () => {
  it('sees nothing of the one before, also while the service does not answer', async () => {
    const context = await world.newContext();
    await world.keep(context, { session: await world.sessionOf(world.chain.accounts.alice) });
    const { page } = await world.visit('/portfolio', context);
    const row = page.getByRole('row').filter({ hasText: 'Paper Boat' }).first();
    await row.waitFor();
    await page.route('**/functions/v1/**', () => undefined);
    await world.keep(context, { session: await world.sessionOf(privateKeyToAccount(generatePrivateKey())) });
    await row.waitFor({ state: 'detached' });
    await page.unroute('**/functions/v1/**');
    await page.reload();
    await page.getByText('You hold no tokens yet.').waitFor();
  });
});

describe('a picture', () => {
  it('is taken by drop and by paste, and what is no picture or too large is said in words', async () => {
    const { page, complaints } = await world.visit('/create');
    /** As the browser does it with a file of the person's desk or clipboard. */
    const give = (way: 'drop' | 'paste', type: string, name: string, content: Buffer) =>
      page.evaluate(`(() => {
        const data = new DataTransfer();
        const content = Uint8Array.from(atob('${content.toString('base64')}'), (one) => one.charCodeAt(0));
        data.items.add(new File([content], '${name}', { type: '${type}' }));
        const usual = { bubbles: true, cancelable: true };
        const [event, on] = '${way}' === 'drop'
          ? [new DragEvent('drop', { ...usual, dataTransfer: data }), document.querySelector('.drop')]
          : [new ClipboardEvent('paste', { ...usual, clipboardData: data }), document.body];
        on.dispatchEvent(event);
      })()`);
    // Until the page knows who is here, it takes no picture.
    await expect.poll(() => page.locator('.drop button').first().isEnabled()).toBe(true);
    for (const way of ['drop', 'paste'] as const) {
      await give(way, 'application/pdf', 'plan.pdf', Buffer.alloc(10));
      await page.getByRole('alert').filter({ hasText: 'This is no picture that is taken here.' }).waitFor();
      await give(way, 'image/png', 'vast.png', Buffer.alloc(5_000_001));
      await page.getByRole('alert').filter({ hasText: 'This is more than 5 MB.' }).waitFor();
      await give(way, 'image/png', 'torn.png', Buffer.alloc(10));
      await page.getByRole('alert').filter({ hasText: 'This picture cannot be read.' }).waitFor();
      await give(way, 'image/png', `${way}.png`, picture.buffer);
      await page.getByText(`${way}.png`).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    }
    const shown = await page.locator('.drop img').first().getAttribute('src');
    expect(shown).toBe(`data:image/png;base64,${picture.buffer.toString('base64')}`);
    expect(complaints).toEqual([]);
  });
});

describe('the pages', () => {
  it.each(['signed in', 'signed out'])('have no fault that axe finds and no sideways scroll, %s', async (who) => {
    const context = who === 'signed in' ? person.context : await world.newContext();
    const { page } = await world.visit('/create', context);
    await page.getByText('Links, banner, tags').click();
    const ownBuy = page.getByRole('switch');
    if ((await ownBuy.getAttribute('aria-checked')) === 'false') await ownBuy.click();
    await page
      .getByText(/^About /)
      .first()
      .waitFor();
    await hasNoFault(page, '/create');
    for (const path of ['/portfolio', '/rewards']) {
      await world.go(page, path);
      await expect.poll(() => page.locator('.blocks').count()).toBe(0);
      await hasNoFault(page, path);
      if (who === 'signed in') continue;
      // Signing in is asked over the page; Escape ends it, and so does a click beside it.
      const dialog = page.getByRole('dialog', { name: 'Sign in' });
      for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(4, 4)]) {
        await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
        await dialog.waitFor();
        await leave();
        await dialog.waitFor({ state: 'hidden' });
      }
      expect(new URL(page.url()).pathname).toBe(path);
    }
  });
});
