//! The bonding curve: a constant product on virtual reserves, and the four kinds of order on it. Every rounding is against the
//! trader, so A·B never falls. Same integers as `packages/protocol/src/maths/curve.ts`.
use crate::fees::{gross_of_net_down, gross_of_net_up, net_of_gross_down};
use crate::interface::Error;
use crate::maths::{mul_div_down, mul_div_up};
use crate::pool_types::PoolType;

/// The four kinds of order, named as the instructions. `ExactIn`: what the trader gives is exact.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    BuyExactIn,
    BuyExactOut,
    SellExactIn,
    SellExactOut,
}

impl Kind {
    pub fn is_buy(self) -> bool {
        matches!(self, Kind::BuyExactIn | Kind::BuyExactOut)
    }
    pub fn is_exact_in(self) -> bool {
        matches!(self, Kind::BuyExactIn | Kind::SellExactIn)
    }
}

/// More than anybody can have of a dollar or a token: a larger order is refused, so that no sum below overflows.
pub const MOST: u64 = 1 << 62;

/// What an order does.
#[derive(Clone, Copy)]
pub struct Fill {
    /// Buy: what the trader pays. Sell: what the venue pays.
    pub gross_usd: u64,
    /// Buy: what reaches the venue. Sell: what the trader receives. The fees are the difference.
    pub net_usd: u64,
    pub tokens: u64,
}

impl Fill {
    /// Refuses one that moves nothing.
    pub fn some(self) -> Result<Fill, Error> {
        if self.net_usd == 0 || self.tokens == 0 {
            Err(Error::ZeroAmount)
        } else {
            Ok(self)
        }
    }

    /// Whether the trader's limit allows it. A buy that ends the curve pays less than it offered, and its limit shrinks in proportion:
    /// to what the rest costs before curve and fees round it up.
    pub fn require_limit(&self, kind: Kind, amount: u64, limit: u64, total_bps: u64) -> Result<(), Error> {
        let (received, paid) = if kind.is_buy() {
            (self.tokens, self.gross_usd)
        } else {
            (self.net_usd, self.tokens)
        };
        if !kind.is_exact_in() {
            return if paid > limit { Err(Error::TooMuchPaid) } else { Ok(()) };
        }
        let least = if kind.is_buy() && self.gross_usd < amount {
            mul_div_down(limit, gross_of_net_down(self.net_usd - 1, total_bps)?, amount)?
        } else {
            limit
        };
        if received < least {
            Err(Error::TooLittleReceived)
        } else {
            Ok(())
        }
    }
}

/// A curve at one moment, base units.
#[derive(Clone, Copy)]
pub struct Curve {
    /// A.
    pub virtual_tokens: u64,
    /// B.
    pub virtual_usd: u64,
    /// Tokens still to sell, below A.
    pub tokens_left: u64,
    /// Net dollars raised: all that sells can take out, below B.
    pub reserve_usd: u64,
}

impl Curve {
    pub fn of(pool_type: &PoolType, tokens_left: u64, reserve_usd: u64) -> Curve {
        Curve {
            virtual_tokens: pool_type.virtual_tokens_at_end() + tokens_left,
            virtual_usd: pool_type.virtual_usd + reserve_usd,
            tokens_left,
            reserve_usd,
        }
    }

    /// What an order does here, and the curve after it.
    pub fn fill(&mut self, kind: Kind, amount: u64, total_bps: u64) -> Result<Fill, Error> {
        let fill = match kind {
            Kind::BuyExactIn => self.buy_exact_in(amount, total_bps),
            Kind::BuyExactOut => self.buy_exact_out(amount, total_bps),
            Kind::SellExactIn => self.sell_exact_in(amount, total_bps),
            Kind::SellExactOut => self.sell_exact_out(amount, total_bps),
        }?
        .some()?;
        if kind.is_buy() {
            self.tokens_left -= fill.tokens;
            self.reserve_usd += fill.net_usd;
        } else {
            self.tokens_left += fill.tokens;
            self.reserve_usd -= fill.gross_usd;
        }
        Ok(fill)
    }

    /// Where the net reaches what is left, fills exactly to the end, for only the gross that this needs.
    fn buy_exact_in(&self, amount: u64, total_bps: u64) -> Result<Fill, Error> {
        let net_usd = net_of_gross_down(amount, total_bps)?;
        let to_end = self.usd_for_tokens_up(self.tokens_left)?;
        if net_usd >= to_end {
            let gross_usd = gross_of_net_up(to_end, total_bps)?;
            return Ok(Fill {
                gross_usd,
                net_usd: to_end,
                tokens: self.tokens_left,
            });
        }
        let tokens = mul_div_down(self.virtual_tokens, net_usd, self.virtual_usd + net_usd)?;
        Ok(Fill {
            gross_usd: amount,
            net_usd,
            tokens,
        })
    }

    fn buy_exact_out(&self, tokens: u64, total_bps: u64) -> Result<Fill, Error> {
        if tokens > self.tokens_left {
            return Err(Error::BeyondCurve);
        }
        let net_usd = self.usd_for_tokens_up(tokens)?;
        Ok(Fill {
            gross_usd: gross_of_net_up(net_usd, total_bps)?,
            net_usd,
            tokens,
        })
    }

    fn sell_exact_in(&self, tokens: u64, total_bps: u64) -> Result<Fill, Error> {
        let gross_usd = mul_div_down(self.virtual_usd, tokens, self.virtual_tokens + tokens)?;
        self.require_reserve(gross_usd)?;
        Ok(Fill {
            gross_usd,
            net_usd: net_of_gross_down(gross_usd, total_bps)?,
            tokens,
        })
    }

    fn sell_exact_out(&self, net_usd: u64, total_bps: u64) -> Result<Fill, Error> {
        let gross_usd = gross_of_net_up(net_usd, total_bps).map_err(|_| Error::BeyondReserve)?;
        self.require_reserve(gross_usd)?;
        let tokens = mul_div_up(self.virtual_tokens, gross_usd, self.virtual_usd - gross_usd)?;
        Ok(Fill {
            gross_usd,
            net_usd,
            tokens,
        })
    }

    fn usd_for_tokens_up(&self, tokens: u64) -> Result<u64, Error> {
        mul_div_up(self.virtual_usd, tokens, self.virtual_tokens - tokens)
    }

    fn require_reserve(&self, gross_usd: u64) -> Result<(), Error> {
        if gross_usd > self.reserve_usd {
            Err(Error::BeyondReserve)
        } else {
            Ok(())
        }
    }
}
