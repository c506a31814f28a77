//! Somebody else's program, a router or an attacker: hands a call on. Its first account is the program to call, the others and the data
//! go on to it. The first byte of the data is the bump of its own address of the seed `launch`, which then signs as the first of them;
//! 0: nobody of its own signs.
#![no_std]

use core::mem::MaybeUninit;

const MOST_ACCOUNTS: usize = 32;

macro_rules! machine {
    ($name:ident, $hash:literal, ($($arg:ident: $type:ty),*)) => {
        unsafe fn $name($($arg: $type),*) -> u64 {
            let call: extern "C" fn($($type),*) -> u64 = unsafe { core::mem::transmute($hash as i32 as isize) };
            call($($arg),*)
        }
    };
}
machine!(abort, 0xb6fc1a11u32, ());
machine!(invoke_signed, 0xa22b9c85u32,
    (call: *const Call, accounts: *const Account, count: u64, signers: *const Bytes, signer_count: u64));

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    unsafe { abort() };
    loop {}
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Meta {
    key: *const u8,
    is_writable: u8,
    is_signer: u8,
}
#[repr(C)]
#[derive(Clone, Copy)]
struct Account {
    key: *const u8,
    lamports: *const u8,
    length: u64,
    data: *const u8,
    owner: *const u8,
    rent_epoch: u64,
    is_signer: u8,
    is_writable: u8,
    is_executable: u8,
}
#[repr(C)]
struct Call {
    program: *const u8,
    metas: *const Meta,
    count: u64,
    data: *const u8,
    length: u64,
}
/// Bytes, or a list of bytes.
#[repr(C)]
struct Bytes {
    start: *const u8,
    length: u64,
}

/// # Safety
/// `input` is what the machine passes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn entrypoint(input: *const u8) -> u64 {
    let count = unsafe { *input.cast::<u64>() } as usize;
    let mut accounts = [MaybeUninit::<Account>::uninit(); MOST_ACCOUNTS];
    let mut metas = [MaybeUninit::<Meta>::uninit(); MOST_ACCOUNTS];
    let mut next = unsafe { input.add(8) };
    for at in 0..count {
        if unsafe { *next } != 0xff {
            let first = unsafe { *next } as usize;
            (accounts[at], metas[at]) = (accounts[first], metas[first]);
            next = unsafe { next.add(8) };
            continue;
        }
        let length = unsafe { *next.add(80).cast::<u64>() };
        let [is_signer, is_writable] = unsafe { [*next.add(1), *next.add(2)] };
        let key = unsafe { next.add(8) };
        metas[at].write(Meta {
            key,
            is_writable,
            is_signer,
        });
        accounts[at].write(Account {
            key,
            lamports: unsafe { next.add(72) },
            length,
            data: unsafe { next.add(88) },
            owner: unsafe { next.add(40) },
            rent_epoch: 0,
            is_signer,
            is_writable,
            is_executable: 0,
        });
        next = unsafe { next.add(((88 + length as usize + 10_240 + 7) & !7) + 8) };
    }
    let length = unsafe { *next.cast::<u64>() };
    let data = unsafe { next.add(8) };
    let bump = unsafe { *data };
    if bump != 0 {
        unsafe { metas[1].assume_init_mut() }.is_signer = 1;
    }
    let seeds = [(b"launch".as_ptr(), 6), (&raw const bump, 1)].map(|(start, length)| Bytes { start, length });
    let signer = Bytes {
        start: seeds.as_ptr().cast(),
        length: 2,
    };
    let call = Call {
        program: unsafe { accounts[0].assume_init() }.key,
        metas: unsafe { metas.as_ptr().add(1).cast() },
        count: count as u64 - 1,
        data: unsafe { data.add(1) },
        length: length - 1,
    };
    unsafe {
        invoke_signed(
            &call,
            accounts.as_ptr().cast(),
            count as u64,
            &signer,
            (bump != 0) as u64,
        )
    }
}
