/** Entry of the Solana program's interface and bytes. */
export * from './accountBytes.ts';
export * from './derive.ts';
export * from './launchpad.ts';
export * from './layout.ts';
export * from './message.ts';
export * from './readPrepared.ts';
export * from './refusals.ts';
export * from './voucher.ts';
