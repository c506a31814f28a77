//! Mintage on Solana: creates tokens, trades them on a bonding curve, graduates them into a locked pool of its own. The same rules,
//! fees and integers as the Solidity launchpad; what its instructions take stands in `packages/protocol/src/solana/launchpad.ts`.
#![no_std]

mod accounts;
mod curve;
mod events;
mod fees;
mod instructions;
#[rustfmt::skip]
mod interface;
mod maths;
mod pool;
mod pool_types;
mod sol;
mod tokens;

use curve::Kind;
use interface::*;
use sol::{Call, Outcome};

/// # Safety
/// Called by the loader, with what the instruction is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn entrypoint(input: *mut u8) -> u64 {
    // SAFETY: it is the loader's.
    match unsafe { Call::read(input) }.and_then(|call| run(&call)) {
        Ok(()) => 0,
        Err(error) => FIRST_ERROR_CODE + error as u64,
    }
}

fn run(call: &Call) -> Outcome {
    match call.data.first() {
        Some(&INIT) => instructions::init::init(call),
        Some(&CREATE) => instructions::create::create(call),
        Some(&BUY_EXACT_IN) => instructions::trade::trade(call, Kind::BuyExactIn),
        Some(&BUY_EXACT_OUT) => instructions::trade::trade(call, Kind::BuyExactOut),
        Some(&SELL_EXACT_IN) => instructions::trade::trade(call, Kind::SellExactIn),
        Some(&SELL_EXACT_OUT) => instructions::trade::trade(call, Kind::SellExactOut),
        Some(&OPEN_USER) => instructions::user::open_user(call),
        Some(&OPEN_FEE_VAULT) => instructions::init::open_fee_vault(call),
        Some(&SET_REFERRER) => instructions::referrer::set_referrer(call),
        Some(&WITHDRAW) => instructions::withdraw::withdraw(call),
        Some(&GRADUATE) => instructions::graduate::graduate(call),
        Some(&COLLECT_TREASURY) => instructions::collect_treasury::collect_treasury(call),
        Some(&SET) => instructions::settings::set(call),
        Some(&CLEAR_REFERRER) => instructions::settings::clear_referrer(call),
        Some(&ACCEPT_OWNER) => instructions::settings::accept_owner(call),
        Some(&MINT_TEST_USD) => instructions::test_usd::mint_test_usd(call),
        Some(&EVENT) => events::receive(call),
        _ => Err(Error::BadInstruction),
    }
}
