import type { DevChain } from '@mintage/devnet';
import { encodeCreate, layerZeroEndpointAbi, tokenBridgeAbi, totalSupply } from '@mintage/protocol';
import { createReader, session } from '@mintage/sdk';
import type { Page } from 'playwright-core';
import { decodeFunctionData, encodeFunctionData, erc20Abi, type Hex, pad } from 'viem';
import { describe, expect, it } from 'vitest';
import { hasNoFault, runs, useWorld } from './world.ts';

/** The page of a token in a real browser, with the running service and its local chains behind it. */
const world = useWorld();
const { visit } = world;

const drawing = (page: Page) => page.locator('.drawing[data-drawn] canvas').first();

const aboutOf = async (reference: string) => (await world.api.getTokenAbout({ token_id: reference })).token;

const addressOf = async (reference: string): Promise<Hex> => (await aboutOf(reference)).primary_evm_address as Hex;

const supplyOf = async (chain: DevChain, to: Hex): Promise<bigint> => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' });
  return BigInt((await chain.rpc('eth_call', [{ to, data }, 'latest'])) as Hex);
};

const wholeSupply = totalSupply * 10n ** 18n;
/** As the page shows a share: one place, cut. */
const shareOf = (units: bigint): string => {
  const tenths = (units * 1_000n) / wholeSupply;
  if (units > 0n && tenths === 0n) return '< 0.1 %';
  return `${tenths / 10n}.${tenths % 10n} %`;
};

describe('the page of a token', () => {
  it('reads without scripts: figures, trades, holders, facts, and what its creator says', async () => {
    const { page } = await visit('/token/paper-boat', { javaScriptEnabled: false });
    expect(await page.title()).toBe('Paper Boat (BOAT) · Mintage');
    expect(await page.locator('meta[property="og:image"]').getAttribute('content')).toContain('/og/paper-boat.png');
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toMatch(/\/token\/paper-boat$/);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^Paper Boat\s+BOAT$/);
    expect(await page.locator('.figures .big').innerText()).toMatch(/^\$14,136\s+\+27\.2 %$/);
    expect(await page.locator('.trades tbody tr').count()).toBe(6);
    expect(await page.getByText('Folded on a rainy day.').isVisible()).toBe(true);
    expect(await page.getByText('1,599 of 25,000 USD').isVisible()).toBe(true);
    // Each proof is a link of its own.
    await page.locator('.trades .proof').first().click();
    expect(page.url()).toMatch(/\/tx\/base-sepolia\/0x[0-9a-f]{64}$/);
  });

  it('is found by slug, id, platform id and address, and by nothing else', async () => {
    const about = await aboutOf('paper-boat');
    for (const reference of [about.id, about.platform_id, about.primary_evm_address]) {
      const html = await (await fetch(`${world.app}/token/${reference}`)).text();
      expect(html).toContain('<title>Paper Boat (BOAT) · Mintage</title>');
      expect(html).toContain(`href="${world.app}/token/paper-boat"`);
    }
    for (const reference of ['paper-boa', 'BOAT', 'no%20such', '%ff'])
      expect([reference, (await fetch(`${world.app}/token/${reference}`)).status]).toEqual([reference, 404]);
  });

  it('shows holders and facts as the chain has them', async () => {
    const token = await addressOf('paper-boat');
    const { page } = await visit('/token/paper-boat');
    const { creator } = (await world.api.getTokenFacts({ token_id: token })).facts.created.value ?? { creator: '' };
    const { launchpad } = world.chain.deployment;
    const { holders } = await world.api.getTokenHolders({ token_id: token, limit: 100 });
    const balances = await Promise.all(holders.map(({ wallet }) => world.balanceOf(token, wallet as Hex)));
    const onCurve = await world.balanceOf(token, launchpad);
    expect(balances.reduce((sum, one) => sum + one, onCurve)).toBe(await supplyOf(world.chain, token));
    const shown = await page.locator('.holder .num').allInnerTexts();
    expect(shown).toEqual([onCurve, ...balances].map(shareOf));
    const fact = (name: string) => page.locator('.fact', { hasText: name }).locator('b').innerText();
    expect(await fact('Ten largest holders')).toBe(shareOf(balances.reduce((sum, one) => sum + one, 0n)));
    expect(await fact('Creator holds')).toBe(shareOf(await world.balanceOf(token, creator as Hex)));
    expect(await fact('Contract code')).toBe('matches');
    expect(await fact('Funded by the creator')).toBe('not known yet');
    const books = page.getByRole('region', { name: 'Solvency' });
    await books.getByText('1,599.52 USDC held, 1,599.52 owed').waitFor();
    // A fact opens what proves it, and the service is asked from there.
    await page.getByRole('link', { name: /^Ten largest holders/ }).click();
    await page.getByRole('button', { name: 'Ask now' }).click();
    const answer = JSON.parse(await page.getByLabel('Answer').innerText());
    expect(answer.holders).toHaveLength(holders.length);
    await hasNoFault(page, 'a proof');
    await page.keyboard.press('Escape');
    await page.locator('.embed-open').click();
    await page.getByRole('dialog').getByRole('textbox').first().waitFor();
    await hasNoFault(page, 'the dialog to embed');
  });

  it('shows a trade and its price by itself, holds new rows back, and takes back what the chain did', async () => {
    const token = await addressOf('paper-boat');
    const { page, complaints } = await visit('/token/paper-boat');
    await drawing(page).waitFor();
    await page.waitForTimeout(500); // the stream is open
    await page.evaluate(listen);
    const { bob } = world.chain.accounts;
    const first = await world.buy(token, '40', bob);
    const newest = page.locator('.trades tbody tr').first();
    await expect.poll(() => newest.locator('.proof').getAttribute('href')).toContain(first.transactionHash);
    expect(await newest.innerText()).toMatch(/Buy\s+40\.00/);
    const { token: now } = await world.api.searchToken({ input: token });
    const cap = Math.floor(now?.market_cap ?? 0).toLocaleString('en-US');
    await expect.poll(() => page.locator('.figures .big').innerText()).toContain(`$${cap}`);
    // The words of the chart end where the price is.
    const words = await page.getByRole('img', { name: /^Market cap since/ }).getAttribute('aria-label');
    expect(words).toContain(`to ${cap.slice(0, 2)}.${cap.slice(3, 4)}`);

    await page.locator('.trades tbody tr').nth(2).hover();
    const second = await world.buy(token, '41', bob);
    await page.getByRole('button', { name: '1 new trade' }).waitFor();
    expect(await newest.locator('.proof').getAttribute('href')).toContain(first.transactionHash);
    await page.getByRole('button', { name: '1 new trade' }).click();
    expect(await newest.locator('.proof').getAttribute('href')).toContain(second.transactionHash);
    // Nobody is told aloud of what others do.
    expect(await page.evaluate('heard')).toEqual([]);

    // A block may come between the two calls: then its own is not yet among those that are taken back.
    do {
      const head = Number(await world.chain.rpc('eth_blockNumber', []));
      await world.chain.rpc('anvil_reorg', [head - second.blockNumber + 1, []]);
    } while ((await world.chain.rpc('eth_getTransactionReceipt', [second.transactionHash])) !== null);
    await page.mouse.move(0, 0);
    const gone = page.locator('.trades tr', { has: page.locator(`[href*="${second.transactionHash}"]`) });
    await expect.poll(() => gone.innerText()).toContain('taken back by the chain');
    const struck = `getComputedStyle(document.querySelector('[data-taken-back] .num')).textDecorationLine`;
    expect(await page.evaluate(struck)).toBe('line-through');
    await expect.poll(() => page.locator('.figures .big').innerText()).toContain(`$${cap}`);
    expect(complaints).toEqual([]);
  });

  it('draws one chart on the curve and in the pool, and never anew', async () => {
    const token = await addressOf('tin-robot');
    const { page, complaints } = await visit('/token/tin-robot');
    await drawing(page).evaluate((canvas) => canvas.setAttribute('data-first', ''));
    expect(await page.getByText('Graduates at $1.00k').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Price', exact: true }).click();
    await page.getByRole('img', { name: /^Price since/ }).waitFor();
    await page.getByRole('button', { name: '5m', exact: true }).click();
    await page.getByRole('img', { name: /in steps of 5m/ }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });

    // The reorganisation before this took a nonce of bob's back.
    const { carol } = world.chain.accounts;
    await world.graduate(token, '300', carol);
    await page.getByRole('heading', { name: 'Pool' }).waitFor();
    await world.buy(token, '20', carol);
    await expect.poll(() => page.locator('.trades tbody tr').first().innerText()).toMatch(/Buy\s+20\.00/);
    expect(await page.getByText('The liquidity is locked for good').isVisible()).toBe(true);
    expect(await page.getByText('Upright line: where the pool opened').isVisible()).toBe(true);
    const { token: now } = await world.api.searchToken({ input: token });
    await expect
      .poll(() => page.locator('.chart').getAttribute('aria-label'))
      .toContain(
        `to ${Number((now?.price_usd ?? 0).toPrecision(4))
          .toFixed(20)
          .replace(/0+$/, '')}`,
      );
    // The very canvas of before, with both candles' colours of the dark theme or one of them, and no light one.
    expect(await page.locator('canvas[data-first]').count()).toBe(1);
    expect(await inkOf(page)).toBeGreaterThan(50);
    expect(complaints).toEqual([]);
  });

  it('has no fault that axe finds and no sideways scroll', async () => {
    const { page, complaints } = await visit('/');
    for (const path of ['/token/lighthouse', '/token/paper-boat', await transactionPath()]) {
      await world.go(page, path);
      if (path.startsWith('/token/')) await drawing(page).waitFor();
      await hasNoFault(page, path);
    }
    expect(complaints).toEqual([]);
  });
});

const transactionPath = async (): Promise<string> => {
  const { activities } = await world.api.getTokenTrades({ token_id: 'paper-boat', limit: 1 });
  return `/tx/base-sepolia/${activities[0]?.evt_tx_hash}`;
};

/** In the page: keeps what readers of screens are told by themselves from now on. */
const listen = `{
  window.heard = [];
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const region = (target.nodeType === 1 ? target : target.parentElement)?.closest('[role=status], [role=alert], [aria-live]');
      if (region?.textContent.trim()) heard.push(region.textContent);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}`;

/** How many pixels of the chart are of a candle's colour. */
const inkOf = (page: Page): Promise<number> =>
  page.evaluate<number>(`(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    const one = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const wanted = ['--up-fill', '--down-fill'].map((name) => {
      probe.style.color = 'var(' + name + ')';
      one.fillStyle = getComputedStyle(probe).color;
      one.fillRect(0, 0, 1, 1);
      return [...one.getImageData(0, 0, 1, 1).data].slice(0, 3).join();
    });
    probe.remove();
    let count = 0;
    for (const canvas of document.querySelectorAll('.drawing canvas')) {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      for (let at = 0; at < data.length; at += 4) if (wanted.includes([data[at], data[at + 1], data[at + 2]].join())) count += 1;
    }
    return count;
  })()`);

describe('sending to another chain', () => {
  it('signs what it shows, follows it until it is there, and brings it back', async () => {
    const token = await addressOf('night-train');
    const { alice } = world.chain.accounts;
    const context = await world.newContext();
    const { wallet } = await world.addUser(context, alice);
    const { page, complaints } = await visit('/token/night-train', context);
    const before = await world.balanceOf(token, alice.address);
    expect(before).toBeGreaterThan(10n ** 21n);

    const send = async (amount: string, from: string, to: string): Promise<void> => {
      await page.getByRole('button', { name: 'Send to another chain' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('From').selectOption(from);
      await dialog.getByLabel('To', { exact: true }).selectOption(to);
      await dialog.getByLabel('Amount').fill(amount);
      if (from === 'base-sepolia') await hasNoFault(page, 'send to another chain', [360]);
      await dialog.getByRole('button', { name: 'See the message fee' }).click();
      await dialog.getByText('Message fee').waitFor();
      if (from === 'base-sepolia') await hasNoFault(page, 'what sending costs', [360]);
      await dialog.getByRole('button', { name: `Send ${amount} NIGHT` }).click();
    };
    const delivered = async (): Promise<void> => {
      const row = page.locator('.crossing').first();
      await expect.poll(() => row.getAttribute('data-state')).toBe('delivered');
    };
    const sentCall = () => {
      const { to, data, value } = wallet.sent().at(-1) ?? expect.fail('nothing was sent');
      expect(to.toLowerCase()).toBe(world.chain.deployment.tokenBridge?.toLowerCase());
      const { functionName, args } = decodeFunctionData({ abi: tokenBridgeAbi, data });
      if (functionName !== 'send') throw new Error(functionName);
      return { sent: args[0], refundTo: args[1], value: BigInt(value ?? 0) };
    };

    // The page is loaded again while the wallet asks, and follows what is signed then.
    const held = Promise.withResolvers<void>();
    wallet.holdTrade = held.promise;
    await send('1000.5', 'base-sepolia', 'unichain-testnet');
    await expect.poll(() => wallet.sent().length).toBe(1);
    await page.reload();
    await page.locator('.crossing').getByText('Asked for: it goes on here as soon as it is sent').waitFor();
    held.resolve();
    const { sent, refundTo, value } = sentCall();
    expect(sent).toMatchObject({
      amount: 1_000_500_000_000_000_000_000n,
      to: pad(alice.address.toLowerCase() as Hex, { size: 32 }),
      dstEid: world.chainOf('unichain-testnet').chain.eid,
      register: true,
    });
    expect(refundTo).toBe(alice.address);
    expect(value).toBeGreaterThan(0n);
    await delivered();
    expect(wallet.sent()).toHaveLength(1);
    expect(await world.balanceOf(token, alice.address, world.chainOf('unichain-testnet'))).toBe(sent.amount);
    expect(await world.balanceOf(token, alice.address)).toBe(before - sent.amount);
    await page.locator('.live-on li', { hasText: 'Unichain Sepolia' }).getByText('1 holder').waitFor();

    // A reload forgets nothing.
    await page.reload();
    await page.locator('.crossing', { hasText: 'Delivered' }).waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).first().click();

    wallet.refuses.add('wallet_switchEthereumChain');
    await send('400', 'unichain-testnet', 'base-sepolia');
    await page.getByText(/^Your wallet did not go to /).waitFor();
    wallet.refuses.clear();
    wallet.refuses.add('eth_sendTransaction');
    await page.getByRole('dialog').getByRole('button', { name: 'Send 400 NIGHT' }).click();
    await expect.poll(() => wallet.sent().length).toBe(2);
    await page.getByText('Your wallet did not sign it. Nothing was sent.').waitFor();
    wallet.refuses.clear();
    await page.getByRole('dialog').getByRole('button', { name: 'Send 400 NIGHT' }).click();
    await expect.poll(() => page.locator('.crossing').count()).toBe(1);
    expect(sentCall().sent).toMatchObject({
      amount: 400n * 10n ** 18n,
      dstEid: world.chain.chain.eid,
      register: false,
    });

    // A delivery that fails is told, and the same wallet delivers it once that is possible.
    const bridge = world.chain.deployment.tokenBridge as Hex;
    const change = (functionName: 'pause' | 'unpause') =>
      encodeFunctionData({
        abi: tokenBridgeAbi,
        functionName,
        args: [world.chainOf('unichain-testnet').chain.eid as number],
      });
    await world.chain.wallet.send(world.chain.accounts.guardian, { to: bridge, data: change('pause') });
    const again = page.getByRole('button', { name: 'Deliver it again' });
    await again.waitFor();
    await page.getByText(/The way to and from .* is paused\./).waitFor();
    await hasNoFault(page, 'a delivery that failed', [1280, 360]);
    // An answer that leads it past the bridge's own endpoint is refused, and the wallet is not asked.
    const status = /\/transactions\/status/;
    await page.route(status, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      if (json.delivery?.retry) json.delivery.retry.to = world.chain.accounts.dave.address;
      await route.fulfill({ response, json });
    });
    // The second is asked for once the first is shown.
    for (let told = 0; told < 2; told += 1) await page.waitForResponse(status);
    const asked = wallet.sent().length;
    await again.click();
    await page.getByText('The transaction does not only deliver a message to the bridge.').waitFor();
    expect(wallet.sent()).toHaveLength(asked);
    await page.unroute(status);
    for (let told = 0; told < 2; told += 1) await page.waitForResponse(status);
    // The relayer tries again by itself and could come first.
    const goOn = await world.system.relayer?.rest();
    await world.chain.wallet.send(world.chain.accounts.owner, { to: bridge, data: change('unpause') });
    await again.click();
    await delivered();
    goOn?.();
    const delivery = decodeFunctionData({ abi: layerZeroEndpointAbi, data: wallet.sent().at(-1)?.data ?? '0x' });
    expect(delivery.functionName).toBe('lzReceive');
    expect(await world.balanceOf(token, alice.address, world.chainOf('unichain-testnet'))).toBe(
      sent.amount - 400n * 10n ** 18n,
    );
    expect(await world.balanceOf(token, alice.address)).toBe(before - sent.amount + 400n * 10n ** 18n);
    // Who comes after her does not see it.
    const path = new URL(page.url()).pathname;
    await world.go(page, '/account');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await world.go(page, path);
    await page.getByRole('heading', { name: 'Chains' }).first().waitFor();
    expect(await page.locator('.crossing').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describe('what a stranger wrote', () => {
  it('looks like nothing else: what turns or hides a text is shown as a sign', async () => {
    const data = encodeCreate({
      name: 'Free\u202eCDSU\u2066',
      symbol: 'USD\u200bC\u202e',
      uri: 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
      salt: pad('0xb1d1'),
      poolType: 7,
      deadline: BigInt(Math.floor(Date.now() / 1_000) + 100_000),
    });
    await world.chain.wallet.send(world.chain.accounts.dave, { to: world.chain.deployment.launchpad, data });
    await world.system.caughtUp();
    const { tokens } = await world.api.getTokensV2({ keyword: 'CDSU' });
    const slug = tokens[0]?.slug ?? expect.fail('not listed');
    for (const path of ['/', `/token/${slug}`, `/embed/trade/${slug}`, `/embed/price/${slug}`]) {
      const { page } = await visit(path);
      await page.getByText('Free\ufffdCDSU\ufffd').first().waitFor({ state: 'attached' });
      for (const text of [await page.content(), await page.title()])
        expect([path, /[\u200b\u202a-\u202e\u2066-\u2069]|\\u202e/.test(text)]).toEqual([path, false]);
    }
  });

  it('is text: nothing of it runs, and links lead only to the web', async () => {
    const { dave } = world.chain.accounts;
    const signed = createReader({ baseUrl: world.app, auth: session(await world.sessionOf(dave)) });
    const script = '<img src=x onerror=alert(1)>';
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" onload="alert(1)"><script>alert(1)</script><rect width="64" height="64" fill="red"/></svg>`;
    const { transactions, metadata } = await signed.createTokenTransaction({
      name: '</title><script>alert(1)',
      symbol: '"><svg/onl',
      description: `${script}</script><script>alert(1)</script>\n{{7*7}} javascript:alert(1) </div><style>*{display:none}</style>`,
      image: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
      chainSlug: 'base-sepolia',
      userAddress: dave.address,
      links: {
        website: 'https://example.com/"onmouseover=alert(1)',
        twitter: 'https://evil.example/<script>alert(1)</script>',
        telegram: 'https://user:pass@evil.example/',
      },
      tags: ['<b>bold</b>', '"><script>', "' onclick=alert(1)"],
    });
    for (const { to, data, value } of transactions)
      await world.chain.wallet.send(dave, { to: to as Hex, data: data as Hex, value: BigInt(value), gas: 5_000_000n });
    await world.system.caughtUp();

    const { page, complaints } = await visit(`/token/${metadata.slug}`);
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await page.reload();
    await runs(page);
    expect(await page.title()).toBe('</title><script>alert(1) ("><svg/onl) · Mintage');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('</title><script>alert(1)');
    expect(await page.locator('.said-text').innerText()).toContain(script);
    expect(await page.locator('.tags li').allInnerTexts()).toEqual(['<b>bold</b>', '"><script>', "' onclick=alert(1)"]);
    for (const link of await page.locator('.said-links a').all()) {
      expect(await link.getAttribute('rel')).toBe('noopener nofollow ugc');
      expect(await link.getAttribute('href')).toMatch(/^https:\/\//);
      expect(await link.getAttribute('target')).toBe('_blank');
      await link.hover();
    }
    const pictures = await page.evaluate<string[]>('[...document.images].map((one) => one.src)');
    for (const picture of pictures) expect(picture).toMatch(/\/functions\/v1\/(ipfs|avatar)\//);
    expect(await page.locator('#app script, #app style').count()).toBe(0);
    expect(dialogs).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
