//! Who gets what of a trade. All amounts are dollar base units, all rates basis points of the gross amount. Same integers as
//! `packages/protocol/src/maths/fees.ts`.
use crate::interface::Error;
use crate::maths::{mul_div_down, mul_div_up};

pub const BPS: u64 = 10_000;
/// Trade fee of every sell, and of every buy after the opening window.
pub const NORMAL_BPS: u64 = 100;
const OPENING_BPS: u64 = 8_000;
pub const WINDOW_SECONDS: u64 = 6;

const CREATOR_BPS: u64 = 50;
const CREATOR_WITH_REFERRAL_BPS: u64 = 35;
const REFERRAL_BPS: u64 = 15;
const REFERRER_BPS: u64 = 10;
const CASHBACK_BPS: u64 = 4;

/// Trade fee of a buy so many whole seconds after creation: 8000, 6684, 5367, 4050, 2734, 1417, then 100.
pub fn buy_fee_bps(elapsed: u64) -> u64 {
    if elapsed >= WINDOW_SECONDS {
        return NORMAL_BPS;
    }
    OPENING_BPS - (OPENING_BPS - NORMAL_BPS).wrapping_mul(elapsed) / WINDOW_SECONDS
}

/// What a trade's fees are taken by.
#[derive(Clone, Copy)]
pub struct Terms {
    /// Trade fee without the builder's.
    pub fee_bps: u64,
    /// On top of it.
    pub builder_bps: u64,
    pub has_referral: bool,
    pub has_referrer: bool,
}

impl Terms {
    /// Trade fee and builder fee together, below 10000.
    pub fn total_bps(&self) -> Result<u64, Error> {
        let sum = self.fee_bps + self.builder_bps;
        if sum < BPS {
            Ok(sum)
        } else {
            Err(Error::FeesExceedAmount)
        }
    }
}

/// What is left of a gross amount, rounded down: the fee is rounded up.
pub fn net_of_gross_down(gross_usd: u64, total_bps: u64) -> Result<u64, Error> {
    Ok(gross_usd - mul_div_up(gross_usd, total_bps, BPS)?)
}

/// The least gross amount that leaves at least `net_usd`.
pub fn gross_of_net_up(net_usd: u64, total_bps: u64) -> Result<u64, Error> {
    mul_div_up(net_usd, BPS, BPS - total_bps)
}

/// The gross amount that leaves exactly `net_usd`, rounded down.
pub fn gross_of_net_down(net_usd: u64, total_bps: u64) -> Result<u64, Error> {
    mul_div_down(net_usd, BPS, BPS - total_bps)
}

/// Every dollar of a trade's fees has one of these places. builder + excess + the other five = the fee.
#[derive(Default)]
pub struct Split {
    pub builder: u64,
    /// Above the normal fee, only in the opening window: kept for the token's floor, never for a person.
    pub excess: u64,
    pub creator: u64,
    pub referral: u64,
    pub referrer: u64,
    pub cashback: u64,
    pub treasury: u64,
}

/// Shares out `total`, the fee of `gross_usd`: people's parts round down, the treasury takes the exact rest.
pub fn split(gross_usd: u64, total: u64, terms: &Terms) -> Result<Split, Error> {
    let share = |bps: u64| mul_div_down(gross_usd, bps, BPS);
    let mut parts = Split {
        builder: share(terms.builder_bps)?,
        ..Split::default()
    };
    let mut rest = total - parts.builder;
    if terms.fee_bps > NORMAL_BPS {
        let base = mul_div_up(gross_usd, NORMAL_BPS, BPS)?;
        parts.excess = rest - base;
        rest = base;
    }
    parts.creator = share(if terms.has_referral {
        CREATOR_WITH_REFERRAL_BPS
    } else {
        CREATOR_BPS
    })?;
    if terms.has_referral {
        parts.referral = share(REFERRAL_BPS)?;
    }
    if terms.has_referrer {
        parts.referrer = share(REFERRER_BPS)?;
        parts.cashback = share(CASHBACK_BPS)?;
    }
    parts.treasury = rest - parts.creator - parts.referral - parts.referrer - parts.cashback;
    Ok(parts)
}
