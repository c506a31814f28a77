/**
 * A first trade by a wallet of your own: its key signs here, and the service sees no more of it than the address.
 *
 *   PRIVATE_KEY=0x… npx node examples/first-trade.ts paper-boat 10
 *
 * MINTAGE_URL   the service; http://127.0.0.1:8080 when not set
 * PRIVATE_KEY   of the wallet; it needs some of the chain's coin for gas, and dollars where they are no test dollars
 * CHAIN         slug of the chain; base-sepolia when not set
 * RPC_URL       of the chain; when not set the one that the service names
 */
import {
  createReader,
  execute,
  MintageError,
  type Prepared,
  prepare,
  readTrusted,
  session,
  signIn,
} from '@mintage/sdk';
import { createWalletClient, formatUnits, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

const [name = 'paper-boat', dollars = '10'] = process.argv.slice(2);
const amount = Number(dollars);
const chainSlug = (process.env.CHAIN ?? 'base-sepolia') as 'base-sepolia';
const client = createReader({ baseUrl: process.env.MINTAGE_URL ?? 'http://127.0.0.1:8080' });
const { chains } = await client.chains();
const chain = chains.find(({ slug }) => slug === chainSlug);
const rpcUrl = process.env.RPC_URL ?? chain?.rpcUrl;
if (chain === undefined || rpcUrl === undefined) throw new Error('Set RPC_URL: the service names no provider.');

const account = privateKeyToAccount(process.env.PRIVATE_KEY as Hex);
const wallet = createWalletClient({ account, transport: http(rpcUrl) });
const mine = { chainSlug, userAddress: account.address };

try {
  // The first sign-in makes the account. It costs nothing: the wallet signs a text.
  client.use(session(await signIn(client, account)));

  // Where the contracts are is read once; every transaction is then held against it before the wallet signs.
  const trusted = await readTrusted(client);
  const send = (prepared: Prepared) => execute(prepared, { wallet, trusted });
  if (chain.dollarToken.mintable) await send(await prepare(client, 'mintUsd', { ...mine, amount }));

  const asked = { chainSlug, tokenId: name, direction: 'buy', inputToken: 'usdc', amount } as const;
  const { data: quote } = await client.quoteToken(asked);
  console.log(`${quote.tokenName}: $${amount} buy ${quote.outputAmount} ${quote.tokenSymbol} at this moment`);

  // By its id from here on: a name is whatever the service says it is, an id belongs to one contract.
  const order = { ...mine, tokenId: quote.tokenId, direction: 'buy', buyAmountUSD: amount } as const;
  const prepared = await prepare(client, 'tradeToken', order);
  const { limitAmount, outputSymbol } = prepared.answer.quote;
  console.log(`The wallet signs for at least ${limitAmount} ${outputSymbol}`);

  const { quoted, traded, transactions } = await send(prepared);
  const [said, came] = [quoted, traded].map((one) => formatUnits(one?.amountOut ?? 0n, 18));
  console.log(`Quoted ${said} ${outputSymbol}, arrived ${came}: ${transactions.at(-1)?.hash}`);
} catch (error) {
  if (!(error instanceof MintageError)) throw error;
  console.log(`${error.code}: ${error.message} ${error.kind.next}`);
  process.exitCode = 1;
}
