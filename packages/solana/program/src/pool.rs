//! The pool of a graduated token: the curve goes on as a constant product on what is really there, without an end, and below the
//! curve's first price with the floor's dollars beside it. Nothing pays its liquidity out, so it is locked. Every rounding is against
//! the trader, on each side of the floor's edge. Same integers as `packages/protocol/src/maths/pool/mintagePool.ts`.
use crate::curve::{Fill, Kind, MOST};
use crate::fees::{gross_of_net_up, net_of_gross_down};
use crate::interface::Error;
use crate::maths::{mul_div_down, mul_div_up};
use crate::pool_types::{PoolType, SUPPLY};

/// A constant product of tokens and dollars.
#[derive(Clone, Copy)]
struct Product {
    tokens: u64,
    usd: u64,
}

impl Product {
    fn tokens_for_usd_down(self, usd_in: u64) -> Result<u64, Error> {
        let usd = self.usd.checked_add(usd_in).ok_or(Error::AmountTooLarge)?;
        mul_div_down(self.tokens, usd_in, usd)
    }
    /// `tokens_out` below `tokens`.
    fn usd_for_tokens_up(self, tokens_out: u64) -> Result<u64, Error> {
        mul_div_up(self.usd, tokens_out, self.tokens - tokens_out)
    }
    fn usd_from_tokens_down(self, tokens_in: u64) -> Result<u64, Error> {
        mul_div_down(self.usd, tokens_in, self.tokens + tokens_in)
    }
    /// `usd_out` below `usd`.
    fn tokens_from_usd_up(self, usd_out: u64) -> Result<u64, Error> {
        mul_div_up(self.tokens, usd_out, self.usd - usd_out)
    }
}

#[derive(Clone, Copy)]
pub struct Pool {
    /// Tokens in the pool.
    pub tokens: u64,
    /// Dollars in the pool, without the floor's.
    pub usd: u64,
    /// The floor's dollars. They trade below the edge only, and are never taken out of the sum of `usd` and them below what they were.
    pub floor_usd: u64,
    /// With so many tokens in it the pool is at the curve's first price: with more the floor trades too.
    edge_tokens: u64,
    /// Virtual tokens that the floor's dollars stand against, at the curve's first price, rounded down.
    floor_tokens: u64,
}

impl Pool {
    pub fn of(pool_type: &PoolType, tokens: u64, usd: u64, floor_usd: u64) -> Result<Pool, Error> {
        // The pool opens at the curve's last price, which is the first one times (A₀/A₁)²; so it comes down to the first one with A₀/A₁
        // times its tokens.
        let (first, last) = (pool_type.virtual_tokens, pool_type.virtual_tokens_at_end());
        let edge_tokens = mul_div_down(pool_type.pool_tokens(), first, last)?;
        let floor_tokens = mul_div_down(floor_usd, first, pool_type.virtual_usd)?;
        Ok(Pool {
            tokens,
            usd,
            floor_usd,
            edge_tokens,
            floor_tokens,
        })
    }

    /// The most dollars that a floor takes: with more its virtual tokens would not fit.
    pub fn most_floor_usd(pool_type: &PoolType) -> Result<u64, Error> {
        mul_div_down(MOST, pool_type.virtual_usd, pool_type.virtual_tokens)
    }

    /// What an order does here, and the pool after it.
    pub fn fill(&mut self, kind: Kind, amount: u64, total_bps: u64) -> Result<Fill, Error> {
        match kind {
            Kind::BuyExactIn => {
                let net_usd = net_of_gross_down(amount, total_bps)?;
                Fill {
                    gross_usd: amount,
                    net_usd,
                    tokens: self.take_usd(net_usd)?,
                }
                .some()
            }
            Kind::BuyExactOut => {
                if amount >= self.tokens {
                    return Err(Error::BeyondPool);
                }
                let net_usd = self.give_tokens(amount)?;
                Fill {
                    gross_usd: gross_of_net_up(net_usd, total_bps)?,
                    net_usd,
                    tokens: amount,
                }
                .some()
            }
            Kind::SellExactIn => {
                self.require_in_supply(amount)?;
                let gross_usd = self.take_tokens(amount)?;
                Fill {
                    gross_usd,
                    net_usd: net_of_gross_down(gross_usd, total_bps)?,
                    tokens: amount,
                }
                .some()
            }
            Kind::SellExactOut => {
                let gross_usd = gross_of_net_up(amount, total_bps).map_err(|_| Error::BeyondPool)?;
                if gross_usd >= self.usd + self.floor_usd {
                    return Err(Error::BeyondPool);
                }
                let tokens = self.give_usd(gross_usd)?;
                Fill {
                    gross_usd,
                    net_usd: amount,
                    tokens,
                }
                .some()
            }
        }
    }

    /// Above the edge.
    fn upper(&self) -> Product {
        Product {
            tokens: self.tokens,
            usd: self.usd,
        }
    }

    /// Below the edge.
    fn lower(&self) -> Product {
        Product {
            tokens: self.tokens + self.floor_tokens,
            usd: self.usd + self.floor_usd,
        }
    }

    /// Tokens that come into the pool until the floor trades too; 0 below the edge.
    fn room(&self) -> u64 {
        self.edge_tokens.saturating_sub(self.tokens)
    }

    /// Nobody has more tokens than are not in the pool.
    fn require_in_supply(&self, tokens_in: u64) -> Result<(), Error> {
        if tokens_in > SUPPLY - self.tokens {
            Err(Error::BeyondPool)
        } else {
            Ok(())
        }
    }

    fn buy(&mut self, tokens_out: u64, usd_in: u64) -> Result<(), Error> {
        self.tokens -= tokens_out;
        self.usd = self.usd.checked_add(usd_in).ok_or(Error::AmountTooLarge)?;
        Ok(())
    }

    /// The tokens that dollars buy. Below the edge they come to it first.
    fn take_usd(&mut self, usd_in: u64) -> Result<u64, Error> {
        let (mut left, mut bought) = (usd_in, 0);
        let above = self.tokens.saturating_sub(self.edge_tokens);
        if above > 0 {
            let to_edge = self.lower().usd_for_tokens_up(above)?;
            if left < to_edge {
                let tokens = self.lower().tokens_for_usd_down(left)?;
                self.buy(tokens, left)?;
                return Ok(tokens);
            }
            self.buy(above, to_edge)?;
            (left, bought) = (left - to_edge, above);
        }
        let tokens = self.upper().tokens_for_usd_down(left)?;
        self.buy(tokens, left)?;
        Ok(bought + tokens)
    }

    /// The dollars that tokens cost; fewer than there are.
    fn give_tokens(&mut self, tokens_out: u64) -> Result<u64, Error> {
        let below = tokens_out.min(self.tokens.saturating_sub(self.edge_tokens));
        let mut paid = 0;
        if below > 0 {
            paid = self.lower().usd_for_tokens_up(below)?;
            self.buy(below, paid)?;
        }
        let left = tokens_out - below;
        let usd = self.upper().usd_for_tokens_up(left)?;
        self.buy(left, usd)?;
        paid.checked_add(usd).ok_or(Error::AmountTooLarge)
    }

    fn sell(&mut self, tokens_in: u64, usd_out: u64) -> Result<(), Error> {
        self.tokens += tokens_in;
        // Fewer than the floor's are never left, because no supply brings the price so low.
        self.usd = self.usd.checked_sub(usd_out).ok_or(Error::BeyondPool)?;
        Ok(())
    }

    /// The dollars that tokens bring.
    fn take_tokens(&mut self, tokens_in: u64) -> Result<u64, Error> {
        let above = tokens_in.min(self.room());
        let mut received = 0;
        if above > 0 {
            received = self.upper().usd_from_tokens_down(above)?;
            self.sell(above, received)?;
        }
        let left = tokens_in - above;
        let usd = self.lower().usd_from_tokens_down(left)?;
        self.sell(left, usd)?;
        Ok(received + usd)
    }

    /// The tokens that dollars out of the pool cost; fewer dollars than there are.
    fn give_usd(&mut self, usd_out: u64) -> Result<u64, Error> {
        let (mut left, mut paid) = (usd_out, 0);
        let room = self.room();
        if room > 0 {
            let to_edge = self.upper().usd_from_tokens_down(room)?;
            if left <= to_edge {
                let tokens = self.upper().tokens_from_usd_up(left)?;
                self.sell(tokens, left)?;
                return Ok(tokens);
            }
            self.sell(room, to_edge)?;
            (left, paid) = (left - to_edge, room);
        }
        let tokens = self.lower().tokens_from_usd_up(left).map_err(|_| Error::BeyondPool)?;
        self.require_in_supply(tokens)?;
        self.sell(tokens, left)?;
        Ok(paid + tokens)
    }
}
