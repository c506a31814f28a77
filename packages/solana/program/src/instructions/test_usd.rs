use crate::accounts::Config;
use crate::interface::{Error, mint_test_usd as at};
use crate::sol::{Call, Outcome};
use crate::tokens;

/// Test dollars for anybody, where the deployment is one for tests and the Config is their mint's authority.
pub fn mint_test_usd(call: &Call) -> Outcome {
    let (account, config) = call.state::<Config>(at::CONFIG)?;
    if config.allows_test.get() == 0 {
        return Err(Error::TestOnly);
    }
    let mint = call.known(at::DOLLAR_MINT, &config.dollar_mint.get())?;
    let to = call.account(at::TO)?;
    let mut args = call.args();
    let amount = args.u64()?;
    args.end()?;
    tokens::mint_test_usd(account, config, mint, to, amount)
}
