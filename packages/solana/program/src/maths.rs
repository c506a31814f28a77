//! Products of two 64-bit numbers, divided again. The target has no 128-bit multiplication or division, so both are here, by digits
//! of 32 bits. Same integers as `packages/protocol/src/maths/rounding.ts`.
use crate::interface::Error;

const LOW: u64 = 0xffff_ffff;

/// The whole product, high half first.
#[inline(always)]
pub fn product(a: u64, b: u64) -> (u64, u64) {
    let (a1, a0) = (a >> 32, a & LOW);
    let (b1, b0) = (b >> 32, b & LOW);
    let low = a0.wrapping_mul(b0);
    let (cross1, cross2) = (a0.wrapping_mul(b1), a1.wrapping_mul(b0));
    // Three numbers below 2^32 do not overflow 64 bits.
    let middle = (low >> 32) + (cross1 & LOW) + (cross2 & LOW);
    let high = a1.wrapping_mul(b1) + (cross1 >> 32) + (cross2 >> 32) + (middle >> 32);
    (high, (middle << 32) | (low & LOW))
}

/// `a·b / d`, rounded down. Refuses a result of more than 64 bits, and `d` zero.
#[inline(never)]
pub fn mul_div_down(a: u64, b: u64, d: u64) -> Result<u64, Error> {
    Ok(mul_div(a, b, d)?.0)
}

/// `a·b / d`, rounded up. As `mul_div_down`.
#[inline(never)]
pub fn mul_div_up(a: u64, b: u64, d: u64) -> Result<u64, Error> {
    let (quotient, rest) = mul_div(a, b, d)?;
    if rest == 0 {
        Ok(quotient)
    } else {
        quotient.checked_add(1).ok_or(Error::AmountTooLarge)
    }
}

#[inline(always)]
fn mul_div(a: u64, b: u64, d: u64) -> Result<(u64, u64), Error> {
    let (high, low) = product(a, b);
    if high >= d {
        Err(Error::AmountTooLarge)
    } else {
        Ok(divide(high, low, d))
    }
}

/// Quotient and rest of `high·2^64 + low` by `d`, where `high < d`: school division by two digits (Knuth, volume 2, 4.3.1, D).
#[inline(always)]
fn divide(high: u64, low: u64, d: u64) -> (u64, u64) {
    if high == 0 {
        return (low / d, low % d);
    }
    // Shifted so that the divisor's first bit is set: then a guessed digit is at most two too large.
    let shift = d.leading_zeros();
    let d = d << shift;
    let high = if shift == 0 {
        high
    } else {
        (high << shift) | (low >> (64 - shift))
    };
    let low = low << shift;
    let first = digit(high, low >> 32, d);
    let rest = (high << 32).wrapping_add(low >> 32).wrapping_sub(first.wrapping_mul(d));
    let second = digit(rest, low & LOW, d);
    let rest = (rest << 32)
        .wrapping_add(low & LOW)
        .wrapping_sub(second.wrapping_mul(d));
    ((first << 32).wrapping_add(second), rest >> shift)
}

/// The digit of `(rest·2^32 + next) / d`.
#[inline(always)]
fn digit(rest: u64, next: u64, d: u64) -> u64 {
    let (d1, d0) = (d >> 32, d & LOW);
    let (mut guess, mut over) = (rest / d1, rest % d1);
    while guess > LOW || guess.wrapping_mul(d0) > ((over << 32) | next) {
        guess -= 1;
        over += d1;
        if over > LOW {
            break;
        }
    }
    guess
}
