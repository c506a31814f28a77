import { until } from '@mintage/devnet/until';
import { families, formatUnits, parseUnits, tokenBridgeAbi, totalSupply } from '@mintage/protocol';
import type { Address, Hex, TransactionReceipt } from 'viem';
import type { DemoChain } from './chain.ts';
import type { Person } from './person.ts';
import { short } from './report.ts';
import type { Service } from './service.ts';
import type { DemoToken, Stage } from './trade.ts';
import type { Walletless } from './walletless.ts';

const { tokenDecimals } = families.evm;

/** Another local chain, with a bridge. */
export interface FarChain {
  slug: string;
  chain: DemoChain;
}

/** Whoever crosses: sends from one chain to another, and tells which transaction it was. */
interface Traveller {
  name: string;
  wallet: Address;
  ask: Service;
  send(from: string, input: object): Promise<{ hash: Hex; arrives: bigint; kept: string; paid: string }>;
}

/**
 * Two people send some tokens to another chain and get them back: one with an own wallet, who pays the fee with the call, and
 * one whose embedded wallet the service uses. Nothing is made or lost on the way.
 */
export const crossAndComeBack = async (
  stage: Stage,
  token: DemoToken,
  far: FarChain,
  trader: Person,
  walletless: Walletless,
): Promise<void> => {
  const { report } = stage;
  report.title(`The token goes to ${far.slug} and comes back`);
  await far.chain.fund(trader.account.address);
  const travellers = [byOwnWallet(stage, far, trader), byEmbeddedWallet(stage, far, walletless)];
  await Promise.all(travellers.map((one, index) => roundTrip(stage, token, far, one, amounts[index] as string)));
  const { client } = stage.chain;
  const tokenBridge = stage.tokenBridge as Address;
  const eid = await client.readContract({
    address: tokenBridge,
    abi: tokenBridgeAbi,
    functionName: 'eidOf',
    args: [BigInt(await far.chain.client.getChainId())],
  });
  const [out] = await client.readContract({
    address: tokenBridge,
    abi: tokenBridgeAbi,
    functionName: 'pathOf',
    args: [token.address, eid],
  });
  const supply = await stage.chain.supplyOf(token.address);
  report.check('home counts what is out', await far.chain.supplyOf(token.address), out);
  report.check('no token was made or lost', totalSupply * 10n ** BigInt(tokenDecimals), supply + out);
};

/** The second amount has a part that no message carries. */
const amounts = ['12500', '40.0000005'];

const roundTrip = async (
  { report, chain, slug }: Stage,
  token: DemoToken,
  far: FarChain,
  traveller: Traveller,
  amount: string,
): Promise<void> => {
  const { name, wallet } = traveller;
  const atHome = () => chain.balanceOf(token.address, wallet);
  const before = await atHome();
  const leg = { token_id: token.id, recipient_address: wallet };
  const there = await traveller.send(slug, { ...leg, amount, from_chain_slug: slug, to_chain_slug: far.slug });
  report.check(
    'what left is what was asked, less what was kept',
    parseUnits(amount, tokenDecimals),
    there.arrives + parseUnits(there.kept, tokenDecimals),
  );
  report.check('it was burned', before - there.arrives, await atHome());
  await delivered(traveller, slug, there.hash);
  report.check('it arrived', there.arrives, await far.chain.balanceOf(token.address, wallet));
  report.line(
    `${name.padEnd(8)} sent ${formatUnits(there.arrives, tokenDecimals)} to ${far.slug} for ${short(there.paid, 6)} coins`,
  );

  const half = there.arrives / 2n;
  const back = { ...leg, amount: formatUnits(half, tokenDecimals), from_chain_slug: far.slug, to_chain_slug: slug };
  const again = await traveller.send(far.slug, back);
  await delivered(traveller, far.slug, again.hash);
  report.check('half came back', before - there.arrives + again.arrives, await atHome());
  report.check('half stayed', there.arrives - again.arrives, await far.chain.balanceOf(token.address, wallet));
  report.line(`${name.padEnd(8)} got ${formatUnits(again.arrives, tokenDecimals)} back`);
};

const byOwnWallet = (stage: Stage, far: FarChain, { name, account, ask, ...person }: Person): Traveller => ({
  name,
  wallet: account.address,
  ask,
  async send(from, input) {
    const { transaction, metadata } = await ask('transferToken', { ...input, wallet_address: account.address });
    const [receipt] = await person.sendAll([transaction], chainOf(stage, far, from));
    return sentBy(metadata, (receipt as TransactionReceipt).transactionHash);
  },
});

const byEmbeddedWallet = (stage: Stage, far: FarChain, { name, wallet, ask }: Walletless): Traveller => ({
  name,
  wallet,
  ask,
  async send(from, input) {
    const { executed, transactionHash, metadata } = await ask('transferToken', { ...input, execute: true });
    stage.report.check('it was executed', true, executed);
    await chainOf(stage, far, from).client.waitForTransactionReceipt({ hash: transactionHash as Hex });
    return sentBy(metadata, transactionHash as Hex);
  },
});

const chainOf = (stage: Stage, far: FarChain, slug: string): DemoChain => (slug === far.slug ? far.chain : stage.chain);

interface CrossingMetadata {
  amountReceivedRaw?: string | undefined;
  amountKept?: string | undefined;
  nativeFee?: string | undefined;
}

const sentBy = ({ amountReceivedRaw = '0', amountKept = '0', nativeFee = '0' }: CrossingMetadata, hash: Hex) => ({
  hash,
  arrives: BigInt(amountReceivedRaw),
  kept: amountKept,
  paid: formatUnits(BigInt(nativeFee), 18),
});

const delivered = async ({ ask }: Traveller, from: string, hash: Hex): Promise<void> => {
  await until(async () => {
    const { delivery } = await ask('transactionStatus', { hash, chainSlug: from });
    if (delivery?.state === 'failed') throw new Error(`The delivery failed: ${delivery.reason}`);
    return delivery?.state === 'delivered';
  });
};
