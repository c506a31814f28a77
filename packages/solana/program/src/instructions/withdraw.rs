use crate::accounts::{Config, User};
use crate::interface::{Error, events, wellknown::TOKEN, withdraw as at};
use crate::sol::{Call, Outcome, bytes};
use crate::tokens::{TOKEN_AMOUNT, Transfer, USD_DECIMALS};

/// Pays a wallet what it earned, out of the vaults that it names, one after the other. The largest number means all.
#[inline(never)]
pub fn withdraw(call: &Call) -> Outcome {
    let wallet = call.signer(at::WALLET)?;
    let (config_account, config) = call.state::<Config>(at::CONFIG)?;
    let (user_account, user) = call.state::<User>(at::USER)?;
    if !user.is_of(wallet.key()) {
        return Err(Error::Unauthorized);
    }
    let to = call.account(at::TO)?;
    let mint = call.known(at::DOLLAR_MINT, &config.dollar_mint.get())?;
    let mut args = call.args();
    let asked = args.u64()?;
    args.end()?;
    let amount = if asked == u64::MAX {
        user.credit_usd.get()
    } else {
        asked
    };
    let rest = user
        .credit_usd
        .get()
        .checked_sub(amount)
        .ok_or(Error::InsufficientCredit)?;
    if amount == 0 {
        return Err(Error::ZeroAmount);
    }
    if config.is_fee_vault(&to) {
        return Err(Error::BadAccount);
    }
    user.credit_usd.set(rest);

    let bump = [config.bump.get() as u8];
    let mut left = amount;
    for vault in call.after(at::COUNT) {
        if !config.is_fee_vault(&vault) {
            return Err(Error::BadAccount);
        }
        let part = vault.u64_at(TOKEN_AMOUNT)?.min(left);
        left -= part;
        Transfer {
            program: &TOKEN,
            from: vault,
            mint,
            to,
            authority: config_account,
            amount: part,
            decimals: USD_DECIMALS,
            seeds: &[bytes(b"config"), bytes(&bump)],
        }
        .make()?;
    }
    if left != 0 {
        return Err(Error::VaultsTooSmall);
    }
    user.event(events::WITHDRAWN)
        .key(&user.wallet.get())
        .key(to.key())
        .u64(amount)
        .by_user(call.program, user_account, user)
}
