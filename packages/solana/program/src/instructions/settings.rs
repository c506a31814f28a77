use crate::accounts::{Config, NOBODY, User};
use crate::interface::{Error, accept_owner as accept_at, clear_referrer as clear_at, events, set as at, settings};
use crate::sol::{Account, Call, Key, Outcome, now, same};
use core::cell::Cell;

/// For so long after its timelock what was proposed can be done; later it would come without notice, and has to be proposed again.
const GRACE_SECONDS: i64 = 14 * 24 * 3_600;

/// A setting by the owner, in two calls of the same words: the first says what shall be, the second makes it so when the timelock is
/// over. Without a timelock the first does.
#[inline(never)]
pub fn set(call: &Call) -> Outcome {
    let (account, config) = require_owner(call, at::OWNER, at::CONFIG)?;
    let mut args = call.args();
    let (setting, value) = (args.u8()?, args.key()?);
    args.end()?;
    if setting >= settings::ACCEPTED || (setting == settings::TREASURY && same(value, &NOBODY)) {
        return Err(Error::BadInstruction);
    }
    let (proposed, from) = (
        &config.proposed[setting as usize],
        &config.proposed_from[setting as usize],
    );
    if !is_open(from) || !same(&proposed.get(), value) {
        proposed.set(*value);
        from.set(ready(config));
        if config.timelock_seconds.get() != 0 {
            return config
                .event(events::SETTING_PROPOSED)
                .u8(setting)
                .key(value)
                .i64(from.get())
                .by_config(call.program, account, config);
        }
    }
    if now() < from.get() {
        return Err(Error::TooEarly);
    }
    from.set(0);
    proposed.set(NOBODY);
    match setting {
        settings::TREASURY => config.treasury.set(*value),
        settings::VOUCHER_SIGNER => config.voucher_signer.set(*value),
        _ => config.pending_owner.set(*value),
    }
    changed(call, account, config, setting, value)
}

/// Takes back what a stolen voucher key did, in two calls as `set`.
#[inline(never)]
pub fn clear_referrer(call: &Call) -> Outcome {
    call.args().end()?;
    let (_, config) = require_owner(call, clear_at::OWNER, clear_at::CONFIG)?;
    let (account, user) = call.state::<User>(clear_at::USER)?;
    if !user.has_referrer() {
        return Ok(());
    }
    if !is_open(&user.clear_from) {
        user.clear_from.set(ready(config));
        if config.timelock_seconds.get() != 0 {
            return user
                .event(events::REFERRER_CLEAR_PROPOSED)
                .key(&user.wallet.get())
                .i64(user.clear_from.get())
                .by_user(call.program, account, user);
        }
    }
    if now() < user.clear_from.get() {
        return Err(Error::TooEarly);
    }
    user.clear_from.set(0);
    user.referrer.set(NOBODY);
    user.event(events::REFERRER_SET)
        .key(&user.wallet.get())
        .key(&NOBODY)
        .by_user(call.program, account, user)
}

#[inline(never)]
pub fn accept_owner(call: &Call) -> Outcome {
    call.args().end()?;
    let signer = call.signer(accept_at::NEW_OWNER)?;
    let (account, config) = call.state::<Config>(accept_at::CONFIG)?;
    if !same(signer.key(), &config.pending_owner.get()) {
        return Err(Error::Unauthorized);
    }
    config.pending_owner.set(NOBODY);
    config.owner.set(*signer.key());
    changed(call, account, config, settings::ACCEPTED, signer.key())
}

fn require_owner(call: &Call, owner: usize, config: usize) -> Result<(Account, &'static Config), Error> {
    let signer = call.signer(owner)?;
    let (account, config) = call.state::<Config>(config)?;
    if same(signer.key(), &config.owner.get()) {
        Ok((account, config))
    } else {
        Err(Error::Unauthorized)
    }
}

/// Whether there is a proposal that waits or can be done.
fn is_open(from: &Cell<i64>) -> bool {
    from.get() != 0 && now() <= from.get().saturating_add(GRACE_SECONDS)
}

/// From when on what is proposed now may be done. Never 0, which means nothing.
fn ready(config: &Config) -> i64 {
    now().saturating_add(config.timelock_seconds.get() as i64).max(1)
}

fn changed(call: &Call, account: Account, config: &Config, setting: u8, value: &Key) -> Outcome {
    config
        .event(events::SETTING_CHANGED)
        .u8(setting)
        .key(value)
        .by_config(call.program, account, config)
}
