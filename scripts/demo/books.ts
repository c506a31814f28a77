import { formatUnits, launchpadAbi, newLedger, readSolvency, testUsdAbi, wholeTrade } from '@mintage/protocol';
import { type Address, getAddress, parseEventLogs } from 'viem';
import { amountsOf, feesOf, isBuy, isOnCurve } from './chain.ts';
import { short } from './report.ts';
import type { DemoToken, Stage } from './trade.ts';

/**
 * Where every dollar of the token's trades is now, from the chain alone: what buyers paid is with the sellers, in the
 * curve, in the pool, owed by the vault, or withdrawn.
 */
export const closeTokenBooks = async (stage: Stage, token: DemoToken, fromBlock: bigint): Promise<void> => {
  const { chain, launchpad, report, usd, poolManager } = stage;
  const logs = await chain.client.getLogs({ address: launchpad, fromBlock });
  const events = parseEventLogs({ abi: launchpadAbi, logs });
  const ofToken = <Name extends (typeof events)[number]['eventName']>(name: Name) =>
    events.filter(
      (event): event is Extract<(typeof events)[number], { eventName: Name }> =>
        event.eventName === name && 'token' in event.args && getAddress(event.args.token) === getAddress(token.address),
    );
  const trades = ofToken('Trade');
  const [graduated] = ofToken('Graduated');
  if (!graduated) throw new Error('The token has not graduated.');
  const { graduation } = graduated.args;
  const records = trades.map(({ args }) => wholeTrade(args.record));
  const netOf = (record: (typeof records)[number]): bigint =>
    isBuy(record) ? record.grossUsd - feesOf(record) : -record.grossUsd;

  const paidIn = sum(records.filter(isBuy).map(({ grossUsd }) => grossUsd));
  const toSellers = sum(records.filter((record) => !isBuy(record)).map((record) => amountsOf(record).received));
  const raised = sum(records.filter(isOnCurve).map(netOf));
  const floorFund = sum(records.filter(isOnCurve).map(({ fees }) => fees.excess));
  const { usdLocked, floorUsd, creatorReward, dustUsd } = graduation;
  report.check(
    'graduation split the raise and the floor',
    raised + floorFund,
    usdLocked + floorUsd + creatorReward + dustUsd,
  );

  // What the PoolManager really received and paid for this token, by the dollar token's own transfers.
  const transactions = new Set([...trades, graduated].map(({ transactionHash }) => transactionHash));
  const transfers = parseEventLogs({
    abi: testUsdAbi,
    eventName: 'Transfer',
    logs: await chain.client.getLogs({ address: usd, fromBlock }),
  }).filter(({ transactionHash }) => transactions.has(transactionHash));
  const flow = (account: Address): bigint =>
    sum(
      transfers.map(({ args }) => {
        const into = getAddress(args.to) === getAddress(account) ? args.amount : 0n;
        const outOf = getAddress(args.from) === getAddress(account) ? args.amount : 0n;
        return into - outOf;
      }),
    );
  const inPool = flow(poolManager);
  const poolTrades = sum(records.filter((record) => !isOnCurve(record)).map(netOf));
  report.check('the pool received what was locked and traded', usdLocked + floorUsd + poolTrades, inPool);

  const credits = sum(records.map(({ fees }) => fees.base + fees.builder)) + creatorReward + dustUsd;
  const state = await chain.client.readContract({
    address: launchpad,
    abi: launchpadAbi,
    functionName: 'stateOf',
    args: [token.address],
  });
  const inCurve = state.usd + state.floorUsd;
  report.check('the Launchpad kept what it owes', credits + inCurve, flow(launchpad));
  const missing = paidIn - toSellers - inCurve - inPool - credits;

  const dollars = (amount: bigint): string => `$${short(formatUnits(amount, stage.usdDecimals), 6)}`.padStart(18);
  report.line(`dollars paid in by buyers          ${dollars(paidIn)}`);
  report.line(`  paid out to sellers              ${dollars(toSellers)}`);
  report.line(`  in the curve and its floor       ${dollars(inCurve)}`);
  report.line(`  locked and traded in the pool    ${dollars(inPool)}`);
  report.line(`  to the vault, owed or withdrawn  ${dollars(credits)}`);
  report.line(`  missing                          ${missing.toString().padStart(18)} base units`);
  report.check('no dollar of the trades is missing', 0n, missing);
};

/** The whole Launchpad, every token and everybody: what it holds is at least what it owes, and here exactly that. */
export const closeVaultBooks = async ({ chain, launchpad, report, usdDecimals }: Stage): Promise<void> => {
  const books = await readSolvency({
    request: (method, params) => chain.client.request({ method, params } as never),
    launchpad,
    ledger: newLedger(0),
  });
  const held = `$${short(formatUnits(books.heldUsd, usdDecimals), 6)}`;
  report.line(
    `${books.tokens.length} tokens and ${books.accounts} accounts: the Launchpad owes what it holds, ${held}`,
  );
  report.check('the Launchpad holds what it owes to everybody', 0n, books.surplusUsd);
};

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
