use crate::accounts::{Config, NOBODY};
use crate::interface::{Error, FEE_VAULT_COUNT, init as at, open_fee_vault as vault_at, wellknown::*};
use crate::sol::{Account, Call, Key, Outcome, bytes, find_address, same};
use crate::tokens::{NewAccount, TOKEN_ACCOUNT_BYTES, USD_DECIMALS, initialize_token_account};

/// Writes the Config, once. Only who may upgrade the program can, so that no stranger comes first (S117).
#[inline(never)]
pub fn init(call: &Call) -> Outcome {
    let payer = call.signer(at::PAYER)?;
    require_upgrade_authority(call, payer.key())?;
    let dollar_mint = call.account(at::DOLLAR_MINT)?;
    require_dollar(&dollar_mint)?;

    let mut args = call.args();
    let (treasury, voucher_signer, owner) = (args.key()?, args.key()?, args.key()?);
    let (allows_test, timelock_seconds) = (args.u8()?, args.u64()?);
    args.end()?;
    if same(treasury, &NOBODY) || same(owner, &NOBODY) || allows_test > 1 || timelock_seconds > i64::MAX as u64 / 2 {
        return Err(Error::BadInstruction);
    }

    let account = call.account(at::CONFIG)?;
    let (address, bump) = find_address(&[bytes(b"config")], call.program)?;
    if !same(account.key(), &address) {
        return Err(Error::BadAccount);
    }
    let size = size_of::<Config>() as u64;
    NewAccount {
        payer,
        account,
        bytes: size,
        bytes_later: size,
        owner: call.program,
        seeds: &[bytes(b"config"), bytes(&[bump])],
    }
    .make()?;
    let config = account.fresh::<Config>(call.program)?;
    config.dollar_mint.set(*dollar_mint.key());
    config.treasury.set(*treasury);
    config.voucher_signer.set(*voucher_signer);
    config.owner.set(*owner);
    config.timelock_seconds.set(timelock_seconds);
    config.allows_test.set(allows_test as u64);
    config.bump.set(bump as u64);
    Ok(())
}

/// The loader keeps a program's authority in an account beside it: u32 kind, u64 slot, then whether there is one, and who.
fn require_upgrade_authority(call: &Call, key: &Key) -> Outcome {
    const PROGRAM_DATA: [u8; 4] = [3, 0, 0, 0];
    let account = call.account(at::PROGRAM_DATA)?;
    let (address, _) = find_address(&[bytes(call.program)], &UPGRADEABLE_LOADER)?;
    if !same(account.key(), &address) || !same(account.owner(), &UPGRADEABLE_LOADER) {
        return Err(Error::BadAccount);
    }
    let data = account.data().get(..45).ok_or(Error::BadAccount)?;
    if data[..4] == PROGRAM_DATA && data[12] == 1 && data[13..] == *key {
        Ok(())
    } else {
        Err(Error::Unauthorized)
    }
}

/// A mint of the classic token program, which has no extensions that could take a part of a transfer (S111).
fn require_dollar(mint: &Account) -> Outcome {
    const BYTES: u64 = 82;
    let is_mint = same(mint.owner(), &TOKEN) && mint.len() == BYTES;
    if is_mint && mint.data()[44] == USD_DECIMALS && mint.data()[45] == 1 {
        Ok(())
    } else {
        Err(Error::BadAccount)
    }
}

/// Opens one of the vaults of credits. Whoever pays: nothing happens where it is open.
#[inline(never)]
pub fn open_fee_vault(call: &Call) -> Outcome {
    let payer = call.signer(vault_at::PAYER)?;
    let (config_account, config) = call.state::<Config>(vault_at::CONFIG)?;
    let account = call.account(vault_at::FEE_VAULT)?;
    let dollar_mint = call.known(vault_at::DOLLAR_MINT, &config.dollar_mint.get())?;
    let mut args = call.args();
    let index = args.u8()?;
    args.end()?;
    if index as usize >= FEE_VAULT_COUNT {
        return Err(Error::BadInstruction);
    }
    let slot = &config.fee_vaults[index as usize];
    if !same(&slot.get(), &NOBODY) {
        return Ok(());
    }
    let (address, bump) = find_address(&[bytes(b"fees"), bytes(&[index])], call.program)?;
    if !same(account.key(), &address) {
        return Err(Error::BadAccount);
    }
    NewAccount {
        payer,
        account,
        bytes: TOKEN_ACCOUNT_BYTES,
        bytes_later: TOKEN_ACCOUNT_BYTES,
        owner: &TOKEN,
        seeds: &[bytes(b"fees"), bytes(&[index]), bytes(&[bump])],
    }
    .make()?;
    initialize_token_account(&TOKEN, account, dollar_mint, config_account.key())?;
    slot.set(address);
    Ok(())
}
