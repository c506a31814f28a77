/**
 * The Solana program's interface, once: its instructions with their accounts and arguments, its accounts, events and errors. The
 * program takes its numbers from here (`packages/solana/program/src/interface.rs`), so do the IDL that others read, our encoders and
 * decoders, and the tests that put a wrong account in every place. Integers are little-endian, a string is a u32 length and UTF-8.
 */

/** What stands in a field of an instruction, an account or an event, in its order. */
export type FieldType = 'u8' | 'u16' | 'u64' | 'i64' | 'pubkey' | 'bytes32' | 'string' | 'pubkey16';
export interface Field {
  name: string;
  type: FieldType;
}

/**
 * Where an account of an instruction has to be; the program refuses any other, or the runtime where a call needs a program.
 * - a name of `addresses`: derived from the seeds that it names
 * - `named`: whatever the caller means; the token programs look at it
 * - `stored`: as the Launch or the Config says
 */
export interface InstructionAccount {
  name: string;
  isSigner?: true;
  isWritable?: true;
  /** The program's own address in its place means none. */
  isOptional?: true;
  is: 'anyone' | 'config' | 'launch' | 'user' | 'token-account' | 'mint' | 'stored' | 'new' | WellKnown;
}

export interface Instruction {
  /** First byte of the data. */
  tag: number;
  accounts: readonly InstructionAccount[];
  args: readonly Field[];
  /** Accounts of this kind may follow, as many as the caller likes. */
  more?: InstructionAccount;
}

/** The program's address on local chains, and in tests. A deployment has its own. */
export const localProgramAddress = 'MintageM1ntageM1ntageM1ntageM1ntageM1ntage1';

/** Programs and sysvars, base58. */
export const wellKnown = {
  system: '11111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  associatedToken: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  computeBudget: 'ComputeBudget111111111111111111111111111111',
  ed25519: 'Ed25519SigVerify111111111111111111111111111',
  instructions: 'Sysvar1nstructions1111111111111111111111111',
  upgradeableLoader: 'BPFLoaderUpgradeab1e11111111111111111111111',
} as const;
export type WellKnown = keyof typeof wellKnown | 'program' | 'programData' | 'dollarMint';

const config: InstructionAccount = { name: 'config', is: 'config' };
const program: InstructionAccount = { name: 'program', is: 'program' };
const system: InstructionAccount = { name: 'system', is: 'system' };
const token: InstructionAccount = { name: 'token', is: 'token' };
const token2022: InstructionAccount = { name: 'token2022', is: 'token2022' };
const dollarMint: InstructionAccount = { name: 'dollarMint', is: 'dollarMint' };
const writable = (account: InstructionAccount): InstructionAccount => ({ ...account, isWritable: true });
const user = (name: string): InstructionAccount => ({ name, is: 'user', isWritable: true });
const payer: InstructionAccount = { name: 'payer', is: 'anyone', isSigner: true, isWritable: true };
const stored = (name: string): InstructionAccount => ({ name, is: 'stored', isWritable: true });

const trade = (tag: number): Instruction => ({
  tag,
  accounts: [
    { name: 'trader', is: 'anyone', isSigner: true },
    config,
    { name: 'launch', is: 'launch', isWritable: true },
    { name: 'mint', is: 'stored' },
    stored('tokenVault'),
    stored('usdVault'),
    { name: 'traderTokens', is: 'token-account', isWritable: true },
    { name: 'traderUsd', is: 'token-account', isWritable: true },
    dollarMint,
    token2022,
    token,
    user('traderUser'),
    user('creatorUser'),
    stored('feeVault'),
    { ...user('builderUser'), isOptional: true },
    { ...user('referralUser'), isOptional: true },
    { ...user('referrerUser'), isOptional: true },
    program,
  ],
  args: [
    { name: 'amount', type: 'u64' },
    { name: 'limit', type: 'u64' },
    { name: 'deadline', type: 'i64' },
    { name: 'builderBps', type: 'u16' },
  ],
});

export const instructions = {
  init: {
    tag: 0,
    accounts: [
      payer,
      { name: 'config', is: 'new', isWritable: true },
      { name: 'programData', is: 'programData' },
      { name: 'dollarMint', is: 'mint' },
      system,
    ],
    args: [
      { name: 'treasury', type: 'pubkey' },
      { name: 'voucherSigner', type: 'pubkey' },
      { name: 'owner', type: 'pubkey' },
      { name: 'allowsTest', type: 'u8' },
      { name: 'timelockSeconds', type: 'u64' },
    ],
  },
  create: {
    tag: 1,
    accounts: [
      { ...payer, name: 'creator' },
      writable(config),
      { name: 'mint', is: 'new', isWritable: true },
      { name: 'launch', is: 'new', isWritable: true },
      { name: 'tokenVault', is: 'new', isWritable: true },
      { name: 'usdVault', is: 'new', isWritable: true },
      dollarMint,
      token2022,
      token,
      system,
      user('creatorUser'),
      program,
    ],
    args: [
      { name: 'poolType', type: 'u8' },
      { name: 'mintBump', type: 'u8' },
      { name: 'launchBump', type: 'u8' },
      { name: 'tokenVaultBump', type: 'u8' },
      { name: 'usdVaultBump', type: 'u8' },
      { name: 'deadline', type: 'i64' },
      { name: 'salt', type: 'bytes32' },
      { name: 'name', type: 'string' },
      { name: 'symbol', type: 'string' },
      { name: 'uri', type: 'string' },
    ],
  },
  buyExactIn: trade(2),
  buyExactOut: trade(3),
  sellExactIn: trade(4),
  sellExactOut: trade(5),
  openUser: {
    tag: 6,
    accounts: [payer, { name: 'wallet', is: 'anyone' }, user('user'), system],
    args: [],
  },
  openFeeVault: {
    tag: 7,
    accounts: [payer, writable(config), { name: 'feeVault', is: 'new', isWritable: true }, dollarMint, token, system],
    args: [{ name: 'index', type: 'u8' }],
  },
  setReferrer: {
    tag: 8,
    accounts: [
      config,
      user('user'),
      { name: 'referrer', is: 'user' },
      { name: 'instructions', is: 'instructions' },
      program,
    ],
    args: [{ name: 'deadline', type: 'i64' }],
  },
  withdraw: {
    tag: 9,
    accounts: [
      { name: 'wallet', is: 'anyone', isSigner: true },
      config,
      user('user'),
      { name: 'to', is: 'token-account', isWritable: true },
      dollarMint,
      token,
      program,
    ],
    args: [{ name: 'amount', type: 'u64' }],
    more: stored('feeVault'),
  },
  graduate: {
    tag: 10,
    accounts: [
      config,
      { name: 'launch', is: 'launch', isWritable: true },
      stored('usdVault'),
      stored('feeVault'),
      user('creatorUser'),
      dollarMint,
      token,
      program,
    ],
    args: [],
  },
  collectTreasury: {
    tag: 11,
    accounts: [
      config,
      { name: 'launch', is: 'launch', isWritable: true },
      stored('usdVault'),
      stored('feeVault'),
      user('treasuryUser'),
      dollarMint,
      token,
      program,
    ],
    args: [],
  },
  set: {
    tag: 12,
    accounts: [{ name: 'owner', is: 'anyone', isSigner: true }, writable(config), program],
    args: [
      { name: 'setting', type: 'u8' },
      { name: 'value', type: 'pubkey' },
    ],
  },
  clearReferrer: {
    tag: 13,
    accounts: [{ name: 'owner', is: 'anyone', isSigner: true }, config, user('user'), program],
    args: [],
  },
  acceptOwner: {
    tag: 14,
    accounts: [{ name: 'newOwner', is: 'anyone', isSigner: true }, writable(config), program],
    args: [],
  },
  mintTestUsd: {
    tag: 15,
    accounts: [config, writable(dollarMint), { name: 'to', is: 'token-account', isWritable: true }, token],
    args: [{ name: 'amount', type: 'u64' }],
  },
  /** Does nothing: its data is the event. Only a Launch, User or Config of this program can sign it. */
  event: { tag: 16, accounts: [{ name: 'authority', is: 'stored', isSigner: true }], args: [] },
} as const satisfies Record<string, Instruction>;
export type InstructionName = keyof typeof instructions;

/** Seeds of the program's addresses: text is itself, a word in braces is an account's key or an argument. */
export const addressSeeds = {
  config: ['config'],
  feeVault: ['fees', '{index}'],
  mint: ['mint', '{creator}', '{salt}'],
  launch: ['launch', '{mint}'],
  tokenVault: ['tokens', '{mint}'],
  usdVault: ['usd', '{mint}'],
  user: ['user', '{wallet}'],
} as const;
export type AddressName = keyof typeof addressSeeds;

/** Accounts of the program. The first eight bytes are the name of the kind. */
export const programAccounts = {
  Config: {
    kind: 'config',
    fields: [
      { name: 'dollarMint', type: 'pubkey' },
      { name: 'treasury', type: 'pubkey' },
      { name: 'voucherSigner', type: 'pubkey' },
      { name: 'owner', type: 'pubkey' },
      { name: 'pendingOwner', type: 'pubkey' },
      { name: 'proposedTreasury', type: 'pubkey' },
      { name: 'proposedVoucherSigner', type: 'pubkey' },
      { name: 'proposedOwner', type: 'pubkey' },
      { name: 'treasuryFrom', type: 'i64' },
      { name: 'voucherSignerFrom', type: 'i64' },
      { name: 'ownerFrom', type: 'i64' },
      { name: 'timelockSeconds', type: 'u64' },
      { name: 'allowsTest', type: 'u64' },
      { name: 'bump', type: 'u64' },
      { name: 'launches', type: 'u64' },
      { name: 'seq', type: 'u64' },
      { name: 'feeVaults', type: 'pubkey16' },
    ],
  },
  Launch: {
    kind: 'launch',
    fields: [
      { name: 'mint', type: 'pubkey' },
      { name: 'creator', type: 'pubkey' },
      { name: 'tokenVault', type: 'pubkey' },
      { name: 'usdVault', type: 'pubkey' },
      { name: 'created', type: 'i64' },
      { name: 'poolType', type: 'u64' },
      { name: 'bump', type: 'u64' },
      { name: 'graduated', type: 'u64' },
      { name: 'tokensLeft', type: 'u64' },
      { name: 'reserveUsd', type: 'u64' },
      { name: 'floorUsd', type: 'u64' },
      { name: 'treasuryUsd', type: 'u64' },
      { name: 'seq', type: 'u64' },
    ],
  },
  User: {
    kind: 'user',
    fields: [
      { name: 'wallet', type: 'pubkey' },
      { name: 'referrer', type: 'pubkey' },
      { name: 'creditUsd', type: 'u64' },
      { name: 'clearFrom', type: 'i64' },
      { name: 'bump', type: 'u64' },
      { name: 'seq', type: 'u64' },
    ],
  },
} as const satisfies Record<string, { kind: string; fields: readonly Field[] }>;

/** Second byte of an event's data, then `seq` of who signed it, then these. */
export const programEvents = {
  TokenCreated: {
    tag: 0,
    fields: [
      { name: 'launchNumber', type: 'u64' },
      { name: 'mint', type: 'pubkey' },
      { name: 'creator', type: 'pubkey' },
      { name: 'poolType', type: 'u8' },
      { name: 'created', type: 'i64' },
      { name: 'salt', type: 'bytes32' },
      { name: 'name', type: 'string' },
      { name: 'symbol', type: 'string' },
      { name: 'uri', type: 'string' },
    ],
  },
  Trade: {
    tag: 1,
    fields: [
      { name: 'mint', type: 'pubkey' },
      { name: 'trader', type: 'pubkey' },
      { name: 'recipient', type: 'pubkey' },
      { name: 'builder', type: 'pubkey' },
      { name: 'referral', type: 'pubkey' },
      { name: 'referrer', type: 'pubkey' },
      { name: 'kind', type: 'u8' },
      { name: 'venue', type: 'u8' },
      { name: 'feeBps', type: 'u16' },
      { name: 'builderBps', type: 'u16' },
      { name: 'grossUsd', type: 'u64' },
      { name: 'netUsd', type: 'u64' },
      { name: 'tokens', type: 'u64' },
      { name: 'tokensLeft', type: 'u64' },
      { name: 'reserveUsd', type: 'u64' },
      { name: 'floorUsd', type: 'u64' },
      { name: 'treasuryUsd', type: 'u64' },
      { name: 'time', type: 'i64' },
    ],
  },
  Completed: { tag: 2, fields: [{ name: 'mint', type: 'pubkey' }] },
  Graduated: {
    tag: 3,
    fields: [
      { name: 'mint', type: 'pubkey' },
      { name: 'tokens', type: 'u64' },
      { name: 'usd', type: 'u64' },
      { name: 'floorUsd', type: 'u64' },
      { name: 'creatorRewardUsd', type: 'u64' },
      { name: 'dustUsd', type: 'u64' },
    ],
  },
  TreasuryCollected: {
    tag: 4,
    fields: [
      { name: 'mint', type: 'pubkey' },
      { name: 'treasury', type: 'pubkey' },
      { name: 'amount', type: 'u64' },
    ],
  },
  ReferrerSet: {
    tag: 5,
    fields: [
      { name: 'user', type: 'pubkey' },
      { name: 'referrer', type: 'pubkey' },
    ],
  },
  Withdrawn: {
    tag: 6,
    fields: [
      { name: 'wallet', type: 'pubkey' },
      { name: 'to', type: 'pubkey' },
      { name: 'amount', type: 'u64' },
    ],
  },
  SettingChanged: {
    tag: 7,
    fields: [
      { name: 'setting', type: 'u8' },
      { name: 'value', type: 'pubkey' },
    ],
  },
  /** A referrer that the owner wants to clear, not before that time. */
  ReferrerClearProposed: {
    tag: 9,
    fields: [
      { name: 'user', type: 'pubkey' },
      { name: 'from', type: 'i64' },
    ],
  },
  SettingProposed: {
    tag: 8,
    fields: [
      { name: 'setting', type: 'u8' },
      { name: 'value', type: 'pubkey' },
      { name: 'from', type: 'i64' },
    ],
  },
} as const satisfies Record<string, { tag: number; fields: readonly Field[] }>;
export type ProgramEventName = keyof typeof programEvents;

/** Of `set`, and in its events. `owner` is who may become it by `acceptOwner`; `accepted` stands in events only. */
export const settings = { treasury: 0, voucherSigner: 1, owner: 2, accepted: 3 } as const;

/** Names of the errors; an error's code is 6001 and its place here. What they mean to a caller: `errors.ts`. */
export const programErrors = [
  'BadInstruction',
  'BadAccount',
  'MissingSigner',
  'AmountTooLarge',
  'ZeroAmount',
  'FeesExceedAmount',
  'BeyondCurve',
  'BeyondReserve',
  'BeyondPool',
  'TooLittleReceived',
  'TooMuchPaid',
  'DeadlinePassed',
  'NotCompleted',
  'AlreadyGraduated',
  'WindowOpen',
  'GraduationPending',
  'UnknownPoolType',
  'UnusableText',
  'TokenExists',
  'InvalidVoucher',
  'Unauthorized',
  'UserMissing',
  'InsufficientCredit',
  'VaultsTooSmall',
  'TestOnly',
  'TooEarly',
  'CallFailed',
] as const;
export type ProgramError = (typeof programErrors)[number];
export const firstErrorCode = 6001;

/** Undefined for a code that is none of ours. */
export const programErrorOf = (code: number): ProgramError | undefined => programErrors[code - firstErrorCode];

/** Bytes of a token's name, symbol and address of its metadata at most. */
export const textLimits = { name: 128, symbol: 64, uri: 200 } as const;
export const feeVaultCount = 16;
