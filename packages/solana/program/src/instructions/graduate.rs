use crate::accounts::{Config, Launch, User, add};
use crate::fees::WINDOW_SECONDS;
use crate::interface::{Error, events, graduate as at};
use crate::pool::Pool;
use crate::pool_types::PoolType;
use crate::sol::{Account, Call, Outcome, now, same};
use crate::tokens::{Vaults, usd_to_credits};

/// Opens the pool of a sold out curve. Anyone, from the end of the opening window on, until it is done.
#[inline(never)]
pub fn graduate(call: &Call) -> Outcome {
    call.args().end()?;
    let (_, config) = call.state::<Config>(at::CONFIG)?;
    let (account, launch) = call.state::<Launch>(at::LAUNCH)?;
    if launch.graduated.get() != 0 {
        return Err(Error::AlreadyGraduated);
    }
    if launch.tokens_left.get() != 0 {
        return Err(Error::NotCompleted);
    }
    if !is_window_over(launch) {
        return Err(Error::WindowOpen);
    }
    let vaults = Vaults::read(
        call,
        [at::USD_VAULT, at::FEE_VAULT, at::DOLLAR_MINT, at::TOKEN],
        config,
        launch,
    )?;
    let (_, creator) = call.state::<User>(at::CREATOR_USER)?;
    open_pool(call, account, launch, &vaults, creator)
}

pub fn is_window_over(launch: &Launch) -> bool {
    now() >= launch.created.get().saturating_add(WINDOW_SECONDS as i64)
}

/// All money is in the vaults already, so nothing moves but the creator's reward.
#[inline(never)]
pub fn open_pool(call: &Call, account: Account, launch: &Launch, vaults: &Vaults, creator: &User) -> Outcome {
    if !same(&creator.wallet.get(), &launch.creator.get()) {
        return Err(Error::BadAccount);
    }
    let pool_type = PoolType::get(launch.pool_type.get())?;
    let reward = pool_type.creator_reward_usd;
    let floor = launch.floor_usd.get().min(Pool::most_floor_usd(&pool_type)?);
    let dust = launch.floor_usd.get() - floor;

    launch.graduated.set(1);
    launch.tokens_left.set(pool_type.pool_tokens());
    launch.reserve_usd.set(launch.reserve_usd.get() - reward);
    launch.floor_usd.set(floor);
    add(&launch.treasury_usd, dust)?;
    add(&creator.credit_usd, reward)?;
    usd_to_credits(account, launch, vaults, reward)?;

    launch
        .event(events::GRADUATED)
        .key(&launch.mint.get())
        .u64(launch.tokens_left.get())
        .u64(launch.reserve_usd.get())
        .u64(floor)
        .u64(reward)
        .u64(dust)
        .by_launch(call.program, account, launch)
}
