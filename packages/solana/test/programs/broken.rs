//! A program that counts its calls, which no program can: its memory is made anew for each.
#![no_std]

static mut CALLS: u64 = 0;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

#[unsafe(no_mangle)]
pub extern "C" fn entrypoint(_: *const u8) -> u64 {
    unsafe {
        CALLS += 1;
        CALLS
    }
}
