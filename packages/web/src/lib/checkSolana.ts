/** Loaded when something of Solana is about to be signed. */
export { checkPreparedSolana } from '@mintage/sdk';
