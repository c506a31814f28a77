import type { DevChain } from '@mintage/devnet';
import { encodeOrder } from '@mintage/protocol';
import { createReader } from '@mintage/sdk';
import type { EmbedKind, PageName } from '@mintage/web/paths';
import type { BrowserContext, Page } from 'playwright-core';
import { type Hex, maxUint256, zeroAddress } from 'viem';

/** What a state is brought about with: the real service and its chains. */
export interface Stage {
  page: Page;
  context: BrowserContext;
  /** Address of the pages, without a slash at its end. */
  url: string;
  chain: DevChain;
}

export interface State {
  name: string;
  /** Who looks: nobody in particular, somebody with a wallet who is signed in, or somebody whose account is new. Absent: nobody. */
  who?: 'alice' | 'newcomer';
  /** Path of the page with its query. Absent: that of the page's example. */
  path?: string;
  /** What the service's answers to this visit are: none comes, or each is refused. Absent: as they are. */
  answers?: 'none' | 'refused';
  /** Brings it about, once the page is there. */
  act?(stage: Stage): Promise<void>;
}

/** Each page as it is, while it waits, and when all that it asks is refused. */
const always: readonly State[] = [
  { name: 'as it is' },
  { name: 'loading', answers: 'none' },
  { name: 'error', answers: 'refused' },
];

/** Until the page says that nothing answers. */
const loseConnection = async ({ page, context }: Stage): Promise<void> => {
  await context.setOffline(true);
  await page.locator('html[data-offline]').waitFor({ timeout: 20_000 });
};

const offline: State = { name: 'offline', act: loseConnection };

/** Somebody buys, and the chain takes back the block that it is in. */
const takeBack = async ({ page, chain, url }: Stage): Promise<void> => {
  const { token } = await createReader({ baseUrl: url }).getTokenAbout({ token_id: 'paper-boat' });
  const { alice } = chain.accounts;
  const terms = { token: token.primary_evm_address as Hex, amount: 60_000_000n, limit: 0n, recipient: alice.address };
  const nobody = { builder: zeroAddress, builderBps: 0n, referral: zeroAddress, deadline: maxUint256 };
  const data = encodeOrder('buyExactIn', { ...terms, ...nobody });
  // The chain counts the account's transactions itself: a wallet would go on from the one that is taken back.
  await chain.rpc('anvil_impersonateAccount', [alice.address]);
  await chain.rpc('eth_sendTransaction', [{ from: alice.address, to: chain.deployment.launchpad, data }]);
  await page.waitForTimeout(1_500);
  await chain.rpc('anvil_reorg', [3, []]);
  await page.waitForTimeout(2_500);
};

const ofPerson: readonly State[] = [
  { name: 'nobody signed in' },
  { name: 'as it is', who: 'alice' },
  { name: 'empty', who: 'newcomer' },
  { name: 'loading', who: 'alice', answers: 'none' },
  { name: 'error', who: 'alice', answers: 'refused' },
];

/** A page's example, and the states that it is shown in. */
export interface Shown {
  path: string;
  states: readonly State[];
}

/**
 * All pages of the app by their names, and what else is worth seeing.
 *
 * @param mined - A transaction that the service knows.
 */
export const shownPages = (mined: { chain: string; hash: string }): Readonly<Record<string, Shown>> => {
  const unsentHash = `0x${'0'.repeat(63)}1`;
  return {
    home: {
      path: '/',
      states: [
        ...always,
        { name: 'empty', path: '/?q=nothing-is-called-so' },
        { name: 'graduated', path: '/?stage=graduated' },
        offline,
      ],
    },
    token: {
      path: '/token/paper-boat',
      states: [
        ...always,
        { name: 'with a wallet', who: 'alice' },
        { name: 'graduated', path: '/token/lighthouse' },
        { name: 'without a trade', path: '/token/first-light' },
        { name: 'taken back by the chain', act: takeBack },
        offline,
      ],
    },
    tx: {
      path: `/tx/${mined.chain}/${mined.hash}`,
      states: [...always, { name: 'not there', path: `/tx/${mined.chain}/${unsentHash}` }],
    },
    leaderboard: { path: '/leaderboard', states: always },
    join: { path: '/join/no-such-code', states: always },
    solvency: { path: '/solvency', states: always },
    create: { path: '/create', states: [{ name: 'nobody signed in' }, { name: 'as it is', who: 'alice' }] },
    portfolio: { path: '/portfolio', states: ofPerson },
    rewards: { path: '/rewards', states: ofPerson },
    account: { path: '/account', states: ofPerson },
    notFound: { path: '/token/there-is-no-such-token', states: [{ name: 'as it is' }] },
    trade: {
      path: '/embed/trade/paper-boat',
      states: [
        { name: 'as it is' },
        { name: 'graduated', path: '/embed/trade/lighthouse' },
        { name: 'unknown', path: '/embed/trade/none' },
      ],
    },
    price: { path: '/embed/price/paper-boat', states: [{ name: 'as it is' }] },
  };
};

/** Names of pages that are no page of the table above: they would be missing on the sheet. */
export const missingOn = (pages: Readonly<Record<string, Shown>>, all: readonly (PageName | EmbedKind)[]): string[] =>
  all.filter((name) => pages[name] === undefined);
