//! The three kinds of curve, in base units. Same numbers as `packages/protocol/src/maths/poolTypes.ts`.
use crate::interface::Error;

pub const DECIMALS: u8 = 6;
const TOKEN: u64 = 1_000_000;
const USD: u64 = 1_000_000;
/// Every token has this supply.
pub const SUPPLY: u64 = 1_000_000_000 * TOKEN;
/// The type with a tiny raise, which only deployments for tests create.
pub const TEST: u64 = 9;

pub struct PoolType {
    /// Tokens sold on the curve.
    pub curve_tokens: u64,
    /// A of an untouched curve.
    pub virtual_tokens: u64,
    /// B of an untouched curve.
    pub virtual_usd: u64,
    /// Paid to the creator out of the raise at graduation.
    pub creator_reward_usd: u64,
}

impl PoolType {
    pub fn get(id: u64) -> Result<PoolType, Error> {
        let (curve, tokens, usd, reward) = match id {
            7 => (750_000_000, 1_125_000_000, 12_500, 0),
            8 => (800_000_000, 1_280_000_000, 18_000, 10_000),
            TEST => (750_000_000, 1_125_000_000, 125, 0),
            _ => return Err(Error::UnknownPoolType),
        };
        Ok(PoolType {
            curve_tokens: TOKEN.wrapping_mul(curve),
            virtual_tokens: TOKEN.wrapping_mul(tokens),
            virtual_usd: USD.wrapping_mul(usd),
            creator_reward_usd: USD.wrapping_mul(reward),
        })
    }

    /// Tokens that go to the pool at graduation.
    pub fn pool_tokens(&self) -> u64 {
        SUPPLY - self.curve_tokens
    }

    /// A of a curve that sold everything.
    pub fn virtual_tokens_at_end(&self) -> u64 {
        self.virtual_tokens - self.curve_tokens
    }
}
