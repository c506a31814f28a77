import { formatUnits } from '@mintage/protocol';
import { short } from '../report.ts';
import { isBuy, type Trade } from './chain.ts';
import type { DemoToken, Stage } from './trade.ts';

/** Where every dollar of the token's trades is now, from the chain alone: with the sellers, in the token's vault, or in the fee vaults. */
export const closeTokenBooks = async ({ chain, report, usdDecimals }: Stage, { mint }: DemoToken): Promise<void> => {
  const launch = await chain.state('Launch', { mint });
  const config = await chain.state('Config', {});
  if (launch === null || config === null) throw new Error('The launchpad does not know the token.');
  const feeVaults: ReadonlySet<string> = new Set(config.feeVaults);
  let [paidIn, toSellers, credited] = [0n, 0n, 0n];
  // Each transaction of the token's has its Launch among its accounts, as the vault does.
  for (const signature of await chain.signaturesOf(launch.usdVault)) {
    const { events, changes } = await chain.landed(signature);
    const trades = events.filter((one): one is Trade => one.event === 'Trade' && one.mint === mint);
    for (const made of trades) {
      if (isBuy(made)) paidIn += made.grossUsd;
      else toSellers += made.netUsd;
    }
    for (const [account, change] of changes) if (feeVaults.has(account)) credited += change;
  }
  const held = await chain.held(launch.usdVault);
  const { reserveUsd, floorUsd, treasuryUsd } = launch;
  report.check('the vault holds reserve, floor and the treasury’s share', reserveUsd + floorUsd + treasuryUsd, held);
  const missing = paidIn - toSellers - held - credited;
  const dollars = (amount: bigint): string => `$${short(formatUnits(amount, usdDecimals), 6)}`.padStart(18);
  report.line(`dollars paid in by buyers          ${dollars(paidIn)}`);
  report.line(`  paid out to sellers              ${dollars(toSellers)}`);
  report.line(`  in the token’s vault             ${dollars(held)}`);
  report.line(`  to the fee vaults                ${dollars(credited)}`);
  report.line(`  missing                          ${missing.toString().padStart(18)} base units`);
  report.check('no dollar of the trades is missing', 0n, missing);
};

/** The whole launchpad, every token and everybody. */
export const closeVaultBooks = async ({ chain, report, usdDecimals }: Stage): Promise<void> => {
  const [launches, users, config] = [
    await chain.states('Launch'),
    await chain.states('User'),
    await chain.state('Config', {}),
  ];
  let held = 0n;
  for (const launch of launches) {
    const inVault = await chain.held(launch.usdVault);
    held += inVault;
    report.check(
      `the vault of ${launch.mint} is exact`,
      launch.reserveUsd + launch.floorUsd + launch.treasuryUsd,
      inVault,
    );
  }
  const vaults = await Promise.all((config?.feeVaults ?? []).map((vault) => chain.held(vault)));
  const inFeeVaults = vaults.reduce((sum, amount) => sum + amount, 0n);
  const credits = users.reduce((sum, { creditUsd }) => sum + creditUsd, 0n);
  report.check('the fee vaults hold what everybody is credited', credits, inFeeVaults);
  const all = `$${short(formatUnits(held + inFeeVaults, usdDecimals), 6)}`;
  report.line(`${launches.length} tokens and ${users.length} accounts: the launchpad owes what it holds, ${all}`);
};
