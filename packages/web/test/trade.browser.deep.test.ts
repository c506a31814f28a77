import { encodeCreate, launchpadAbi } from '@mintage/protocol';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { decodeFunctionData, erc20Abi, type Hex, numberToHex, parseEventLogs, parseUnits } from 'viem';
import { describe, expect, it } from 'vitest';
import type { SentTransaction, TestWallet } from './testWallet.ts';
import { hasNoFault, newDevice, useWorld, type Visit } from './world.ts';

/** Trades as people make them: a real browser, a wallet that keeps what it is asked, and the running service on local chains. */
// Blocks come when a trade or a test makes them, so that a test says how old a token is.
// The second chain is one whose pools are of the third version.
const world = useWorld({ heartbeat: false, env: { CHAINS: 'base-sepolia,bnb-testnet' } });

interface Trader extends Visit {
  wallet: TestWallet;
}

/** Somebody with a wallet that has gas and 10,000 dollars, on the page of a token. */
const openToken = async (path: string, options?: BrowserContextOptions): Promise<Trader> => {
  const context = await world.newContext(options);
  const wallet = await world.addWallet(context);
  return { ...(await world.visit(path, context)), wallet };
};

const act = (page: Page) => page.locator('.btn[data-step]');

const canTrade = (page: Page): Promise<void> =>
  page.locator('.btn[data-step="trade"], .btn[data-step="approve"], .btn[data-step="amount"]').first().waitFor();

/** The demo wallet comes a moment after the page; until then the other one is alone, and is taken without a choice. */
const canChoose = (page: Page): Promise<void> =>
  page.evaluate<void>(`new Promise((resolve) => {
    addEventListener('eip6963:announceProvider', ({ detail }) => detail.info.rdns === 'demo.wallet' && resolve());
    dispatchEvent(new Event('eip6963:requestProvider'));
  })`);

/** Connects the test wallet and signs in with it. */
const comeIn = async (page: Page): Promise<void> => {
  await canChoose(page);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('button', { name: 'Test wallet' }).click();
  await page.locator('.btn[data-step="signIn"]').click();
  await page.locator('.btn[data-step="signIn"]').waitFor({ state: 'hidden' });
};

/** What the page shows as its one number, base units, and in words. */
const shownLimit = async (page: Page): Promise<{ raw: bigint; text: string }> => {
  const value = page.locator('.least .v[data-limit]');
  const raw = await value.getAttribute('data-limit');
  return { raw: BigInt(raw ?? 0), text: (await value.innerText()).trim() };
};

const fill = (page: Page, amount: string): Promise<void> => page.locator('.pay input').fill(amount);

/** The call and the order in what the wallet was asked to sign. */
const orderIn = ({ to, data }: SentTransaction, { deployment } = world.chain) => {
  expect(to).toBe(deployment.launchpad.toLowerCase());
  const { functionName, args } = decodeFunctionData({ abi: launchpadAbi, data });
  const [order] = args as readonly [{ amount: bigint; limit: bigint; recipient: Hex; referral: Hex; token: Hex }];
  return { functionName, order };
};

const approvalIn = ({ to, data }: SentTransaction, { deployment } = world.chain) => {
  expect(to).toBe(deployment.usd.toLowerCase());
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data });
  expect(functionName).toBe('approve');
  const [spender, amount] = args as readonly [Hex, bigint];
  expect(spender.toLowerCase()).toBe(deployment.launchpad.toLowerCase());
  return amount;
};

/** Cut to whole units with groups, as the page shows thousands. */
const whole = (raw: bigint, decimals: number): string => (raw / 10n ** BigInt(decimals)).toLocaleString('en-US');

const ownRow = (page: Page) => page.locator('.own li').first();

/** Waits until so many own trades are in a block. */
const mined = async (page: Page, count: number): Promise<void> => {
  const kept = async (): Promise<unknown> =>
    JSON.parse((await page.evaluate<string | null>("localStorage.getItem('mintage trades')")) ?? '[]');
  const isIn = (trade: { blockNumber: number | null }): boolean => trade.blockNumber !== null;
  await expect.poll(async () => ((await kept()) as { blockNumber: number | null }[]).filter(isIn).length).toBe(count);
  await ownRow(page)
    .getByText(/^block /)
    .waitFor();
};

const blockIn = (text: string): number => Number(/block ([\d,]+)/.exec(text)?.[1]?.replaceAll(',', '') ?? 0);

/** Waits until the page prices by a block: before that a press would be for a price that is gone. */
const settled = async (page: Page, block = 0): Promise<void> => {
  const own = blockIn((await page.locator('.own').allInnerTexts()).join());
  const priced = async (): Promise<number> => blockIn(await page.locator('.least').innerText());
  await expect.poll(priced).toBeGreaterThanOrEqual(Math.max(own, block));
};

/** Presses, and reads what the page shows while the wallet holds the trade in its hands; then lets it sign. */
const signed = async (
  { page, wallet }: Trader,
  press: () => Promise<void>,
  { isOpening = false, chain = world.chain } = {},
) => {
  if (!isOpening) await settled(page);
  const before = wallet.sent().length;
  const shownBefore = await shownLimit(page);
  const gate = Promise.withResolvers<void>();
  const isTrade = (): boolean => wallet.sent().at(-1)?.to === chain.deployment.launchpad.toLowerCase();
  wallet.holdTrade = gate.promise;
  await press();
  await expect.poll(() => wallet.sent().length > before && isTrade()).toBe(true);
  const shown = await shownLimit(page);
  gate.resolve();
  const [first, second] = wallet.sent().slice(before) as [SentTransaction, SentTransaction | undefined];
  const order = orderIn(second ?? first, chain);
  // What is signed is what is shown, and no worse than what was shown when the button was pressed.
  expect(order.order.limit).toBe(shown.raw);
  const isLeast = order.functionName.endsWith('ExactIn');
  expect(isLeast ? shown.raw >= shownBefore.raw : shown.raw <= shownBefore.raw).toBe(true);
  return { ...order, shown, approved: second === undefined ? null : approvalIn(first, chain) };
};

/** Somebody else buys for so many dollars. */
const otherBuy = async (token: string, dollars: number): Promise<number> => {
  const found = await world.post<{ token: { primary_evm_address: Hex } }>('/search-token', { input: token });
  return (await world.buy(found.token.primary_evm_address, String(dollars))).blockNumber;
};

let salt = 0;
/** A new token of carol's, as the page's address has it, whose creation is the newest block. */
const newToken = async (poolType: 7 | 9 = 7): Promise<Hex> => {
  salt += 1;
  const data = encodeCreate({
    name: `Window ${salt}`,
    symbol: 'WIN',
    uri: 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
    salt: numberToHex(salt, { size: 32 }),
    poolType,
    deadline: BigInt(Math.floor(Date.now() / 1_000) + 100_000),
  });
  const { logs } = await world.chain.wallet.send(world.chain.accounts.carol, {
    to: world.chain.deployment.launchpad,
    data,
  });
  const [created] = parseEventLogs({
    abi: launchpadAbi,
    eventName: 'TokenCreated',
    logs: logs as unknown as Parameters<typeof parseEventLogs>[0]['logs'],
  });
  await world.system.caughtUp();
  return (created as unknown as { args: { token: Hex } }).args.token;
};

const mine = async (blocks: number): Promise<void> => {
  for (let block = 0; block < blocks; block += 1) await world.chain.rpc('evm_mine');
};

describe('the four kinds', () => {
  it('sign exactly what is shown: dollars, tokens, and back; the referral of the link is in each', async () => {
    const trader = await openToken('/token/paper-boat?ref=0xb0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0');
    const { page, wallet, complaints } = trader;
    await comeIn(page);
    await canTrade(page);

    await page.locator('.btn[data-step="approve"]').getByText('Approve exactly 100 USDC').waitFor();
    const forDollars = await signed(trader, () => act(page).click());
    expect(forDollars).toMatchObject({ functionName: 'buyExactIn', approved: 100_000_000n });
    expect(forDollars.order).toMatchObject({ amount: 100_000_000n, recipient: wallet.account.address });
    expect(forDollars.shown.text).toBe(`${whole(forDollars.shown.raw, 18)} BOAT`);
    expect(await page.locator('.key').innerText()).toContain('Referrer');
    await mined(page, 1);

    await page.locator('.unit').click();
    await fill(page, '1,234.5');
    await page.locator('.btn[data-step="approve"]').waitFor();
    const exactTokens = await signed(trader, () => act(page).click());
    expect(exactTokens).toMatchObject({ functionName: 'buyExactOut', order: { amount: parseUnits('1234.5', 18) } });
    expect(exactTokens.approved).toBe(exactTokens.shown.raw);
    // What is asked for at most is never shown as less than it is.
    expect(parseUnits(exactTokens.shown.text.replace(' USDC', ''), 6)).toBeGreaterThanOrEqual(exactTokens.shown.raw);
    await mined(page, 2);

    await page.getByRole('tab', { name: 'Sell' }).click();
    await page.getByRole('button', { name: '50 %' }).click();
    await page.locator('.btn[data-step="trade"]').waitFor();
    const typed = await page.locator('.pay input').inputValue();
    const half = await signed(trader, () => act(page).click());
    expect(half).toMatchObject({
      functionName: 'sellExactIn',
      order: { amount: parseUnits(typed, 18) },
      approved: null,
    });
    expect(parseUnits(half.shown.text.replace(' USDC', ''), 6)).toBeLessThanOrEqual(half.shown.raw);
    await mined(page, 3);

    await page.locator('.unit').click();
    await fill(page, '5');
    await page.locator('.btn[data-step="trade"]').getByText('Sell for exactly 5 USDC').waitFor();
    const dollars = await signed(trader, () => act(page).click());
    expect(dollars).toMatchObject({ functionName: 'sellExactOut', order: { amount: 5_000_000n } });
    await mined(page, 4);

    for (const { order } of [forDollars, exactTokens, half, dollars])
      expect(order.referral.toLowerCase()).toBe('0xb0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0');
    expect(complaints).toEqual([]);
  });

  it('are computed in the page: no request is between a key and its number', async () => {
    const { page } = await openToken('/token/harbour-works');
    await page.locator('.least .v[data-limit]').waitFor();
    // Nothing is answered any more, and still every key has its number.
    await page.route('**/functions/v1/**', () => undefined);
    let last = await shownLimit(page);
    await page.locator('.pay input').press('End');
    for (const digit of '137') {
      await page.locator('.pay input').press(digit);
      await expect.poll(async () => (await shownLimit(page)).raw > last.raw, { interval: 10 }).toBe(true);
      last = await shownLimit(page);
    }
    expect(await page.locator('.pay input').inputValue()).toBe('100137');
  });
});

describe('the opening', () => {
  it('is waited for: it buys by itself once the chain says 1 %', async () => {
    const trader = await openToken('/token/paper-boat');
    const { page, wallet } = trader;
    await comeIn(page);
    await canTrade(page);
    const token = await newToken();
    await world.go(page, `/token/${token}`);
    await page.getByText('80 % now, 1 % in 6 s').waitFor();
    expect(await page.locator('.clock p').innerText()).toContain('times as much');
    await page.getByRole('button', { name: 'Buy when it reaches 1 %' }).click();
    await page.getByText(/^Waiting for 1 %/).waitFor();
    // It is for the chain to say that it is over.
    const prepared: string[] = [];
    page.on('request', (request) => request.url().endsWith('/trade-token') && prepared.push(request.url()));
    await page.waitForTimeout(500);
    expect(prepared).toEqual([]);
    await page.getByRole('button', { name: 'Stop waiting' }).waitFor();
    const { order, shown } = await signed(trader, () => world.chain.advance(7), { isOpening: true });
    expect(order.amount).toBe(100_000_000n);
    expect(shown.raw).toBeGreaterThan(parseUnits('8000000', 18));
    await ownRow(page)
      .getByText(/^block /)
      .waitFor();
    expect(wallet.sent()).toHaveLength(2);
  });

  it('buys once: no press while it waits buys too, also where this device is sure that it is over', async () => {
    const trader = await openToken('/token/paper-boat');
    const { page, wallet } = trader;
    await comeIn(page);
    await world.go(page, `/token/${await newToken()}`);
    await page.getByRole('button', { name: 'Buy when it reaches 1 %' }).click();
    // The service is slow, and seconds pass here.
    const held = Promise.withResolvers<void>();
    await page.route(/quote/, (route) => held.promise.then(() => route.continue()));
    await page.getByText('1 %, the opening is over').waitFor();
    expect(await act(page).isEnabled()).toBe(false);
    await page.getByRole('button', { name: 'Stop waiting' }).waitFor();
    held.resolve();
    await world.chain.advance(7);
    await mined(page, 1);
    expect(wallet.sent()).toHaveLength(2);
  });

  it('can be stopped, and bought in at once, at the fee that the button says', async () => {
    const trader = await openToken('/token/paper-boat');
    const { page, wallet } = trader;
    await comeIn(page);
    await canTrade(page);
    const token = await newToken();
    await world.go(page, `/token/${token}`);
    await page.getByRole('button', { name: 'Buy when it reaches 1 %' }).click();
    await page.getByRole('button', { name: 'Stop waiting' }).click();
    const now = page.getByRole('button', { name: /^Buy now, .* of 100.00 USDC is fee/ });
    const label = await now.innerText();
    const fee = Number(/Buy now, ([\d.]+)/.exec(label)?.[1]);
    expect([80, 66.84, 53.67, 40.5, 27.34, 14.17]).toContain(fee);
    const before = wallet.sent().length;
    await now.click();
    await expect.poll(() => wallet.sent().length).toBe(before + 2);
    const { order } = orderIn(wallet.sent().at(-1) as SentTransaction);
    // The least that is signed is by a fee that only falls: at 80 % of 100 dollars no more than 2 million are promised.
    expect(order.limit).toBeGreaterThan(parseUnits('1000000', 18));
    await ownRow(page)
      .getByText(/^block /)
      .waitFor();
  });
});

/** What somebody has of a token and of dollars. */
const held = async (token: Hex, owner: Hex, chain = world.chain) => ({
  tokens: await world.balanceOf(token, owner, chain),
  usd: await world.balanceOf(chain.deployment.usd, owner, chain),
});

const addressOf = async (reference: string): Promise<Hex> =>
  (await world.api.getTokenAbout({ token_id: reference })).token.primary_evm_address as Hex;

/** Waits for a price that is good for longer than one of the curve is. */
const pricedByPool = (page: Page): Promise<void> =>
  page
    .locator('.least')
    .getByText(/valid (1[6-9]|2\d|30) s/)
    .waitFor();

describe('the pool', () => {
  it.each([
    ['base-sepolia', 'lighthouse', 'uniswap_v4'],
    ['bnb-testnet', 'lighthouse-on-bnb-smart-chain-testnet', 'pancake_v3'],
  ] as const)('on %s takes all four kinds, and gives what was shown or better', async (slug, path, venue) => {
    const chain = world.chainOf(slug);
    expect(chain.chain.venue?.kind).toBe(venue);
    const decimals = { usd: chain.deployment.usdDecimals, tokens: 18 };
    const trader = await openToken(`/token/${path}`);
    const { page, wallet, complaints } = trader;
    await world.fund(wallet.account.address, '10000', chain);
    const token = await addressOf(path);
    if (slug !== 'base-sepolia') wallet.unknown.add(chain.chain.chainId);
    await comeIn(page);
    if (slug !== 'base-sepolia') {
      await page.getByRole('button', { name: 'Switch to BNB Testnet' }).click();
      const { chains } = await world.api.chains();
      const said = chains.find((one) => one.slug === slug) ?? expect.fail();
      await canTrade(page);
      expect(wallet.asked.filter(({ method }) => method === 'wallet_addEthereumChain')).toEqual([
        {
          method: 'wallet_addEthereumChain',
          params: [
            {
              chainId: numberToHex(said.chainId),
              chainName: said.name,
              rpcUrls: [said.rpcUrl],
              nativeCurrency: said.nativeCurrency,
              ...(said.explorerUrl !== null && { blockExplorerUrls: [said.explorerUrl] }),
            },
          ],
        },
      ]);
    }
    await pricedByPool(page);

    let done = 0;
    const does = async (kind: string, gives: 'usd' | 'tokens', amount: string, isExactIn: boolean) => {
      const gets = gives === 'usd' ? 'tokens' : 'usd';
      const before = await held(token, wallet.account.address, chain);
      const { functionName, order, shown, approved } = await signed(trader, () => act(page).click(), { chain });
      expect(functionName).toBe(kind);
      expect(order).toMatchObject({
        token: expect.stringMatching(new RegExp(token, 'i')),
        recipient: wallet.account.address,
      });
      const exact = parseUnits(amount, decimals[isExactIn ? gives : gets]);
      expect(order.amount).toBe(exact);
      done += 1;
      await mined(page, done);
      const after = await held(token, wallet.account.address, chain);
      const [given, got] = [before[gives] - after[gives], after[gets] - before[gets]];
      if (isExactIn) expect([given, got >= order.limit]).toEqual([exact, true]);
      else expect([got, given <= order.limit]).toEqual([exact, true]);
      const counts = isExactIn === (gets === 'usd') ? 'usd' : 'tokens';
      const text = parseUnits(shown.text.replace(/,| .*$/g, ''), decimals[counts]);
      expect(isExactIn ? text <= order.limit : text >= order.limit).toBe(true);
      return { approved, order };
    };

    await fill(page, '250');
    await page.locator('.btn[data-step="approve"]').getByText('Approve exactly 250 USDC').waitFor();
    const bought = await does('buyExactIn', 'usd', '250', true);
    expect(bought.approved).toBe(parseUnits('250', decimals.usd));

    await page.locator('.unit').click();
    await fill(page, '50,000.5');
    await page.locator('.btn[data-step="approve"]').waitFor();
    const exactly = await does('buyExactOut', 'usd', '50000.5', false);
    expect(exactly.approved).toBe(exactly.order.limit);

    // The launchpad takes a token of its own without an approval, in the pool too.
    await page.getByRole('tab', { name: 'Sell' }).click();
    await fill(page, '12,000.25');
    await page.locator('.btn[data-step="trade"]').waitFor();
    expect((await does('sellExactIn', 'tokens', '12000.25', true)).approved).toBe(null);

    await page.locator('.unit').click();
    await fill(page, '7.5');
    await page.locator('.btn[data-step="trade"]').getByText('Sell for exactly 7.5 USDC').waitFor();
    expect((await does('sellExactOut', 'tokens', '7.5', false)).approved).toBe(null);
    expect(complaints).toEqual([]);
  });

  it('is gone over to by the box itself while the page is open', async () => {
    const token = await newToken(9);
    await world.chain.advance(7);
    await world.buy(token, '20');
    await world.system.caughtUp();
    const trader = await openToken(`/token/${token}`);
    const { page, wallet, complaints } = trader;
    await comeIn(page);
    await canTrade(page);
    await fill(page, '3');
    await page.locator('.least .v[data-limit]').waitFor();
    expect(await page.locator('.least').innerText()).toMatch(/valid (\d|1[0-5]) s/);
    await world.graduate(token, '300');
    await pricedByPool(page);
    const before = await held(token, wallet.account.address);
    const { order, functionName, approved } = await signed(trader, () => act(page).click());
    expect([functionName, order.amount, approved]).toEqual(['buyExactIn', 3_000_000n, 3_000_000n]);
    await mined(page, 1);
    const after = await held(token, wallet.account.address);
    expect(before.usd - after.usd).toBe(3_000_000n);
    expect(after.tokens - before.tokens).toBeGreaterThanOrEqual(order.limit);
    expect(complaints).toEqual([]);
  });
});

describe('a wallet that takes several calls as one', () => {
  it('approves and trades in one batch, and a refusal leaves everything as it was', async () => {
    const trader = await openToken('/token/harbour-works');
    const { page, wallet, complaints } = trader;
    wallet.isAtomic = true;
    const token = await addressOf('harbour-works');
    await comeIn(page);
    await canTrade(page);
    await fill(page, '60');
    await page.getByText('Approve exactly 60 USDC').waitFor();
    await settled(page);
    wallet.refuses.add('wallet_sendCalls');
    await act(page).click();
    await page.getByText('Your wallet refused. Nothing was sent').waitFor();
    expect(await ownRow(page).count()).toBe(0);
    wallet.refuses.clear();

    const before = await held(token, wallet.account.address);
    const gate = Promise.withResolvers<void>();
    wallet.holdTrade = gate.promise;
    await act(page).click();
    await expect.poll(() => wallet.batches().length).toBe(2);
    const shown = await shownLimit(page);
    gate.resolve();
    const batch = wallet.batches()[1] ?? expect.fail();
    expect(batch).toMatchObject({ atomicRequired: true, chainId: numberToHex(world.chain.chain.chainId) });
    expect(batch.calls).toHaveLength(2);
    const [approval, trade] = batch.calls as [SentTransaction, SentTransaction];
    expect(approvalIn(approval)).toBe(60_000_000n);
    const { functionName, order } = orderIn(trade);
    expect([functionName, order.amount, order.limit]).toEqual(['buyExactIn', 60_000_000n, shown.raw]);
    await mined(page, 1);
    const after = await held(token, wallet.account.address);
    expect(before.usd - after.usd).toBe(60_000_000n);
    expect(after.tokens - before.tokens).toBeGreaterThanOrEqual(order.limit);
    expect(wallet.sent()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('that never says what became of it: the page says what it knows, also after a reload, and sends nothing again', async () => {
    const { page, wallet } = await openToken('/token/harbour-works');
    wallet.isAtomic = true;
    wallet.tellsStatus = false;
    await comeIn(page);
    await canTrade(page);
    await settled(page);
    await act(page).click();
    await ownRow(page).getByText('in your wallet').waitFor();
    await expect.poll(() => wallet.batches().length).toBe(1);
    await page.reload();
    await ownRow(page).getByText('in your wallet').waitFor();
    wallet.tellsStatus = true;
    await mined(page, 1);
    expect(wallet.batches()).toHaveLength(1);
  });
});

describe('what can happen', () => {
  it('a wallet that refuses is told calmly, and nothing is lost', async () => {
    const { page, wallet } = await openToken('/token/paper-boat');
    await comeIn(page);
    await canTrade(page);
    await fill(page, '12');
    await page.locator('.btn[data-step="approve"]').waitFor();
    wallet.refuses.add('eth_sendTransaction');
    await act(page).click();
    await page.getByText('Your wallet refused. Nothing was sent').waitFor();
    expect(await page.locator('.pay input').inputValue()).toBe('12');
    expect(await ownRow(page).count()).toBe(0);
    expect(await page.evaluate("localStorage.getItem('mintage trades')")).toBe('[]');
    wallet.refuses.clear();
    await act(page).click();
    await ownRow(page)
      .getByText(/^block /)
      .waitFor();
  });

  it('on another chain only the button changes', async () => {
    const { page, wallet } = await openToken('/token/paper-boat');
    await comeIn(page);
    await canTrade(page);
    const figures = await page.locator('.lines').innerText();
    await page.evaluate(() => (globalThis as unknown as { goToChain(chainId: number): void }).goToChain(97));
    await page.getByRole('button', { name: 'Switch to Base Sepolia' }).waitFor();
    expect(await page.locator('.lines').innerText()).toBe(figures);
    await act(page).click();
    await page.locator('.btn[data-step="approve"]').waitFor();
    expect(wallet.asked.some(({ method }) => method === 'wallet_switchEthereumChain')).toBe(true);
  });

  it('a service that is slow, dead and there again: said in words, and the trade goes on', async () => {
    const { page, wallet } = await openToken('/token/paper-boat');
    await comeIn(page);
    await canTrade(page);
    await page.locator('.btn[data-step="approve"]').waitFor();
    await page.route('**/functions/v1/trade-token', (route) => route.abort());
    await act(page).click();
    await page.getByText('The service does not answer.').waitFor();
    await hasNoFault(page, 'a service that is dead', [1280]);
    expect(wallet.sent()).toEqual([]);
    await page.unroute('**/functions/v1/trade-token');
    await page.route('**/functions/v1/trade-token', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await route.continue();
    });
    await act(page).click();
    await page.getByText('Checking the order').waitFor();
    await ownRow(page)
      .getByText(/^block /)
      .waitFor();
    expect(wallet.sent()).toHaveLength(2);
  });

  it('a price that moved is shown old and new, and needs another press', async () => {
    const trader = await openToken('/token/night-train');
    const { page, wallet } = trader;
    await comeIn(page);
    await canTrade(page);
    await page.locator('.btn[data-step="approve"]').waitFor();
    // What the page knows stays as it is, while somebody buys.
    await page.route('**/functions/v1/quote-token', () => undefined);
    const block = await otherBuy('night-train', 400);
    await act(page).click();
    await page.getByText(/^The price moved: instead of [\d,]+ NIGHT now [\d,]+ NIGHT/).waitFor();
    await hasNoFault(page, 'a price that moved', [1280]);
    expect(wallet.sent()).toEqual([]);
    await page.unroute('**/functions/v1/quote-token');
    await page.reload();
    await page.locator('.btn[data-step="approve"]').waitFor();
    await settled(page, block);
    await signed(trader, () => act(page).click());
  });

  it('pending through a reload and in two tabs; taken back by the chain; and the way back', async () => {
    const { page, context, wallet } = await openToken('/token/paper-boat');
    await world.go(page, '/');
    await world.go(page, '/token/paper-boat');
    await comeIn(page);
    await canTrade(page);
    await page.locator('.btn[data-step="approve"]').waitFor();
    const { page: other } = await world.visit('/token/paper-boat', context);
    await act(page).click();
    await ownRow(page)
      .getByText(/^block /)
      .waitFor();
    await ownRow(other)
      .getByText(/^block /)
      .waitFor();

    // The block is gone, and the trade with it.
    await world.chain.rpc('anvil_reorg', [1, []]);
    await mine(2);
    await ownRow(page).getByText('taken back by the chain').waitFor();
    expect(await ownRow(page).locator('s').count()).toBe(1);
    await ownRow(other).getByText('taken back by the chain').waitFor();
    await hasNoFault(page, 'own trades', [1280]);

    // It waits in no block while the page is loaded again.
    await other.close();
    await world.chain.rpc('evm_setAutomine', [false]);
    await fill(page, '100');
    await page.locator('.btn[data-step="trade"]').waitFor();
    const before = wallet.sent().length;
    await act(page).click();
    await expect.poll(() => wallet.sent().length).toBe(before + 1);
    await ownRow(page).getByText('sent', { exact: true }).waitFor();
    await page.reload();
    await ownRow(page).getByText('sent', { exact: true }).waitFor();
    await page.locator('.trades tr').getByText('sent', { exact: true }).waitFor();
    await world.chain.rpc('evm_setAutomine', [true]);
    await mine(1);
    await ownRow(page)
      .getByText(/^block /)
      .waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Market' }).waitFor();
    await page.goForward();
    await ownRow(page)
      .getByText(/^block /)
      .waitFor();

    // Who comes after does not see it.
    await world.go(page, '/account');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await world.go(page, '/token/paper-boat');
    await act(page).waitFor();
    expect(await ownRow(page).count()).toBe(0);
  });

  it('without money the devnet gives some', async () => {
    const { page } = await openToken('/token/paper-boat');
    await comeIn(page);
    await canTrade(page);
    await fill(page, '20000');
    await page.getByRole('button', { name: 'Not enough USDC' }).waitFor();
    await page.getByRole('button', { name: 'Get test dollars' }).click();
    await page.locator('.btn[data-step="approve"]').waitFor();
    // That much moves the price: it has to be accepted.
    await page.getByRole('button', { name: 'Accept the price impact first' }).waitFor();
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Approve exactly 20,000 USDC' }).waitFor();
  });

  it('keys b, s and Escape, unless they are turned off', async () => {
    const { page } = await openToken('/token/paper-boat');
    await page.locator('.least .v[data-limit]').waitFor();
    await page.keyboard.press('s');
    expect(await page.getByRole('tab', { name: 'Sell' }).getAttribute('aria-selected')).toBe('true');
    await page.locator('.pay input:focus').waitFor();
    await page.locator('.pay input').blur();
    await page.keyboard.press('b');
    expect(await page.getByRole('tab', { name: 'Buy' }).getAttribute('aria-selected')).toBe('true');
    await page.locator('.pay input').blur();
    await page.evaluate(() => localStorage.setItem('mintage keys', 'false'));
    await page.keyboard.press('s');
    expect(await page.getByRole('tab', { name: 'Buy' }).getAttribute('aria-selected')).toBe('true');
  });
});

describe('without a wallet', () => {
  it('the service sends it, and its refusals are said in words', async () => {
    const context = await world.newContext();
    const session = await world.issuedTo('no-wallet');
    await world.keep(context, { session });
    const { page } = await world.visit('/token/paper-boat', context);
    await fill(page, '20');
    const asked = page.waitForRequest((request) => Boolean(request.postData()?.includes('"execute":true')));
    await page.getByRole('button', { name: /^Buy [\d,]+ BOAT/ }).click();
    // What the service signs is no worse than what is shown now.
    const { limitAmountRaw } = (await asked).postDataJSON() as { limitAmountRaw: string };
    expect(BigInt(limitAmountRaw)).toBe((await shownLimit(page)).raw);
    await ownRow(page)
      .getByText(/^(sent|block .*)$/)
      .waitFor();
    await ownRow(page)
      .getByText(/^block /)
      .waitFor();
    await fill(page, '2000');
    await page.getByRole('button', { name: 'Not enough USDC' }).waitFor();
    await page.getByRole('button', { name: 'Get test dollars' }).waitFor();

    // In the hands of a key with a budget.
    const budget = { perTradeUsd: 12, perDayUsd: 15 };
    const made = await world.post<{ key: string }>(
      '/api-keys',
      { name: 'page', scopes: ['read', 'prepare', 'execute'], budget },
      session.accessToken,
    );
    await world.keep(context, { session: { ...session, accessToken: made.key } });
    await fill(page, '13');
    await page.getByRole('button', { name: /^Buy [\d,]+ BOAT/ }).click();
    const said = page.getByText(
      'This is more than your wallet’s budget allows. Lower the amount, or wait until tomorrow.',
    );
    await said.waitFor();
    await fill(page, '11');
    expect(await said.count()).toBe(0);
    await act(page).click();
    await mined(page, 2);

    await world.keep(context, { session });
    await world.post('/execution/pause', {}, session.accessToken);
    await fill(page, '11');
    await settled(page);
    await act(page).click();
    await page.getByText('Signing is paused for your wallet. Resume it in your account.').waitFor();
    await mined(page, 2);
  });

  it('an account that one lost passkey would lock is offered a second way in when it begins to wait, and buys by itself then', async () => {
    const { page } = await world.visit('/account');
    await newDevice(page);
    await page.getByRole('button', { name: 'New account with a passkey' }).click();
    await page.getByText('1,000 USDC').first().waitFor();
    await world.go(page, `/token/${await newToken()}`);
    await page.getByRole('button', { name: 'Buy when it reaches 1 %' }).click();
    await page
      .getByRole('dialog', { name: 'Add a second way in first' })
      .getByRole('button', { name: 'Go on without' })
      .click();
    await page.getByText(/^Waiting for 1 %/).waitFor();
    await world.chain.advance(7);
    await ownRow(page)
      .getByText(/^(sent|block .*)$/)
      .waitFor();
  });
});

describe('how it looks', () => {
  it.each([1280, 360])('has no fault that axe finds and no sideways scroll, %i px wide', async (width) => {
    const { page, complaints } = await openToken('/token/paper-boat', { viewport: { width, height: 800 } });
    // On a phone the box is a sheet that is opened first.
    const widths = width === 360 ? [360] : [1280, 640];
    const box = async (): Promise<void> => {
      if (width === 360) await page.getByRole('button', { name: 'Buy', exact: true }).click();
    };
    await box();
    await page.locator('.least .v[data-limit]').waitFor();
    await page.locator('.slippage summary').click();
    await hasNoFault(page, 'the box with its slippage', widths);
    await canChoose(page);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('dialog', { name: 'Connect a wallet' }).waitFor();
    await hasNoFault(page, 'the choice of a wallet', widths);
    await world.go(page, `/token/${await newToken()}`);
    await box();
    await page.locator('.clock').waitFor();
    await hasNoFault(page, 'the opening', widths);
    expect(complaints).toEqual([]);
  });
});
