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

const hostile = 'hostile.deep.test.ts no wrong account in any place';
const signatures = 'hostile.deep.test.ts no signature is missing';
const maths = 'maths.test.ts does what TypeScript says';
const story = 'story.test.ts';
const invariants = 'invariants.deep.test.ts the books are exact';
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
  {
    proves: 'S105 lamports sent ahead',
    file: 'tokens.rs',
    from: 'if has == 0 {',
    to: 'if has < needs {',
    test: 'attacks/addresses.test.ts lamports sent ahead to every address',
  },
  {
    proves: 'S106 a bump that is not the first',
    file: 'instructions/create.rs',
    from: 'if bump == first { Ok(()) } else { Err(Error::BadAccount) }',
    to: 'Ok(())',
    test: 'attacks/addresses.test.ts S106 no',
  },
  {
    proves: 'S106 an empty address that signs for itself',
    file: 'tokens.rs',
    from: 'if self.account.is_signer() {',
    to: 'if self.account.is_signer() && self.account.len() != 0 {',
    test: 'attacks/addresses.test.ts an account that signs for itself',
  },
  {
    proves: 'a User of nobody',
    file: 'instructions/user.rs',
    from: 'if same(wallet, &NOBODY) {',
    to: 'if wallet.is_empty() {',
    test: 'attacks/addresses.test.ts nobody has a User',
  },
  {
    proves: 'S114 the threshold of the rent',
    file: 'sol.rs',
    from: 'let years = if rent[1] == TWO_YEARS { 2 } else { 1 };',
    to: 'let years = if rent[1] == TWO_YEARS { 1 } else { 1 };',
    test: 'attacks/addresses.test.ts every account holds exactly its rent',
  },
  {
    proves: 'S108 an event of anybody who signs',
    file: 'events.rs',
    from: 'if is_ours { Ok(()) } else { Err(Error::BadAccount) }',
    to: 'if is_ours || call.data.len() > 2 { Ok(()) } else { Err(Error::BadAccount) }',
    test: 'attacks/events.deep.test.ts none from outside',
  },
  {
    proves: 'S111 a dollar of Token-2022',
    file: 'instructions/init.rs',
    from: 'same(mint.owner(), &TOKEN) &&',
    to: '(same(mint.owner(), &TOKEN) || same(mint.owner(), &TOKEN2022)) &&',
    test: 'attacks/extensions.test.ts no dollar of Token-2022',
  },
  {
    proves: 'S117 a stranger’s first settings',
    file: 'instructions/init.rs',
    from: '&& data[13..] == *key',
    to: '&& data[13..] != [0; 32]',
    test: 'attacks/settings.test.ts only who may upgrade the program',
  },
  {
    proves: 'a timelock that ran for another value',
    file: 'instructions/settings.rs',
    from: 'if !is_open(from) || !same(&proposed.get(), value) {',
    to: 'if !is_open(from) {',
    test: 'attacks/settings.test.ts another proposal begins anew',
  },
  {
    proves: 'a timelock that nobody awaits',
    file: 'instructions/settings.rs',
    from: 'if now() < user.clear_from.get() {',
    to: 'if now() < user.clear_from.get() - 1 {',
    test: 'attacks/settings.test.ts a referrer is taken back',
  },
  {
    proves: 'C3 a floor beyond what it can count',
    file: 'instructions/graduate.rs',
    from: 'launch.floor_usd.get().min(Pool::most_floor_usd(&pool_type)?)',
    to: 'launch.floor_usd.get()',
    test: 'attacks/floor.test.ts a floor of the largest size',
  },
  {
    proves: 'a text that is a byte longer',
    file: 'sol.rs',
    from: 'if length == 0 || length > most {',
    to: 'if length == 0 || length > most + 1 {',
    test: 'attacks/limits.test.ts texts have a byte',
  },
  {
    proves: 'a graduation within the window',
    file: 'instructions/graduate.rs',
    from: 'now() >= launch.created.get().saturating_add(WINDOW_SECONDS as i64)',
    to: 'now() >= launch.created.get().saturating_add(5)',
    test: 'attacks/freezing.test.ts a curve sold out in its window',
  },
  {
    proves: 'a collection of nothing',
    file: 'instructions/collect_treasury.rs',
    from: 'if amount == 0 {',
    to: 'if amount == 1 << 63 {',
    test: 'attacks/freezing.test.ts a collection that finds nothing',
  },
  {
    proves: 'a proposal that is done without notice years later',
    file: 'instructions/settings.rs',
    from: 'from.get() != 0 && now() <= from.get().saturating_add(GRACE_SECONDS)',
    to: 'from.get() != 0 && GRACE_SECONDS != 0',
    test: 'attacks/settings.test.ts what was proposed',
  },
];
