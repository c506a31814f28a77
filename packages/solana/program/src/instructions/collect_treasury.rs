use crate::accounts::{Config, Launch, User, add};
use crate::interface::{Error, collect_treasury as at, events};
use crate::sol::{Call, Outcome};
use crate::tokens::{Vaults, usd_to_credits};

/// Moves the treasury's share of a token to the treasury's credit. Anyone; where there is none nothing happens.
#[inline(never)]
pub fn collect_treasury(call: &Call) -> Outcome {
    call.args().end()?;
    let (_, config) = call.state::<Config>(at::CONFIG)?;
    let (account, launch) = call.state::<Launch>(at::LAUNCH)?;
    let vaults = Vaults::read(
        call,
        [at::USD_VAULT, at::FEE_VAULT, at::DOLLAR_MINT, at::TOKEN],
        config,
        launch,
    )?;
    let (_, treasury) = call.state::<User>(at::TREASURY_USER)?;
    if !treasury.is_of(&config.treasury.get()) {
        return Err(Error::BadAccount);
    }
    let amount = launch.treasury_usd.replace(0);
    if amount == 0 {
        return Ok(());
    }
    add(&treasury.credit_usd, amount)?;
    usd_to_credits(account, launch, &vaults, amount)?;
    launch
        .event(events::TREASURY_COLLECTED)
        .key(&launch.mint.get())
        .key(&treasury.wallet.get())
        .u64(amount)
        .by_launch(call.program, account, launch)
}
