export * from './chains.ts';
export * from './deployment.ts';
export * from './errors.ts';
export * from './generated/abi.ts';
export * from './ids.ts';
export * from './operation.ts';
export * from './scalars.ts';
