//! The thin layer under the program: accounts, calls, addresses, sysvars. The only module with unsafe code.
use crate::interface::Error;
use core::cell::Cell;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

pub type Key = [u8; 32];
pub type Outcome = Result<(), Error>;

/// More accounts than any instruction of this program takes.
const MOST_ACCOUNTS: usize = 32;

// ---------------------------------------------------------------- what the runtime offers

/// A function of the runtime. It is called by the murmur3 hash of its name, which the machine looks up when the program is loaded.
macro_rules! syscall {
    ($name:ident, $hash:literal, ($($arg:ident: $type:ty),*)) => {
        #[inline(always)]
        unsafe fn $name($($arg: $type),*) -> u64 {
            // SAFETY: the machine has a function of these arguments under this hash.
            let call: extern "C" fn($($type),*) -> u64 = unsafe { core::mem::transmute($hash as i32 as isize as usize) };
            call($($arg),*)
        }
    };
}
syscall!(sol_abort, 0xb6fc1a11u32, ());
syscall!(sol_memcpy, 0x717cc4a3u32, (to: *mut u8, from: *const u8, length: u64));
syscall!(sol_invoke_signed_c, 0xa22b9c85u32,
    (call: *const RawCall, accounts: *const RawAccount, count: u64, signers: *const Signer<'_>, signer_count: u64));
syscall!(sol_try_find_program_address, 0x48504a38u32,
    (seeds: *const Bytes<'_>, count: u64, program: *const u8, address: *mut u8, bump: *mut u8));
syscall!(sol_get_clock_sysvar, 0xd56b5fe9u32, (clock: *mut u8));
syscall!(sol_get_rent_sysvar, 0xbf7188f6u32, (rent: *mut u8));

#[cfg(target_arch = "bpf")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    // SAFETY: it takes nothing, and does not return.
    unsafe { sol_abort() };
    loop {}
}

/// Seconds since 1970 by the validators' estimate: it can stand still or leap.
pub fn now() -> i64 {
    let mut clock = [0u64; 5];
    // SAFETY: the clock is five 64-bit numbers.
    unsafe { sol_get_clock_sysvar(clock.as_mut_ptr().cast()) };
    clock[4] as i64
}

/// Lamports that an account of so many bytes must hold. The cluster's rate falls over time, so it is asked.
pub fn rent(bytes: u64) -> u64 {
    /// What an account costs beside its bytes, in bytes.
    const OVERHEAD: u64 = 128;
    /// As f64. A rate that was counted for a year is due for two.
    const TWO_YEARS: u64 = 0x4000_0000_0000_0000;
    let mut rent = [0u64; 3];
    // SAFETY: the rent is a 64-bit number, a double and a byte.
    unsafe { sol_get_rent_sysvar(rent.as_mut_ptr().cast()) };
    let years = if rent[1] == TWO_YEARS { 2 } else { 1 };
    rent[0].wrapping_mul(years).wrapping_mul(bytes + OVERHEAD)
}

/// Copies bytes of a length that is known at run time only; the target has no function of its own for it.
pub fn copy(to: &mut [u8], from: &[u8]) -> Outcome {
    if to.len() < from.len() {
        return Err(Error::BadInstruction);
    }
    // SAFETY: `to` is long enough, and being borrowed apart the two do not overlap.
    unsafe { sol_memcpy(to.as_mut_ptr(), from.as_ptr(), from.len() as u64) };
    Ok(())
}

pub fn same(one: &Key, other: &Key) -> bool {
    let (one, other) = (one.as_ptr().cast::<u64>(), other.as_ptr().cast::<u64>());
    // SAFETY: both have four times eight bytes.
    (0..4).all(|at| unsafe { one.add(at).read_unaligned() == other.add(at).read_unaligned() })
}

// ---------------------------------------------------------------- addresses

/// Bytes as the runtime takes them. Borrowed, so that what they point to lives until the call that takes them is over.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Bytes<'a> {
    start: *const u8,
    length: u64,
    from: PhantomData<&'a [u8]>,
}
pub fn bytes(slice: &[u8]) -> Bytes<'_> {
    Bytes {
        start: slice.as_ptr(),
        length: slice.len() as u64,
        from: PhantomData,
    }
}

#[repr(C)]
struct Signer<'a> {
    seeds: *const Bytes<'a>,
    count: u64,
}

/// The bump that comes first. An address with it is the one that counts, if it is one at all.
pub const FIRST_BUMP: u8 = 255;

/// The one address of these seeds that counts, with its bump: the first that is on no curve. Costs 1500 units a try.
#[inline(never)]
pub fn find_address(seeds: &[Bytes], program: &Key) -> Result<(Key, u8), Error> {
    let (mut address, mut bump) = ([0; 32], 0);
    // SAFETY: the seeds live in the caller; address and bump are ours.
    let failed = unsafe {
        sol_try_find_program_address(
            seeds.as_ptr(),
            seeds.len() as u64,
            program.as_ptr(),
            address.as_mut_ptr(),
            &mut bump,
        )
    };
    if failed == 0 {
        Ok((address, bump))
    } else {
        Err(Error::BadAccount)
    }
}

// ---------------------------------------------------------------- accounts

/// One account of the instruction, where the runtime laid it out.
#[derive(Clone, Copy)]
pub struct Account(*mut u8);

// Places in it, bytes.
const IS_SIGNER: usize = 1;
const IS_WRITABLE: usize = 2;
const KEY: usize = 8;
const OWNER: usize = 40;
const LAMPORTS: usize = 72;
const LENGTH: usize = 80;
const DATA: usize = 88;
/// Bytes behind the data, for accounts that grow.
const SPARE: usize = 10_240;

// SAFETY of all below: the loader laid out every account that `Call::read` found in full, and its memory lives as long as the call.
impl Account {
    pub fn key(&self) -> &'static Key {
        unsafe { &*self.0.add(KEY).cast() }
    }
    pub fn owner(&self) -> &'static Key {
        unsafe { &*self.0.add(OWNER).cast() }
    }
    pub fn is_signer(&self) -> bool {
        unsafe { *self.0.add(IS_SIGNER) != 0 }
    }
    pub fn lamports(&self) -> u64 {
        unsafe { self.0.add(LAMPORTS).cast::<u64>().read_volatile() }
    }
    pub fn len(&self) -> u64 {
        unsafe { self.0.add(LENGTH).cast::<u64>().read_volatile() }
    }

    /// Eight bytes of the data as they are now, at a multiple of eight.
    pub fn u64_at(&self, at: u64) -> Result<u64, Error> {
        if at + 8 > self.len() {
            return Err(Error::BadAccount);
        }
        Ok(unsafe { self.0.add(DATA + at as usize).cast::<u64>().read_volatile() })
    }
    /// A key in the data as it is now.
    pub fn key_at(&self, at: u64) -> Result<Key, Error> {
        if at + 32 > self.len() {
            return Err(Error::BadAccount);
        }
        Ok(unsafe { self.0.add(DATA + at as usize).cast::<Key>().read_volatile() })
    }
    /// The data as it is; of an account that nothing changes meanwhile.
    pub fn data(&self) -> &'static [u8] {
        unsafe { core::slice::from_raw_parts(self.0.add(DATA), self.len() as usize) }
    }

    /// The account as `T`: this program owns it, and it says that it is one (S101).
    pub fn state<T: State>(&self, program: &Key) -> Result<&'static T, Error> {
        let state = self.ours::<T>(program)?;
        if state.kind().get() == T::KIND {
            Ok(state)
        } else {
            Err(Error::BadAccount)
        }
    }

    /// An account that was just made, as `T`, all fields zero but its kind.
    pub fn fresh<T: State>(&self, program: &Key) -> Result<&'static T, Error> {
        let state = self.ours::<T>(program)?;
        if state.kind().get() != 0 {
            return Err(Error::BadAccount);
        }
        state.kind().set(T::KIND);
        Ok(state)
    }

    fn ours<T: State>(&self, program: &Key) -> Result<&'static T, Error> {
        if !same(self.owner(), program) || self.len() != size_of::<T>() as u64 {
            return Err(Error::BadAccount);
        }
        // Aligned: the runtime aligns accounts by 8. Shared: all fields are cells, because one account may be named twice (S104).
        Ok(unsafe { &*self.0.add(DATA).cast() })
    }

    fn raw(&self) -> RawAccount {
        unsafe {
            RawAccount {
                key: self.0.add(KEY),
                lamports: self.0.add(LAMPORTS),
                length: self.len(),
                data: self.0.add(DATA),
                owner: self.0.add(OWNER),
                rent_epoch: 0,
                is_signer: *self.0.add(IS_SIGNER),
                is_writable: *self.0.add(IS_WRITABLE),
                is_executable: 0,
            }
        }
    }
}

/// An account of this program.
///
/// # Safety
/// `repr(C)`, every field a cell of eight bytes or of keys, without gaps, the kind first.
pub unsafe trait State: 'static {
    const KIND: u64;
    fn kind(&self) -> &Cell<u64>;
}

// ---------------------------------------------------------------- the instruction

/// What the program was called with.
pub struct Call {
    pub program: &'static Key,
    pub data: &'static [u8],
    accounts: [MaybeUninit<Account>; MOST_ACCOUNTS],
    count: usize,
}

impl Call {
    /// # Safety
    /// `input` is what the loader passes.
    #[inline(always)]
    pub unsafe fn read(input: *mut u8) -> Result<Call, Error> {
        /// An account that is not named a second time.
        const FIRST: u8 = 0xff;
        unsafe {
            let count = *input.cast::<u64>() as usize;
            if count > MOST_ACCOUNTS {
                return Err(Error::BadAccount);
            }
            let mut accounts = [MaybeUninit::uninit(); MOST_ACCOUNTS];
            let mut next = input.add(8);
            for at in 0..count {
                if *next == FIRST {
                    accounts[at] = MaybeUninit::new(Account(next));
                    let length = *next.add(LENGTH).cast::<u64>() as usize;
                    next = next.add(((DATA + length + SPARE + 7) & !7) + 8);
                } else {
                    accounts[at] = accounts[*next as usize % MOST_ACCOUNTS];
                    next = next.add(8);
                }
            }
            let length = *next.cast::<u64>() as usize;
            let data = core::slice::from_raw_parts(next.add(8), length);
            let program = &*next.add(8 + length).cast();
            Ok(Call {
                program,
                data,
                accounts,
                count,
            })
        }
    }

    pub fn account(&self, at: usize) -> Result<Account, Error> {
        if at >= self.count {
            return Err(Error::BadAccount);
        }
        // SAFETY: `read` wrote every account below the count.
        Ok(unsafe { self.accounts[at].assume_init() })
    }
    pub fn signer(&self, at: usize) -> Result<Account, Error> {
        let account = self.account(at)?;
        if account.is_signer() {
            Ok(account)
        } else {
            Err(Error::MissingSigner)
        }
    }
    /// An account that must have this address.
    pub fn known(&self, at: usize, key: &Key) -> Result<Account, Error> {
        let account = self.account(at)?;
        if same(account.key(), key) {
            Ok(account)
        } else {
            Err(Error::BadAccount)
        }
    }
    pub fn state<T: State>(&self, at: usize) -> Result<(Account, &'static T), Error> {
        let account = self.account(at)?;
        Ok((account, account.state(self.program)?))
    }
    /// None where the program itself is named.
    pub fn optional<T: State>(&self, at: usize) -> Result<Option<&'static T>, Error> {
        let account = self.account(at)?;
        if same(account.key(), self.program) {
            Ok(None)
        } else {
            account.state(self.program).map(Some)
        }
    }
    /// Accounts from this place on.
    pub fn after(&self, at: usize) -> impl Iterator<Item = Account> + '_ {
        (at..self.count).filter_map(|at| self.account(at).ok())
    }
    pub fn args(&self) -> Reader {
        Reader {
            rest: self.data.get(1..).unwrap_or(&[]),
        }
    }
}

/// Reads arguments from the front.
pub struct Reader {
    rest: &'static [u8],
}
impl Reader {
    fn take(&mut self, length: usize) -> Result<&'static [u8], Error> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(Error::BadInstruction)?;
        self.rest = rest;
        Ok(taken)
    }
    pub fn u8(&mut self) -> Result<u8, Error> {
        Ok(self.take(1)?[0])
    }
    pub fn u16(&mut self) -> Result<u64, Error> {
        let taken = self.take(2)?;
        Ok(taken[0] as u64 | (taken[1] as u64) << 8)
    }
    pub fn u32(&mut self) -> Result<u64, Error> {
        Ok(self.u16()? | self.u16()? << 16)
    }
    pub fn u64(&mut self) -> Result<u64, Error> {
        let taken = self.take(8)?;
        // SAFETY: eight bytes.
        Ok(unsafe { taken.as_ptr().cast::<u64>().read_unaligned() })
    }
    pub fn key(&mut self) -> Result<&'static Key, Error> {
        let taken = self.take(32)?;
        // SAFETY: 32 bytes.
        Ok(unsafe { &*taken.as_ptr().cast() })
    }
    /// A string's bytes with their length in front, as they came; at least one byte, and no more than `most`.
    pub fn text(&mut self, most: u64) -> Result<&'static [u8], Error> {
        let whole = self.rest;
        let length = self.u32()?;
        if length == 0 || length > most {
            return Err(Error::UnusableText);
        }
        self.take(length as usize)?;
        Ok(&whole[..length as usize + 4])
    }
    /// Bytes that nobody reads could be read by somebody else.
    pub fn end(&self) -> Outcome {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(Error::BadInstruction)
        }
    }
}

// ---------------------------------------------------------------- calls to other programs

#[repr(C)]
#[derive(Clone, Copy)]
struct RawMeta {
    key: *const u8,
    is_writable: u8,
    is_signer: u8,
}
#[repr(C)]
#[derive(Clone, Copy)]
struct RawAccount {
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
struct RawCall {
    program: *const u8,
    metas: *const RawMeta,
    count: u64,
    data: *const u8,
    length: u64,
}

/// An account of a call, and what the callee may do with it.
#[derive(Clone, Copy)]
pub struct Meta {
    account: Account,
    is_writable: bool,
    is_signer: bool,
}
pub const fn reads(account: Account) -> Meta {
    Meta {
        account,
        is_writable: false,
        is_signer: false,
    }
}
pub const fn writes(account: Account) -> Meta {
    Meta {
        account,
        is_writable: true,
        is_signer: false,
    }
}
pub const fn signs(account: Account) -> Meta {
    Meta {
        account,
        is_writable: false,
        is_signer: true,
    }
}
pub const fn signs_and_writes(account: Account) -> Meta {
    Meta {
        account,
        is_writable: true,
        is_signer: true,
    }
}

/// Calls another program. `seeds` sign for one address of ours; empty: nobody of ours signs.
#[inline(always)]
pub fn invoke<const N: usize>(program: &Key, metas: [Meta; N], data: &[u8], seeds: &[Bytes]) -> Outcome {
    let raw_metas = metas.map(|meta| RawMeta {
        key: meta.account.key().as_ptr(),
        is_writable: meta.is_writable as u8,
        is_signer: meta.is_signer as u8,
    });
    let accounts = metas.map(|meta| meta.account.raw());
    let call = RawCall {
        program: program.as_ptr(),
        metas: raw_metas.as_ptr(),
        count: N as u64,
        data: data.as_ptr(),
        length: data.len() as u64,
    };
    let signer = Signer {
        seeds: seeds.as_ptr(),
        count: seeds.len() as u64,
    };
    let signers = !seeds.is_empty() as u64;
    // SAFETY: all that is pointed to lives until the call is over.
    let failed = unsafe { sol_invoke_signed_c(&call, accounts.as_ptr(), N as u64, &signer, signers) };
    if failed == 0 { Ok(()) } else { Err(Error::CallFailed) }
}
