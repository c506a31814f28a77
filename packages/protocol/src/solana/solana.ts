/** Entry of the Solana program's interface and bytes. */
export * from './launchpad.ts';
export * from './layout.ts';
