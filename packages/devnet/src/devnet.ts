export { type DevAccountName, type DevAccounts, devAccounts, devKey } from './accounts.ts';
export { type ChainsOptions, type DevChain, type DevChains, startChains } from './chains.ts';
export { changing, type Intercept, type Proxy, type RpcRequest, replacing, startProxy } from './proxy.ts';
export { foreignBuy, type SeedOptions, seedAddress, seedChain, seedTokensOn } from './seed.ts';
export { type SeedStep, type SeedToken, seedSalt, seedTokens } from './seedTokens.ts';
export { type System, type SystemOptions, startSystem } from './system.ts';
export type { Uniswap } from './uniswap.ts';
export type { Call, Receipt, Wallet } from './wallet.ts';
