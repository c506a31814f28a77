/**
 * `npm run demo`: the main job against a running `npm start`, with fresh wallets. Every quote is compared with what the
 * chain did, and the sums are closed from the chain alone. Exits 1 when anything is off.
 *
 * Service: PUBLIC_URL, else http://127.0.0.1:8080. Chain: the first local one, or `npm run demo -- <slug>`. Who signs people
 * without a wallet in: ISSUER_URL, else http://127.0.0.1:8089.
 */
import { until } from '@mintage/devnet/until';
import {
  type Base58,
  encodeApprove,
  families,
  formatUnits,
  launchpadAbi,
  parseUnits,
  requireBase58,
} from '@mintage/protocol';
import { type Address, encodeFunctionData, getAddress, parseEventLogs } from 'viem';
import { closeTokenBooks, closeVaultBooks } from './demo/books.ts';
import { feesOf, openChain, tradesIn } from './demo/chain.ts';
import { crossAndComeBack, type FarChain } from './demo/crossing.ts';
import { demoFox } from './demo/demoFox.ts';
import { buyThroughForeignRouter } from './demo/foreignRouter.ts';
import { newPerson, type Person, withApiKey } from './demo/person.ts';
import { createReport, short } from './demo/report.ts';
import { openService } from './demo/service.ts';
import { SolanaChain } from './demo/solana/chain.ts';
import { playOnSolana } from './demo/solana/story.ts';
import type { Stage as SolanaStage } from './demo/solana/trade.ts';
import { compare, type DemoToken, describe, type Stage, trade } from './demo/trade.ts';
import { tradeWithoutWallet } from './demo/walletless.ts';

const baseUrl = (process.env.PUBLIC_URL ?? 'http://127.0.0.1:8080').replace(/\/+$/, '');
const issuerUrl = process.env.ISSUER_URL ?? 'http://127.0.0.1:8089';
const report = createReport();
const service = openService(baseUrl);

type Served = Awaited<ReturnType<typeof service<'chains'>>>['chains'][number];

/** The local chain that is named, or the first. @throws Error where the story plays on none. */
const chosenChain = async (slug: string | undefined): Promise<Served & { rpcUrl: string }> => {
  const { chains } = await service('chains', {});
  const told = chains.filter(({ local, venue }) => local && (venue === 'uniswap_v4' || venue === 'mintage_pool'));
  const chosen = told.find((chain) => slug === undefined || chain.slug === slug);
  if (!chosen?.rpcUrl)
    throw new Error(
      `The service at ${baseUrl} shows no local chain ${slug ?? ''} with Uniswap v4 or a pool of the launchpad's own, where this story plays. Choose one of: ${told.map((one) => one.slug).join(', ')}.`,
    );
  return { ...chosen, rpcUrl: chosen.rpcUrl };
};

const solanaStageOn = ({ slug, rpcUrl, contracts, dollarToken }: Served & { rpcUrl: string }): SolanaStage => {
  const program = requireBase58(contracts.launchpad as Base58);
  return {
    report,
    chain: new SolanaChain(rpcUrl, program),
    slug: slug as SolanaStage['slug'],
    program,
    usd: requireBase58(dollarToken.address as Base58),
    usdDecimals: dollarToken.decimals,
  };
};

const stageOn = (chosen: Served & { rpcUrl: string }): Stage => ({
  report,
  chain: openChain(chosen.rpcUrl),
  slug: chosen.slug,
  launchpad: chosen.contracts.launchpad as Address,
  lens: chosen.contracts.lens as Address,
  poolManager: chosen.contracts.poolManager as Address,
  poolHook: chosen.contracts.poolHook as Address,
  usd: chosen.dollarToken.address as Address,
  usdDecimals: chosen.dollarToken.decimals,
  tokenBridge: chosen.contracts.tokenBridge as Address | null,
});

/** The next local chain to which tokens can go; null: there is none. */
const openFarChain = async ({ slug, tokenBridge }: Stage): Promise<FarChain | null> => {
  const { chains } = await service('chains', {});
  const other = chains.find((one) => one.slug !== slug && one.local && one.contracts.tokenBridge !== null);
  if (tokenBridge === null || !other?.rpcUrl) return null;
  return { slug: other.slug, chain: openChain(other.rpcUrl) };
};

/** Dollars that everybody starts with. */
const startUsd = 100_000;

const signInAndMint = async (stage: Stage, names: readonly string[]): Promise<Person[]> => {
  report.title('Fresh wallets sign in and mint test dollars');
  const people: Person[] = [];
  for (const name of names) {
    const person = await newPerson(name, service, stage.chain);
    const { transaction } = await person.ask('mintUsd', {
      chainSlug: stage.slug,
      userAddress: person.account.address,
      amount: startUsd,
    });
    await person.sendAll([transaction]);
    const minted = await stage.chain.balanceOf(stage.usd, person.account.address);
    report.check('the minted dollars arrived', parseUnits(String(startUsd), stage.usdDecimals), minted);
    people.push(person);
  }
  report.line(`${names.join(', ')}: $${short(String(startUsd))} each`);
  return people;
};

const create = async (stage: Stage, creator: Person): Promise<{ token: DemoToken; fromBlock: bigint }> => {
  report.title('A token is created, with an initial buy in the same transaction');
  const answer = await creator.ask('createTokenTransaction', {
    ...demoFox,
    chainSlug: stage.slug,
    userAddress: creator.account.address,
    amountIn: 20,
  });
  const receipts = await creator.sendAll(answer.transactions);
  const receipt = receipts.at(-1);
  const [created] = parseEventLogs({ abi: launchpadAbi, eventName: 'TokenCreated', logs: receipt?.logs ?? [] });
  const [bought] = receipt ? tradesIn(receipt) : [];
  if (!receipt || !created || !bought || !answer.quote) throw new Error('The creation made no token or no buy.');
  const token = {
    id: answer.metadata.tokenId,
    address: created.args.token,
    symbol: 'DFOX',
    created: Number(created.args.created),
  };
  report.check(
    'the address is the one foretold',
    getAddress(answer.metadata.addresses.evm as Address),
    getAddress(token.address),
  );
  await compare(stage, token, answer.quote, bought, receipt);
  const logo = await fetch(answer.metadata.logo);
  report.check('the logo is served', 'image', logo.headers.get('content-type')?.split('/')[0] ?? String(logo.status));
  report.line(`${answer.metadata.name} (${token.symbol}) at ${token.address}, ${answer.metadata.tokenUri}`);
  report.line(describe(stage, token, creator, bought));
  return { token, fromBlock: receipt.blockNumber };
};

/**
 * A buy while the opening fee falls. Mined in the second it was quoted for, it must be equal to the wei; a second later
 * the fee is lower, so it is bought once more. The wallet has approved before, so that each is one step.
 */
const buyInWindow = async (stage: Stage, token: DemoToken, trader: Person): Promise<void> => {
  report.title('A buy in the first six seconds');
  for (let attempt = 1; attempt <= 3; attempt++) {
    const { quote, made } = await trade(stage, token, trader, { direction: 'buy', buyAmountUSD: windowUsd });
    report.check('the opening fee was shown', true, quote.antiSnipe !== null);
    const { feeBps = 0, secondsLeft = 0, outputAfterWindow = '0' } = quote.antiSnipe ?? {};
    report.line(`it was shown: ${feeBps} bps, ${secondsLeft} s left, after them ${short(outputAfterWindow)} DFOX`);
    if (made.record.feeBps === BigInt(feeBps)) return;
  }
  report.check('one of three buys was mined in the second of its quote', true, false);
};

const windowUsd = 100;

const tradeOnCurve = async (stage: Stage, token: DemoToken, trader: Person, referral: Person, builder: Person) => {
  report.title('After the window, with a builder (50 bps) and a token referral');
  await until(async () => (await stage.chain.time()) >= token.created + 6);
  const others = {
    builder: { code: builder.account.address, fee: 50 },
    token_referral: referral.account.address,
  };
  await trade(stage, token, trader, { direction: 'buy', buyAmountUSD: 500, ...others });
  await trade(stage, token, trader, { direction: 'sell', sellAmountToken: 1_000_000.5, ...others });
  await trade(stage, token, trader, { direction: 'sell', sellAmountUSD: 50, ...others });
  await trade(stage, token, trader, { direction: 'buy', buyAmountToken: '2000000000000000000000001', ...others });
};

const graduate = async (stage: Stage, token: DemoToken, whale: Person): Promise<void> => {
  report.title('A buy of more than is left takes the curve over graduation');
  const offered = 60_000;
  const { quote, receipt } = await trade(stage, token, whale, { direction: 'buy', buyAmountUSD: offered });
  const [graduated] = parseEventLogs({ abi: launchpadAbi, eventName: 'Graduated', logs: receipt.logs });
  report.check('the same transaction graduated the token', true, graduated !== undefined);
  if (!graduated) return;
  const { usdLocked, tokensLocked, floorUsd } = graduated.args.graduation;
  const dollars = (amount: bigint) => short(formatUnits(amount, stage.usdDecimals));
  const refund = parseUnits(String(offered), stage.usdDecimals) - BigInt(quote.inputAmountRaw);
  report.line(
    `offered $${short(String(offered))}, pulled $${short(quote.inputAmount)}, never pulled $${dollars(refund)}`,
  );
  report.line(
    `locked $${dollars(usdLocked)} and ${short(formatUnits(tokensLocked, families.evm.tokenDecimals))} DFOX in Uniswap v4, floor $${dollars(floorUsd)}`,
  );
};

const tradeOnPool = async (stage: Stage, token: DemoToken, trader: Person, referral: Person, builder: Person) => {
  report.title('The pool, through the Launchpad and through a foreign router');
  const others = {
    builder: { code: builder.account.address, fee: 50 },
    token_referral: referral.account.address,
  };
  await trade(stage, token, trader, { direction: 'buy', buyAmountUSD: 1_000, ...others });
  await trade(stage, token, trader, { direction: 'sell', sellAmountToken: 3_000_000, ...others });
  await trade(stage, token, trader, { direction: 'sell', sellAmountUSD: 75.5 });
  await trade(stage, token, trader, { direction: 'buy', buyAmountToken: 123_456 });
  const { address } = trader.account;
  const usdIn = parseUnits('250', stage.usdDecimals);
  const before = await stage.chain.balanceOf(token.address, address);
  const receipt = await buyThroughForeignRouter(stage, token, trader.account, usdIn);
  const [made] = tradesIn(receipt);
  if (!made) throw new Error('The foreign swap was not recorded.');
  const reached = (await stage.chain.balanceOf(token.address, address)) - before;
  report.check(
    'the foreign swap belongs to the person, not to the router',
    getAddress(address),
    getAddress(made.trader),
  );
  report.check('the foreign swap counts what was paid', usdIn, made.record.grossUsd);
  report.check('the foreign swap counts what arrived', reached, made.record.tokens);
  report.check('the foreign swap paid one percent, rounded up', (usdIn + 99n) / 100n, feesOf(made.record));
  report.line(`${describe(stage, token, trader, made)}, by a foreign router`);
};

const untilIndexed = async (stage: Stage): Promise<void> => {
  const head = Number(await stage.chain.client.getBlockNumber());
  await until(async () => {
    const { chains } = await service('chains', {});
    return (chains.find(({ slug }) => slug === stage.slug)?.indexed ?? -1) >= head;
  });
};

const claim = async (stage: Stage, people: readonly Person[]): Promise<void> => {
  report.title('Rewards are claimed');
  await untilIndexed(stage);
  for (const person of people) {
    const account = person.account.address;
    const credit = () =>
      stage.chain.client.readContract({
        address: stage.launchpad,
        abi: launchpadAbi,
        functionName: 'creditOf',
        args: [stage.usd, account],
      });
    const owed = await credit();
    const { balances } = await person.ask('getUserFees', { chains: [stage.slug] });
    report.check('the service shows what the vault owes', owed, BigInt(balances[0]?.claimable_amount ?? 0));
    const { distributions, total_count } = await person.ask('getUserFeeHistory', { limit: 100 });
    const history = distributions.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    report.check('the history adds up to it', owed, history);
    report.check('the history is whole', total_count, distributions.length);
    const before = await stage.chain.balanceOf(stage.usd, account);
    const { transactions } = await person.ask('claimRewards', { chains: [stage.slug] });
    await person.sendAll(transactions);
    const paid = (await stage.chain.balanceOf(stage.usd, account)) - before;
    report.check('the claim paid everything', owed, paid);
    report.check('nothing is owed after it', 0n, await credit());
    report.line(
      `${person.name.padEnd(8)} claims $${short(formatUnits(paid, stage.usdDecimals), 6)} from ${total_count} distributions`,
    );
  }
};

const checkPortfolio = async (stage: Stage, token: DemoToken, person: Person): Promise<void> => {
  const { data } = await person.ask('getUserPortfolio', { chains: [stage.slug] });
  const held = data.tokens.find(({ tokenId }) => tokenId === token.id);
  const balance = await stage.chain.balanceOf(token.address, person.account.address);
  report.check('the portfolio shows the balance of the chain', balance, BigInt(held?.chainBalances[0]?.balance ?? 0));
  report.line(
    `${person.name} holds ${short(held?.chainBalances[0]?.balanceFormatted ?? '0')} DFOX worth $${held?.totalBalanceUsd}`,
  );
};

const story = async (): Promise<void> => {
  const chosen = await chosenChain(process.argv[2]);
  report.line(`${baseUrl}, chain ${chosen.slug}`);
  if (chosen.type === 'solana') await playOnSolana(solanaStageOn(chosen), { service, issuerUrl });
  else await playOnEvm(stageOn(chosen));
};

const playOnEvm = async (stage: Stage): Promise<void> => {
  const people = await signInAndMint(stage, ['creator', 'trader', 'whale', 'promoter', 'builder']);
  const [creator, trader, whale, promoter, builder] = people as [Person, Person, Person, Person, Person];
  const trading = await withApiKey(trader, service);
  const approval = encodeApprove(stage.launchpad, parseUnits(String(3 * windowUsd), stage.usdDecimals));
  await stage.chain.send(trader.account, { to: stage.usd, data: approval });
  const { token, fromBlock } = await create(stage, creator);
  await buyInWindow(stage, token, trading);
  await tradeOnCurve(stage, token, trading, promoter, builder);
  await graduate(stage, token, whale);
  await tradeOnPool(stage, token, trading, promoter, builder);
  const walletless = await tradeWithoutWallet(stage, token, service, issuerUrl, trading);
  const far = await openFarChain(stage);
  if (far !== null) await crossAndComeBack(stage, token, far, trading, walletless);
  await claim(stage, [creator, promoter, builder]);
  await checkPortfolio(stage, token, trading);
  report.title('The books, from the chain alone');
  await stage.chain.send(whale.account, {
    to: stage.launchpad,
    data: encodeFunctionData({ abi: launchpadAbi, functionName: 'collectTreasury', args: [[token.address]] }),
  });
  await closeTokenBooks(stage, token, fromBlock);
  await closeVaultBooks(stage);
};

try {
  await story();
} catch (error) {
  console.error(`\nThe demo stopped: ${(error as Error).message}`);
  process.exitCode = 1;
}
console.log(`\n${report.checks()} checks, ${report.wrong.length} wrong`);
if (report.wrong.length > 0) process.exitCode = 1;
