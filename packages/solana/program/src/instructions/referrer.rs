use crate::accounts::{Config, NOBODY, User};
use crate::interface::{Error, events, set_referrer as at, wellknown::*};
use crate::sol::{Call, Key, Outcome, now, same};

/// A voucher counts in the hour before its deadline only.
const VOUCHER_SECONDS: i64 = 3_600;
const DOMAIN: &[u8; 16] = b"mintage voucher1";

// The message that the voucher signer signs: the domain, this program, its dollar (which differs between clusters), user, referrer, deadline.
const MESSAGE: usize = 16 + 4 * 32 + 8;
/// An instruction of the Ed25519 program with one signature whose parts all lie in itself: what the header says of them.
const HEADER: [u8; 16] = [
    1,
    0,
    48,
    0,
    0xff,
    0xff,
    16,
    0,
    0xff,
    0xff,
    112,
    0,
    MESSAGE as u8,
    0,
    0xff,
    0xff,
];
const KEY: usize = 16;
const MESSAGE_AT: usize = 112;

/// Stores a user's referrer, until the owner clears it. Passed, already set, or the user is the referrer's own referrer: nothing
/// happens, so that an old voucher stands in the way of no trade.
#[inline(never)]
pub fn set_referrer(call: &Call) -> Outcome {
    let (_, config) = call.state::<Config>(at::CONFIG)?;
    let (account, user) = call.state::<User>(at::USER)?;
    let (_, referrer) = call.state::<User>(at::REFERRER)?;
    let mut args = call.args();
    let deadline = args.u64()? as i64;
    args.end()?;
    let now = now();
    let (user_wallet, referrer_wallet) = (user.wallet.get(), referrer.wallet.get());
    let is_moot = now > deadline || user.has_referrer() || same(&referrer.referrer.get(), &user_wallet);
    if is_moot {
        return Ok(());
    }
    let is_wrong = same(&user_wallet, &referrer_wallet)
        || same(&config.voucher_signer.get(), &NOBODY)
        || deadline > now.saturating_add(VOUCHER_SECONDS);
    if is_wrong {
        return Err(Error::InvalidVoucher);
    }
    let keys = [call.program, &config.dollar_mint.get(), &user_wallet, &referrer_wallet];
    require_signed(call, &config.voucher_signer.get(), &message(keys, deadline))?;

    user.referrer.set(referrer_wallet);
    user.event(events::REFERRER_SET)
        .key(&user_wallet)
        .key(&referrer_wallet)
        .by_user(call.program, account, user)
}

fn message(keys: [&Key; 4], deadline: i64) -> [u8; MESSAGE] {
    let mut message = [0; MESSAGE];
    message[..16].copy_from_slice(DOMAIN);
    for (at, key) in keys.into_iter().enumerate() {
        message[16 + 32 * at..48 + 32 * at].copy_from_slice(key);
    }
    message[MESSAGE - 8..].copy_from_slice(&deadline.to_le_bytes());
    message
}

/// The instruction in front of this one is the Ed25519 program's, of this signer and message and nothing else (S110): that program
/// has verified what it points to, so all of it has to lie in it.
#[inline(never)]
fn require_signed(call: &Call, signer: &Key, message: &[u8; MESSAGE]) -> Outcome {
    let sysvar = call.known(at::INSTRUCTIONS, &INSTRUCTIONS)?;
    let (program, data) = instruction_before(sysvar.data()).ok_or(Error::InvalidVoucher)?;
    let is_signed = program == ED25519.as_slice()
        && data.len() == MESSAGE_AT + MESSAGE
        && data[..KEY] == HEADER
        && data[KEY..KEY + 32] == *signer
        && data[MESSAGE_AT..] == *message;
    if is_signed { Ok(()) } else { Err(Error::InvalidVoucher) }
}

/// Program and data of the transaction's instruction before the current one. The sysvar has a u16 count, a u16 place for each, and the
/// number of the current one in its last two bytes; an instruction a u16 count of accounts, 33 bytes for each, its program, and its
/// data after a u16 length.
fn instruction_before(sysvar: &[u8]) -> Option<(&[u8], &[u8])> {
    let u16_at = |at: usize| Some(u16::from_le_bytes([*sysvar.get(at)?, *sysvar.get(at + 1)?]) as usize);
    let current = u16_at(sysvar.len().checked_sub(2)?)?;
    let start = u16_at(2 + 2usize.wrapping_mul(current.checked_sub(1)?))?;
    let program = start + 2 + 33usize.wrapping_mul(u16_at(start)?);
    let data = program + 34;
    Some((
        sysvar.get(program..program + 32)?,
        sysvar.get(data..data + u16_at(program + 32)?)?,
    ))
}
