/** What wallets sign, without the schemas: for clients that load no more than they need. */
export * from './actions.ts';
export * from './hashes.ts';
export * from './infoBody.ts';
export * from './signInText.ts';
export * from './statements.ts';
