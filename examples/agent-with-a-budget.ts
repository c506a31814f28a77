/**
 * An agent that trades by itself, with a key that cannot spend more than its owner allowed:
 *
 *   OWNER_TOKEN=… npx node examples/agent-with-a-budget.ts
 *
 * MINTAGE_URL   the service; http://127.0.0.1:8080 when not set
 * OWNER_TOKEN   access token of the owner, whose embedded wallet pays; locally `curl -s 127.0.0.1:8089/token?name=me`
 * CHAIN         slug of the chain; base-sepolia when not set
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { apiKey, createReader, MintageError, type Reader, session } from '@mintage/sdk';

const baseUrl = process.env.MINTAGE_URL ?? 'http://127.0.0.1:8080';
const chain = (process.env.CHAIN ?? 'base-sepolia') as 'base-sepolia';

/** The owner makes the key once, and gives the agent nothing else. */
const makeKey = async (owner: Reader): Promise<string> => {
  const { key } = await owner.createApiKey({
    name: 'agent',
    scopes: ['read', 'prepare', 'execute'],
    budget: { perTradeUsd: '5', perDayUsd: '12', chains: [chain] },
  });
  return key;
};

/** The wallet is made at the first sign-in; on a local chain it is then filled with test dollars. */
const untilFunded = async (owner: Reader): Promise<void> => {
  for (;;) {
    const { data } = await owner.me({ include_testnets: true });
    const balance = data.balances.find(({ chainSlug }) => chainSlug === chain);
    if (BigInt(balance?.usd.balanceRaw ?? 0) > 0n && BigInt(balance?.native.balanceRaw ?? 0) > 0n) return;
    await sleep(250);
  }
};

/** Buys for `usd` and says what the chain gave. */
const buy = async (agent: Reader, tokenId: string, usd: number): Promise<void> => {
  const bought = await agent.tradeToken({
    tokenId,
    chainSlug: chain,
    direction: 'buy',
    buyAmountUSD: usd,
    execute: true,
  });
  console.log(
    `bought ${bought.quote.outputAmount} ${bought.quote.outputSymbol} for $${usd}: ${bought.transactionHash}`,
  );
};

const owner = createReader({ baseUrl, auth: session({ accessToken: process.env.OWNER_TOKEN ?? '' }) });
await untilFunded(owner);
const agent = createReader({ baseUrl, auth: apiKey(await makeKey(owner)) });

const { tokens } = await agent.getTokensV2({ order_by: 'market_cap', chains: [chain] });
const [token] = tokens;
if (token === undefined) throw new Error(`No token on ${chain} yet.`);

await buy(agent, token.id, 5);
// More than one trade may cost, and then more than the day allows: nothing is signed, and the sentence says what is left.
for (const usd of [6, 5, 5]) {
  try {
    await buy(agent, token.id, usd);
  } catch (error) {
    if (!(error instanceof MintageError) || error.code !== 'BUDGET_EXCEEDED') throw error;
    console.log(`refused $${usd}: ${error.message}`);
  }
}
