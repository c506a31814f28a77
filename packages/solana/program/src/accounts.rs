//! What the program keeps. Fields are as in `programAccounts` of `packages/protocol/src/solana/launchpad.ts`; all are cells, because one
//! account may stand in two places of an instruction.
use crate::interface::{Error, FEE_VAULT_COUNT};
use crate::sol::{Account, Key, State, same};
use core::cell::Cell;

pub const NOBODY: Key = [0; 32];

/// The deployment's settings: one account.
#[repr(C)]
pub struct Config {
    kind: Cell<u64>,
    pub dollar_mint: Cell<Key>,
    pub treasury: Cell<Key>,
    pub voucher_signer: Cell<Key>,
    pub owner: Cell<Key>,
    pub pending_owner: Cell<Key>,
    /// What the owner wants in the place of treasury, voucher signer and owner, and from when on it may be set; 0: nothing.
    pub proposed: [Cell<Key>; 3],
    pub proposed_from: [Cell<i64>; 3],
    pub timelock_seconds: Cell<u64>,
    /// Whether pool type 9 can be created, and test dollars minted.
    pub allows_test: Cell<u64>,
    pub bump: Cell<u64>,
    /// Tokens created; each `TokenCreated` carries the number before it.
    pub launches: Cell<u64>,
    /// Events that this account signed.
    pub seq: Cell<u64>,
    pub fee_vaults: [Cell<Key>; FEE_VAULT_COUNT],
}

/// A token.
#[repr(C)]
pub struct Launch {
    kind: Cell<u64>,
    pub mint: Cell<Key>,
    pub creator: Cell<Key>,
    pub token_vault: Cell<Key>,
    pub usd_vault: Cell<Key>,
    /// Unix seconds.
    pub created: Cell<i64>,
    pub pool_type: Cell<u64>,
    pub bump: Cell<u64>,
    pub graduated: Cell<u64>,
    /// Still to sell on the curve; after graduation: in the pool.
    pub tokens_left: Cell<u64>,
    /// Net dollars raised; after graduation: in the pool.
    pub reserve_usd: Cell<u64>,
    /// Dollars of the opening window, kept for the floor; after graduation: the floor.
    pub floor_usd: Cell<u64>,
    /// The treasury's share, until it is collected.
    pub treasury_usd: Cell<u64>,
    pub seq: Cell<u64>,
}

/// What a wallet earned and who referred it.
#[repr(C)]
pub struct User {
    kind: Cell<u64>,
    pub wallet: Cell<Key>,
    /// Nobody: none.
    pub referrer: Cell<Key>,
    pub credit_usd: Cell<u64>,
    /// From when on the owner may clear the referrer; 0: nobody wants to.
    pub clear_from: Cell<i64>,
    pub bump: Cell<u64>,
    pub seq: Cell<u64>,
}

macro_rules! state {
    ($type:ident, $kind:literal) => {
        // SAFETY: as the trait wants it: cells of eight bytes and of keys.
        unsafe impl State for $type {
            const KIND: u64 = u64::from_le_bytes(*$kind);
            fn kind(&self) -> &Cell<u64> {
                &self.kind
            }
        }
    };
}
state!(Config, b"config\0\0");
state!(Launch, b"launch\0\0");
state!(User, b"user\0\0\0\0");

pub fn add(cell: &Cell<u64>, amount: u64) -> Result<(), Error> {
    cell.set(cell.get().checked_add(amount).ok_or(Error::AmountTooLarge)?);
    Ok(())
}

/// The number of the next event of who counts in `seq`.
pub fn next(seq: &Cell<u64>) -> u64 {
    let number = seq.get();
    seq.set(number + 1);
    number
}

impl Config {
    /// Credits of a token's trades lie in one of 16 vaults, so that not every trade of every token waits for the same account.
    pub fn fee_vault_of(&self, mint: &Key) -> Key {
        self.fee_vaults[mint[31] as usize % FEE_VAULT_COUNT].get()
    }
    pub fn is_fee_vault(&self, account: &Account) -> bool {
        self.fee_vaults.iter().any(|vault| same(&vault.get(), account.key()))
    }
}

impl User {
    pub fn is_of(&self, wallet: &Key) -> bool {
        same(&self.wallet.get(), wallet)
    }
    pub fn has_referrer(&self) -> bool {
        !same(&self.referrer.get(), &NOBODY)
    }
}
