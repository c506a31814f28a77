import { randomUUID } from 'node:crypto';
import { until } from '@mintage/devnet/until';
import { type Base58, formatUnits, parseUnits, requireBase58, tokenDecimalsOn } from '@mintage/protocol';
import type { ProgramEvent } from '@mintage/protocol/solana';
import { demoFox } from '../demoFox.ts';
import { short } from '../report.ts';
import type { Service } from '../service.ts';
import { closeTokenBooks, closeVaultBooks } from './books.ts';
import { newPerson, type Person } from './person.ts';
import { compare, type DemoToken, type Order, type Stage, tokensAccountOf, trade, usdAccountOf } from './trade.ts';

/** Dollars that everybody starts with. */
const startUsd = 100_000;
const windowUsd = 100;

interface Outside {
  service: Service;
  issuerUrl: string;
}

/** The main job on a cluster: every quote is compared with what the chain did, and the sums are closed from the chain alone. */
export const playOnSolana = async (stage: Stage, { service, issuerUrl }: Outside): Promise<void> => {
  const people = await signInAndMint(stage, service, ['creator', 'trader', 'whale', 'promoter', 'builder']);
  const [creator, trader, whale, promoter, builder] = people as [Person, Person, Person, Person, Person];
  const token = await create(stage, creator);
  await buyInWindow(stage, token, trader);
  await tradeOnCurve(stage, token, trader, promoter, builder);
  await graduate(stage, token, whale);
  await tradeOnPool(stage, token, trader, promoter, builder);
  await tradeWithoutWallet(stage, token, service, issuerUrl);
  await claim(stage, [creator, promoter, builder]);
  await checkPortfolio(stage, token, trader);
  stage.report.title('The books, from the chain alone');
  await closeTokenBooks(stage, token);
  await closeVaultBooks(stage);
};

const signInAndMint = async (stage: Stage, service: Service, names: readonly string[]): Promise<Person[]> => {
  const { report, chain, slug } = stage;
  report.title('Fresh wallets sign in with Solana and mint test dollars');
  const people: Person[] = [];
  for (const name of names) {
    const person = await newPerson(name, service, chain);
    const { address } = person.wallet;
    const { transaction } = await person.ask('mintUsd', { chainSlug: slug, userAddress: address, amount: startUsd });
    await chain.send(person.wallet, transaction);
    const minted = await chain.held(usdAccountOf(stage, address));
    report.check('the minted dollars arrived', parseUnits(String(startUsd), stage.usdDecimals), minted);
    people.push(person);
  }
  report.line(`${names.join(', ')}: $${short(String(startUsd))} each`);
  return people;
};

const create = async (stage: Stage, creator: Person): Promise<DemoToken> => {
  const { report, chain } = stage;
  report.title('A token is created, with an initial buy in the same transaction');
  const { address } = creator.wallet;
  const answer = await creator.ask('createTokenTransaction', {
    ...demoFox,
    chainSlug: stage.slug,
    userAddress: address,
    amountIn: 20,
  });
  const [prepared] = answer.transactions;
  if (prepared === undefined || answer.quote === null) throw new Error('The creation has no transaction or no quote.');
  const landed = await chain.send(creator.wallet, prepared);
  const created = eventIn(landed.events, 'TokenCreated');
  const mint = requireBase58(created.mint);
  const token = { id: answer.metadata.tokenId, mint, symbol: 'DFOX', created: Number(created.created) };
  report.check('the address is the one foretold', answer.metadata.addresses.solana, mint);
  await compare(stage, token, { name: creator.name, address }, answer.quote, landed);
  const logo = await fetch(answer.metadata.logo);
  report.check('the logo is served', 'image', logo.headers.get('content-type')?.split('/')[0] ?? String(logo.status));
  report.line(`${answer.metadata.name} (${token.symbol}) at ${mint}, ${answer.metadata.tokenUri}`);
  return token;
};

/** @throws Error when there is none. */
const eventIn = <Name extends ProgramEvent['event']>(events: readonly ProgramEvent[], name: Name) => {
  const found = events.find((one): one is Extract<ProgramEvent, { event: Name }> => one.event === name);
  if (found === undefined) throw new Error(`The transaction told no ${name}.`);
  return found;
};

/** A cluster takes most of a second, so that the fee is often that of the second after the quote's: then the formula says what is right. */
const buyInWindow = async (stage: Stage, token: DemoToken, trader: Person): Promise<void> => {
  const { report } = stage;
  report.title('A buy in the first six seconds');
  const { quote, made } = await trade(stage, token, trader, { direction: 'buy', buyAmountUSD: windowUsd });
  report.check('the opening fee was shown', true, quote.antiSnipe !== null);
  report.check('it landed in the window', true, made.feeBps > 100);
  const { feeBps = 0, secondsLeft = 0, outputAfterWindow = '0' } = quote.antiSnipe ?? {};
  report.line(`it was shown: ${feeBps} bps, ${secondsLeft} s left, after them ${short(outputAfterWindow)} DFOX`);
};

const othersOf = (promoter: Person, builder: Person) => ({
  builder: { code: builder.wallet.address, fee: 50 },
  token_referral: promoter.wallet.address,
});

const tradeOnCurve = async (stage: Stage, token: DemoToken, trader: Person, promoter: Person, builder: Person) => {
  stage.report.title('After the window, with a builder (50 bps) and a token referral');
  await until(async () => (await stage.chain.time()) >= token.created + 6);
  const others = othersOf(promoter, builder);
  await trade(stage, token, trader, { direction: 'buy', buyAmountUSD: 500, ...others });
  await trade(stage, token, trader, { direction: 'sell', sellAmountToken: 1_000_000.5, ...others });
  await trade(stage, token, trader, { direction: 'sell', sellAmountUSD: 50, ...others });
  await trade(stage, token, trader, { direction: 'buy', buyAmountToken: '2000000000001', ...others });
};

const graduate = async (stage: Stage, token: DemoToken, whale: Person): Promise<void> => {
  const { report } = stage;
  report.title('A buy of more than is left takes the curve over graduation');
  const offered = 60_000;
  const { quote, landed } = await trade(stage, token, whale, { direction: 'buy', buyAmountUSD: offered });
  const { usd, tokens, floorUsd } = eventIn(landed.events, 'Graduated');
  const dollars = (amount: bigint) => short(formatUnits(amount, stage.usdDecimals));
  const untouched = parseUnits(String(offered), stage.usdDecimals) - BigInt(quote.inputAmountRaw);
  report.line(
    `offered $${short(String(offered))}, took $${short(quote.inputAmount)}, never touched $${dollars(untouched)}`,
  );
  report.line(
    `locked $${dollars(usd)} and ${short(formatUnits(tokens, tokenDecimalsOn(stage.slug)))} DFOX in the launchpad’s own pool, floor $${dollars(floorUsd)}`,
  );
};

const tradeOnPool = async (stage: Stage, token: DemoToken, trader: Person, promoter: Person, builder: Person) => {
  stage.report.title('The pool');
  const others = othersOf(promoter, builder);
  await trade(stage, token, trader, { direction: 'buy', buyAmountUSD: 1_000, ...others });
  await trade(stage, token, trader, { direction: 'sell', sellAmountToken: 3_000_000, ...others });
  await trade(stage, token, trader, { direction: 'sell', sellAmountUSD: 75.5 });
  await trade(stage, token, trader, { direction: 'buy', buyAmountToken: 123_456 });
};

const tradeWithoutWallet = async (
  stage: Stage,
  token: DemoToken,
  service: Service,
  issuerUrl: string,
): Promise<void> => {
  const { report, chain, slug } = stage;
  report.title('Somebody without a wallet has the service execute');
  const answer = await fetch(`${issuerUrl}/token?name=demo-${randomUUID()}`).catch((cause: unknown) => {
    throw new Error(`No issuer at ${issuerUrl}: set ISSUER_URL to the one that npm start prints.`, { cause });
  });
  const bearer = await answer.text();
  const ask: Service = (operation, input) => service(operation, input, bearer);
  const address = await filledWallet(ask, slug);
  report.line(`the embedded wallet ${address} was made and filled`);
  const execute = async (order: Order): Promise<void> => {
    const request = { tokenId: token.id, chainSlug: slug, execute: true, ...order };
    const { executed, transactionHash, quote } = await ask('tradeToken', request);
    report.check('it was executed', true, executed);
    await compare(stage, token, { name: 'nobody', address }, quote, await chain.landed(transactionHash));
  };
  await execute({ direction: 'buy', buyAmountUSD: 120.5 });
  const held = await chain.held(tokensAccountOf(token, address));
  await execute({ direction: 'sell', sellAmountToken: String(held / 2n) });
  report.check('half of the tokens are left', held - held / 2n, await chain.held(tokensAccountOf(token, address)));
};

const filledWallet = (ask: Service, slug: string): Promise<Base58> =>
  until(async () => {
    const { data } = await ask('me', { include_testnets: true });
    const wallet = data.wallets.find(({ embedded, chainType }) => embedded && chainType === 'solana')?.address;
    const balance = data.balances.find(({ chainSlug }) => chainSlug === slug);
    // SOL comes last.
    const isFilled = wallet !== undefined && BigInt(balance?.native.balanceRaw ?? 0) > 0n;
    return isFilled && requireBase58(wallet as Base58);
  });

const claim = async (stage: Stage, people: readonly Person[]): Promise<void> => {
  const { report, chain, slug, usdDecimals } = stage;
  report.title('Rewards are claimed');
  for (const { name, wallet, ask } of people) {
    const { address } = wallet;
    const credit = async () => (await chain.state('User', { wallet: address }))?.creditUsd ?? 0n;
    const owed = await credit();
    const shown = await untilShown(ask, slug, owed);
    report.check('the service shows what the vault owes', owed, shown);
    const { distributions, total_count } = await ask('getUserFeeHistory', { limit: 100 });
    const history = distributions.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    report.check('the history adds up to it', owed, history);
    const before = await chain.held(usdAccountOf(stage, address));
    const { transactions } = await ask('claimRewards', { chains: [slug] });
    for (const transaction of transactions) await chain.send(wallet, transaction as { data: string });
    const paid = (await chain.held(usdAccountOf(stage, address))) - before;
    report.check('the claim paid everything', owed, paid);
    report.check('nothing is owed after it', 0n, await credit());
    report.line(
      `${name.padEnd(8)} claims $${short(formatUnits(paid, usdDecimals), 6)} from ${total_count} distributions`,
    );
  }
};

/** The index is a block behind. */
const untilShown = async (ask: Service, slug: string, owed: bigint): Promise<bigint> => {
  const { shown } = await until(async () => {
    const { balances } = await ask('getUserFees', { chains: [slug] });
    const shown = BigInt(balances[0]?.claimable_amount ?? 0);
    return shown === owed && { shown };
  });
  return shown;
};

const checkPortfolio = async (stage: Stage, token: DemoToken, { name, wallet, ask }: Person): Promise<void> => {
  const { data } = await ask('getUserPortfolio', { chains: [stage.slug] });
  const held = data.tokens.find(({ tokenId }) => tokenId === token.id);
  const balance = await stage.chain.held(tokensAccountOf(token, wallet.address));
  stage.report.check(
    'the portfolio shows the balance of the chain',
    balance,
    BigInt(held?.chainBalances[0]?.balance ?? 0),
  );
  const shown = short(held?.chainBalances[0]?.balanceFormatted ?? '0');
  stage.report.line(`${name} holds ${shown} DFOX worth $${held?.totalBalanceUsd}`);
};
