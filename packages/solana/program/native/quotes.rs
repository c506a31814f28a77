//! The program's maths on this computer: reads an order a line from the standard input and prints what it does, for
//! `test/nativeMaths.test.ts` to compare with TypeScript. Uses the program's own files.
use std::io::{BufRead, BufWriter, Write, stdin, stdout};

#[path = "../src/curve.rs"]
mod curve;
#[path = "../src/fees.rs"]
#[allow(dead_code)]
mod fees;
#[path = "../src/interface.rs"]
#[rustfmt::skip]
mod interface;
#[path = "../src/maths.rs"]
mod maths;
#[path = "../src/pool.rs"]
#[allow(dead_code)]
mod pool;
#[path = "../src/pool_types.rs"]
#[allow(dead_code)]
mod pool_types;

use curve::{Curve, Kind};
use fees::Terms;
use interface::Error;
use pool_types::PoolType;

/// venue, pool type, tokens, usd, floor, kind, amount, limit, fee, builder's fee, has referral, has referrer
type Order = [u64; 12];

fn run(order: &Order) -> Result<Vec<u64>, Error> {
    let [
        venue,
        type_id,
        tokens,
        usd,
        floor,
        kind,
        amount,
        limit,
        fee_bps,
        builder_bps,
        referral,
        referrer,
    ] = *order;
    let kind = [
        Kind::BuyExactIn,
        Kind::BuyExactOut,
        Kind::SellExactIn,
        Kind::SellExactOut,
    ][kind as usize];
    let terms = Terms {
        fee_bps,
        builder_bps,
        has_referral: referral != 0,
        has_referrer: referrer != 0,
    };
    if amount > curve::MOST {
        return Err(Error::AmountTooLarge);
    }
    let total_bps = terms.total_bps()?;
    let pool_type = PoolType::get(type_id)?;
    let (fill, after) = if venue == 0 {
        let mut curve = Curve::of(&pool_type, tokens, usd);
        (
            curve.fill(kind, amount, total_bps)?,
            [curve.tokens_left, curve.reserve_usd],
        )
    } else {
        let mut pool = pool::Pool::of(&pool_type, tokens, usd, floor)?;
        (pool.fill(kind, amount, total_bps)?, [pool.tokens, pool.usd])
    };
    fill.require_limit(kind, amount, limit, total_bps)?;
    let parts = fees::split(fill.gross_usd, fill.gross_usd - fill.net_usd, &terms)?;
    Ok(vec![
        fill.gross_usd,
        fill.net_usd,
        fill.tokens,
        after[0],
        after[1],
        parts.builder,
        parts.excess,
        parts.creator,
        parts.referral,
        parts.referrer,
        parts.cashback,
        parts.treasury,
    ])
}

fn main() {
    let mut out = BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        let line = line.expect("a line");
        let mut order: Order = [0; 12];
        for (place, word) in order.iter_mut().zip(line.split(' ')) {
            *place = word.parse().expect("a number");
        }
        let said = match run(&order) {
            Ok(numbers) => numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(" "),
            Err(error) => format!("{error:?}"),
        };
        writeln!(out, "{said}").expect("somebody who reads");
    }
}
