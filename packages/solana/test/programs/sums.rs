//! What the compiler makes of the usual things of a program. The call's data chooses one, by its first byte; two integers follow.
#![no_std]

use core::panic::PanicInfo;

/// A call of the machine: a function at the hash of its name.
macro_rules! machine {
    ($name:ident, $hash:literal, ($($arg:ident: $type:ty),*)) => {
        unsafe fn $name($($arg: $type),*) {
            let call: extern "C" fn($($type),*) = unsafe { core::mem::transmute($hash as i32 as isize) };
            call($($arg),*)
        }
    };
}
machine!(set_return_data, 0xa226d3ebu32, (from: *const u8, length: u64));
machine!(log, 0x207559bdu32, (from: *const u8, length: u64));
machine!(abort, 0xb6fc1a11u32, ());

/// Logs the file where it happened, and ends the program.
#[panic_handler]
fn panic(info: &PanicInfo) -> ! {
    let file = info.location().map_or("nowhere", |place| place.file());
    unsafe { log(file.as_ptr(), file.len() as u64) };
    unsafe { abort() };
    loop {}
}

fn sum_of_divisors(of: u64, _: u64) -> u64 {
    (1..=of).filter(|one| of.is_multiple_of(*one)).sum()
}

fn upper_half_of_sum(a: u64, b: u64) -> u64 {
    ((u128::from(a) + u128::from(b)) >> 64) as u64
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Functions by their addresses, in a table of constants.
static BY_NUMBER: [fn(u64, u64) -> u64; 3] = [sum_of_divisors, upper_half_of_sum, gcd];

/// Texts by their addresses; the first of them could lie at address 0.
static NAMES: [Option<&str>; 4] = [Some("one"), None, Some("three"), Some("four")];

fn letters(a: u64, b: u64) -> u64 {
    NAMES[a as usize % 4].map_or(b, |name| name.bytes().map(u64::from).sum())
}

fn switch(a: u64, b: u64) -> u64 {
    match a {
        0 => b.rotate_left(7),
        1 => b.swap_bytes(),
        2 => u64::from(b.leading_zeros()),
        3 => b.wrapping_mul(3),
        4 => u64::from(b.count_ones()),
        5 => (b as i64 >> 3) as u64,
        _ => 0,
    }
}

fn sorted(a: u64, b: u64) -> u64 {
    let mut all = [a, b, 7, 3, 11, 5];
    for i in 1..all.len() {
        for j in (1..=i).rev() {
            if all[j] < all[j - 1] {
                all.swap(j, j - 1);
            }
        }
    }
    all.iter().fold(0, |sum, one| sum.wrapping_mul(31).wrapping_add(*one))
}

fn integer(data: &[u8], at: usize) -> u64 {
    data[at..at + 8]
        .iter()
        .rev()
        .fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

/// # Safety
/// `input` is what the machine passes: here a call without accounts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn entrypoint(input: *const u8) -> u64 {
    let length = unsafe { *input.add(8).cast::<u64>() };
    let data = unsafe { core::slice::from_raw_parts(input.add(16), length as usize) };
    let (a, b) = (integer(data, 1), integer(data, 9));
    let result = match data[0] {
        which @ 0..=2 => BY_NUMBER[usize::from(which)](a, b),
        3 => letters(a, b),
        4 => switch(a, b),
        5 => sorted(a, b),
        6 => a + b,
        _ => return 1,
    };
    unsafe { set_return_data((&raw const result).cast(), 8) };
    0
}
