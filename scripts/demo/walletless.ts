import { randomUUID } from 'node:crypto';
import { until } from '@mintage/devnet/until';
import { formatUnits, launchpadAbi } from '@mintage/protocol';
import { type Address, getAddress, type Hex, type TransactionReceipt } from 'viem';
import { tradesIn } from './chain.ts';
import type { Person } from './person.ts';
import { short } from './report.ts';
import type { Service } from './service.ts';
import { compare, type DemoToken, describe, type Stage, trade } from './trade.ts';

/** Somebody without a wallet: an identity provider vouches for them, and the service keeps the key. */
export interface Walletless {
  name: string;
  ask: Service;
  wallet: Address;
}

/**
 * Signs in by the local issuer, gets an embedded wallet, which the devnet fills, and has everything executed: a buy, a sell,
 * and the claim of what a friend's trade earned them. No transaction is signed here.
 */
export const tradeWithoutWallet = async (
  stage: Stage,
  token: DemoToken,
  service: Service,
  issuerUrl: string,
  friend: Person,
): Promise<Walletless> => {
  stage.report.title('Somebody without a wallet has the service execute');
  const person = await newWalletless(stage, service, issuerUrl);
  const { chain, report } = stage;
  await execute(stage, token, person, { direction: 'buy', buyAmountUSD: 120.5 });
  const held = await chain.balanceOf(token.address, person.wallet);
  await execute(stage, token, person, { direction: 'sell', sellAmountToken: String(held / 2n) });
  await trade(stage, token, friend, { direction: 'buy', buyAmountUSD: 80, token_referral: person.wallet });
  await claim(stage, person);
  const left = await chain.balanceOf(token.address, person.wallet);
  report.check('half of the tokens are left', held - held / 2n, left);
  return person;
};

const newWalletless = async (stage: Stage, service: Service, issuerUrl: string): Promise<Walletless> => {
  const answer = await fetch(`${issuerUrl}/token?name=demo-${randomUUID()}`).catch((cause: unknown) => {
    throw new Error(`No issuer at ${issuerUrl}: set ISSUER_URL to the one that npm start prints.`, { cause });
  });
  const token = await answer.text();
  const ask: Service = (operation, input) => service(operation, input, token);
  return until(async () => {
    const { data } = await ask('me', { include_testnets: true });
    const wallet = data.wallets.find(({ embedded }) => embedded)?.address;
    const balance = data.balances.find(({ chainSlug }) => chainSlug === stage.slug);
    // Gas comes last.
    if (wallet === undefined || BigInt(balance?.native.balanceRaw ?? 0) === 0n) return null;
    stage.report.line(`the embedded wallet ${wallet} was made and holds $${short(balance?.usd.balance ?? '0')}`);
    return { name: 'nobody', ask, wallet: getAddress(wallet) };
  });
};

/** Asks for a trade to be executed, and compares what was quoted with what the chain did. */
const execute = async (
  stage: Stage,
  token: DemoToken,
  person: Walletless,
  order: { direction: 'buy' | 'sell' } & Record<string, unknown>,
): Promise<void> => {
  const { report } = stage;
  const request = { tokenId: token.id, chainSlug: stage.slug, execute: true, ...order };
  const answer = await person.ask('tradeToken', request);
  report.check('it was executed', true, answer.executed);
  const receipt = await receiptOf(stage, answer.transactionHash);
  const [made] = tradesIn(receipt);
  if (!made) throw new Error('The transaction made no trade.');
  report.check('the embedded wallet traded', person.wallet, getAddress(made.trader));
  await compare(stage, token, answer.quote, made, receipt);
  report.line(describe(stage, token, person, made));
  report.check('the service knows it by its intent', 'sent', await untilSent(person, answer.intentId));
};

const claim = async (stage: Stage, person: Walletless): Promise<void> => {
  const { chain, report, usd, launchpad, slug } = stage;
  const owed = () =>
    chain.client.readContract({
      address: launchpad,
      abi: launchpadAbi,
      functionName: 'creditOf',
      args: [usd, person.wallet],
    });
  const credit = await owed();
  report.check('the referral of a friend earned something', true, credit > 0n);
  await untilShown(person, slug, credit);
  const before = await chain.balanceOf(usd, person.wallet);
  const { executed, transactionHash } = await person.ask('claimRewards', { chains: [slug], execute: true });
  report.check('the claim was executed', true, executed);
  await receiptOf(stage, transactionHash);
  report.check('it paid everything', credit, (await chain.balanceOf(usd, person.wallet)) - before);
  report.check('nothing is owed after it', 0n, await owed());
  report.line(`${person.name.padEnd(8)} claims $${short(formatUnits(credit, stage.usdDecimals), 6)}`);
};

/** A chain that mines at once has it before the signer has written down that it sent it. */
const untilSent = ({ ask }: Walletless, intentId: string | null): Promise<string> =>
  until(async () => {
    const { status } = await ask('transactionStatus', { intentId });
    if (['sent', 'mined', 'final'].includes(status)) return 'sent';
    return status !== 'queued' && status;
  });

/** Until the index has seen the friend's trade. */
const untilShown = ({ ask }: Walletless, slug: string, credit: bigint): Promise<boolean> =>
  until(async () => {
    const { balances } = await ask('getUserFees', { chains: [slug] });
    return BigInt(balances[0]?.claimable_amount ?? 0) === credit;
  });

/** @throws When the transaction reverted. */
const receiptOf = async ({ chain }: Stage, hash: string): Promise<TransactionReceipt> => {
  const receipt = await chain.client.waitForTransactionReceipt({ hash: hash as Hex });
  if (receipt.status !== 'success') throw new Error(`${hash} reverted.`);
  return receipt;
};
