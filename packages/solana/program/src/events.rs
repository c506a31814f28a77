//! Events are calls of this program to itself, signed by the account that they are about: unlike lines of the log nobody cuts them, and
//! nobody else can make one (S108). Each carries the next number of that account, so a reader can prove that none is missing.
use crate::accounts::{Config, Launch, User, next};
use crate::interface::{EVENT, EVENT_AUTHORITY, Error};
use crate::sol::{Account, Bytes, Call, Key, Outcome, bytes, copy, invoke, signs};

/// Bytes of the longest event: a creation with the longest texts.
const MOST_BYTES: usize = 2 + 8 + 8 + 32 + 32 + 1 + 8 + 32 + 3 * 4 + 128 + 64 + 200;

/// An event while it is written.
pub struct Event {
    data: [u8; MOST_BYTES],
    end: usize,
}

impl Event {
    pub fn new(tag: u8, seq: u64) -> Event {
        let mut data = [0; MOST_BYTES];
        data[0] = EVENT;
        data[1] = tag;
        let mut event = Event { data, end: 2 };
        event.u64(seq);
        event
    }
    pub fn u8(&mut self, value: u8) -> &mut Event {
        self.data[self.end] = value;
        self.end += 1;
        self
    }
    pub fn u16(&mut self, value: u64) -> &mut Event {
        self.u8(value as u8).u8((value >> 8) as u8)
    }
    pub fn u64(&mut self, value: u64) -> &mut Event {
        self.data[self.end..self.end + 8].copy_from_slice(&value.to_le_bytes());
        self.end += 8;
        self
    }
    pub fn i64(&mut self, value: i64) -> &mut Event {
        self.u64(value as u64)
    }
    pub fn key(&mut self, value: &Key) -> &mut Event {
        self.data[self.end..self.end + 32].copy_from_slice(value);
        self.end += 32;
        self
    }
    pub fn text(&mut self, value: &[u8]) -> Result<&mut Event, Error> {
        copy(&mut self.data[self.end..], value)?;
        self.end += value.len();
        Ok(self)
    }

    #[inline(never)]
    fn emit(&self, program: &Key, authority: Account, seeds: &[Bytes]) -> Outcome {
        invoke(program, [signs(authority)], &self.data[..self.end], seeds)
    }
    pub fn by_launch(&self, program: &Key, account: Account, launch: &Launch) -> Outcome {
        let (mint, bump) = (launch.mint.get(), [launch.bump.get() as u8]);
        self.emit(program, account, &[bytes(b"launch"), bytes(&mint), bytes(&bump)])
    }
    pub fn by_config(&self, program: &Key, account: Account, config: &Config) -> Outcome {
        let bump = [config.bump.get() as u8];
        self.emit(program, account, &[bytes(b"config"), bytes(&bump)])
    }
    pub fn by_user(&self, program: &Key, account: Account, user: &User) -> Outcome {
        let (wallet, bump) = (user.wallet.get(), [user.bump.get() as u8]);
        self.emit(program, account, &[bytes(b"user"), bytes(&wallet), bytes(&bump)])
    }
}

impl Launch {
    pub fn event(&self, tag: u8) -> Event {
        Event::new(tag, next(&self.seq))
    }
}
impl Config {
    pub fn event(&self, tag: u8) -> Event {
        Event::new(tag, next(&self.seq))
    }
}
impl User {
    pub fn event(&self, tag: u8) -> Event {
        Event::new(tag, next(&self.seq))
    }
}

/// What an event calls: nothing happens but that it stands in the transaction.
pub fn receive(call: &Call) -> Outcome {
    let authority = call.signer(EVENT_AUTHORITY)?;
    let is_ours = authority.state::<Launch>(call.program).is_ok()
        || authority.state::<Config>(call.program).is_ok()
        || authority.state::<User>(call.program).is_ok();
    if is_ours { Ok(()) } else { Err(Error::BadAccount) }
}
