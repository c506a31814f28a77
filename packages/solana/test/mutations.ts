/** Bugs of the Solana program that `npm run mutants:solana` plants, one at a time, each with the test that has to become red. */
export interface Mutation {
  /** What is proved by the test: a threat, or what the bug would do. */
  proves: string;
  /** Under `program/src`. */
  file: string;
  /** Stands there exactly once. */
  from: string;
  to: string;
  /** `<file> <part of the test's name>` under `test`. */
  test: string;
}

const hostile = 'hostile.test.ts no wrong account in any place';
const signatures = 'hostile.test.ts no signature is missing';
const maths = 'maths.test.ts does what TypeScript says';
const story = 'story.test.ts';
const invariants = 'invariants.test.ts the books are exact';
const voucher = 'voucher.test.ts';

export const mutations: readonly Mutation[] = [
  {
    proves: 'S101 an account of another owner',
    file: 'sol.rs',
    from: 'if !same(self.owner(), program) || self.len() != size_of::<T>() as u64 {',
    to: 'if self.len() != size_of::<T>() as u64 {',
    test: hostile,
  },
  {
    proves: 'S101 an account of another kind',
    file: 'sol.rs',
    from: 'if state.kind().get() == T::KIND { Ok(state) } else { Err(Error::BadAccount) }',
    to: 'Ok(state)',
    test: hostile,
  },
  {
    proves: 'S102 the vault of dollars',
    file: 'tokens.rs',
    from: 'usd: call.known(usd, &launch.usd_vault.get())?',
    to: 'usd: call.account(usd)?',
    test: hostile,
  },
  {
    proves: 'S102 the vault of credits',
    file: 'tokens.rs',
    from: 'fees: call.known(fees, &config.fee_vault_of(&launch.mint.get()))?',
    to: 'fees: call.account(fees)?',
    test: hostile,
  },
  {
    proves: 'S102 the vault that a withdrawal takes from',
    file: 'instructions/withdraw.rs',
    from: 'if !config.is_fee_vault(&vault) {',
    to: 'if false {',
    test: invariants,
  },
  {
    proves: 'S103 a signature',
    file: 'sol.rs',
    from: 'if account.is_signer() { Ok(account) } else { Err(Error::MissingSigner) }',
    to: 'Ok(account)',
    test: signatures,
  },
  {
    proves: 'S106 an address that signs for itself',
    file: 'tokens.rs',
    from: 'if self.account.is_signer() {',
    to: 'if false {',
    test: hostile,
  },
  {
    proves: 'S107 the dollar',
    file: 'tokens.rs',
    from: 'dollar_mint: call.known(dollar_mint, &config.dollar_mint.get())?',
    to: 'dollar_mint: call.account(dollar_mint)?',
    test: hostile,
  },
  {
    proves: 'S107 a token program',
    file: 'tokens.rs',
    from: 'call.known(token, &TOKEN)?;',
    to: 'call.account(token)?;',
    test: hostile,
  },
  {
    proves: 'a trader’s User that is somebody else’s',
    file: 'instructions/trade.rs',
    from: 'if !user.is_of(trader) {',
    to: 'if false {',
    test: hostile,
  },
  {
    proves: 'a referrer that was left out',
    file: 'instructions/trade.rs',
    from: 'require_user_address(call.program, trader, &account)?;',
    to: '',
    test: hostile,
  },
  {
    proves: 'a creator that is somebody else',
    file: 'instructions/trade.rs',
    from: 'if creator.is_of(&launch.creator.get()) { Ok(creator) } else { Err(Error::BadAccount) }',
    to: 'Ok(creator)',
    test: hostile,
  },
  {
    proves: 'a withdrawal of somebody else’s',
    file: 'instructions/withdraw.rs',
    from: 'if !user.is_of(wallet.key()) {',
    to: 'if false {',
    test: hostile,
  },
  {
    proves: 'a setting by a stranger',
    file: 'instructions/settings.rs',
    from: 'if same(signer.key(), &config.owner.get()) { Ok((account, config)) } else { Err(Error::Unauthorized) }',
    to: 'Ok((account, config))',
    test: hostile,
  },
  {
    proves: 'S104 C14 a credit that is paid twice',
    file: 'instructions/withdraw.rs',
    from: 'user.credit_usd.set(rest);',
    to: '',
    test: invariants,
  },
  {
    proves: 'C13 a part of the fee that is nobody’s',
    file: 'instructions/trade.rs',
    from: 'add(&launch.treasury_usd, parts.treasury)?;',
    to: '',
    test: invariants,
  },
  {
    proves: 'C7 rounding for the trader',
    file: 'curve.rs',
    from: 'mul_div_up(self.virtual_usd, tokens, self.virtual_tokens - tokens)',
    to: 'crate::maths::mul_div_down(self.virtual_usd, tokens, self.virtual_tokens - tokens)',
    test: maths,
  },
  {
    proves: 'C7 rounding for the trader in the pool',
    file: 'pool.rs',
    from: 'mul_div_up(self.usd, tokens_out, self.tokens - tokens_out)',
    to: 'mul_div_down(self.usd, tokens_out, self.tokens - tokens_out)',
    test: maths,
  },
  {
    proves: 'C3 a floor that trades above its edge',
    file: 'pool.rs',
    from: 'Product { tokens: self.tokens, usd: self.usd, }',
    to: 'Product { tokens: self.tokens, usd: self.usd + self.floor_usd }',
    test: maths,
  },
  {
    proves: 'C11 a window that is shorter',
    file: 'fees.rs',
    from: 'if elapsed >= WINDOW_SECONDS {',
    to: 'if elapsed + 1 >= WINDOW_SECONDS {',
    test: `${story} C11`,
  },
  {
    proves: 'S113 a clock before the creation',
    file: 'instructions/trade.rs',
    from: 'now().saturating_sub(launch.created.get()).max(0) as u64',
    to: 'now().wrapping_sub(launch.created.get()) as u64',
    test: `${story} S113`,
  },
  {
    proves: 'C21 a deadline',
    file: 'instructions/trade.rs',
    from: 'if now() > deadline {',
    to: 'if false {',
    test: `${story} C21`,
  },
  {
    proves: 'S110 offsets of a voucher',
    file: 'instructions/referrer.rs',
    from: '&& data[..KEY] == HEADER',
    to: '',
    test: `${voucher} S110`,
  },
  {
    proves: 'a voucher of another signer',
    file: 'instructions/referrer.rs',
    from: '&& data[KEY..KEY + 32] == *signer',
    to: '',
    test: `${voucher} of another signer`,
  },
  {
    proves: 'a voucher of another program',
    file: 'instructions/referrer.rs',
    from: 'let is_signed = program == ED25519.as_slice()',
    to: 'let is_signed = !program.is_empty()',
    test: `${voucher} without the signature in front`,
  },
  {
    proves: 'S108 the number of an event',
    file: 'accounts.rs',
    from: 'seq.set(number + 1);',
    to: '',
    test: invariants,
  },
  {
    proves: 'C5 sells after the curve was sold out',
    file: 'instructions/graduate.rs',
    from: 'launch.reserve_usd.set(launch.reserve_usd.get() - reward);',
    to: '',
    test: story,
  },
];
