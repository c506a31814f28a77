use crate::accounts::{NOBODY, User};
use crate::interface::{Error, open_user as at};
use crate::sol::{Account, Call, Key, Outcome, bytes, find_address, same};
use crate::tokens::NewAccount;

/// Opens a wallet's User. Whoever pays: nothing happens where it is open.
pub fn open_user(call: &Call) -> Outcome {
    call.args().end()?;
    let (payer, wallet) = (call.signer(at::PAYER)?, call.account(at::WALLET)?);
    open(call.program, payer, wallet.key(), call.account(at::USER)?)
}

/// The User of a wallet, opened where it is not. Its address is derived, so there is one for each wallet (S106), and none for nobody:
/// in an event nobody means that none took part.
#[inline(never)]
pub fn open(program: &Key, payer: Account, wallet: &Key, account: Account) -> Outcome {
    if same(wallet, &NOBODY) {
        return Err(Error::BadAccount);
    }
    if same(account.owner(), program) {
        return if account.state::<User>(program)?.is_of(wallet) {
            Ok(())
        } else {
            Err(Error::BadAccount)
        };
    }
    let bump = require_user_address(program, wallet, &account)?;
    let size = size_of::<User>() as u64;
    NewAccount {
        payer,
        account,
        bytes: size,
        bytes_later: size,
        owner: program,
        seeds: &[bytes(b"user"), bytes(wallet), bytes(&[bump])],
    }
    .make()?;
    let user = account.fresh::<User>(program)?;
    user.wallet.set(*wallet);
    user.bump.set(bump as u64);
    Ok(())
}

/// The bump of the address at which this wallet's User has to be.
pub fn require_user_address(program: &Key, wallet: &Key, account: &Account) -> Result<u8, Error> {
    let (address, bump) = find_address(&[bytes(b"user"), bytes(wallet)], program)?;
    if same(&address, account.key()) {
        Ok(bump)
    } else {
        Err(Error::BadAccount)
    }
}
