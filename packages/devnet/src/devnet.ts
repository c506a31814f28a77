export { type DevAccountName, type DevAccounts, devAccounts, devKey } from './accounts.ts';
export { type ChainsOptions, type DevChain, type DevChains, startChains } from './chains.ts';
export type { Uniswap } from './uniswap.ts';
export type { Call, Receipt, Wallet } from './wallet.ts';
