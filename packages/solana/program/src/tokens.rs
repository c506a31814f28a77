//! The calls that this program makes to the system program and to the two token programs. The dollar is a token of the classic
//! program, launched tokens are of Token-2022 and carry their metadata inside.
use crate::accounts::{Config, Launch};
use crate::interface::{Error, wellknown::*};
use crate::pool_types::{DECIMALS, SUPPLY};
use crate::sol::{
    Account, Bytes, Call, Key, Outcome, bytes, copy, invoke, reads, rent, same, signs, signs_and_writes, writes,
};

/// Bytes of a token account of either program, without extensions.
pub const TOKEN_ACCOUNT_BYTES: u64 = 165;
/// Places in a token account.
pub const TOKEN_OWNER: u64 = 32;
pub const TOKEN_AMOUNT: u64 = 64;
/// Decimals of the dollar: what both chains' USDC has, and every test dollar.
pub const USD_DECIMALS: u8 = 6;
/// Bytes of a mint with a pointer to its metadata.
const MINT_BYTES: u64 = 234;
/// Bytes of metadata beside its three texts: its kind and length, the authority, the mint and an empty list.
const METADATA_BYTES: u64 = 4 + 32 + 32 + 4;

// Instructions of the system program.
const CREATE_ACCOUNT: u8 = 0;
const ASSIGN: u8 = 1;
const TRANSFER_LAMPORTS: u8 = 2;
const ALLOCATE: u8 = 8;

// Instructions of both token programs.
const SET_AUTHORITY: u8 = 6;
const TRANSFER_CHECKED: u8 = 12;
const MINT_TO_CHECKED: u8 = 14;
const INITIALIZE_ACCOUNT: u8 = 18;
const INITIALIZE_MINT: u8 = 20;

// Instructions of Token-2022 and of its metadata.
const METADATA_POINTER: u8 = 39;
const INITIALIZE_METADATA: [u8; 8] = [210, 225, 30, 162, 88, 184, 77, 141];
const UPDATE_METADATA_AUTHORITY: [u8; 8] = [215, 228, 166, 228, 84, 100, 86, 123];

// ---------------------------------------------------------------- accounts

/// A new account at an address of ours.
pub struct NewAccount<'a> {
    pub payer: Account,
    pub account: Account,
    pub bytes: u64,
    /// Bytes that it will have in the end: rent is paid for these.
    pub bytes_later: u64,
    pub owner: &'a Key,
    pub seeds: &'a [Bytes<'a>],
}

impl NewAccount<'_> {
    /// Anybody may have sent lamports there before, so that the one instruction for it would refuse (S105): then it takes three.
    /// The address has to be that of the seeds, for which the runtime signs; one that signs for itself could be any.
    #[inline(never)]
    pub fn make(&self) -> Outcome {
        if self.account.is_signer() {
            return Err(Error::BadAccount);
        }
        let (has, needs) = (self.account.lamports(), rent(self.bytes_later));
        if has == 0 {
            let mut data = [0; 52];
            data[0] = CREATE_ACCOUNT;
            data[4..12].copy_from_slice(&needs.to_le_bytes());
            data[12..20].copy_from_slice(&self.bytes.to_le_bytes());
            data[20..52].copy_from_slice(self.owner);
            let metas = [signs_and_writes(self.payer), signs_and_writes(self.account)];
            return invoke(&SYSTEM, metas, &data, self.seeds);
        }
        if has < needs {
            let mut data = [0; 12];
            data[0] = TRANSFER_LAMPORTS;
            data[4..12].copy_from_slice(&(needs - has).to_le_bytes());
            invoke(
                &SYSTEM,
                [signs_and_writes(self.payer), writes(self.account)],
                &data,
                &[],
            )?;
        }
        let mut data = [0; 12];
        data[0] = ALLOCATE;
        data[4..12].copy_from_slice(&self.bytes.to_le_bytes());
        invoke(&SYSTEM, [signs_and_writes(self.account)], &data, self.seeds)?;
        let mut data = [0; 36];
        data[0] = ASSIGN;
        data[4..36].copy_from_slice(self.owner);
        invoke(&SYSTEM, [signs_and_writes(self.account)], &data, self.seeds)
    }
}

/// An address that nobody has made an account of.
pub fn require_empty(account: &Account) -> Outcome {
    if same(account.owner(), &SYSTEM) && account.len() == 0 {
        Ok(())
    } else {
        Err(Error::TokenExists)
    }
}

/// Makes `account` a token account of `owner`.
pub fn initialize_token_account(program: &Key, account: Account, mint: Account, owner: &Key) -> Outcome {
    let mut data = [INITIALIZE_ACCOUNT; 33];
    data[1..].copy_from_slice(owner);
    invoke(program, [writes(account), reads(mint)], &data, &[])
}

// ---------------------------------------------------------------- a launched token

/// The mint of a launched token. Its authority is the creator, who signs anyway, until `fill_and_give_up`: both in one instruction, so
/// nothing can come between.
pub struct NewMint<'a> {
    pub creator: Account,
    pub mint: Account,
    pub seeds: &'a [Bytes<'a>],
    /// Name, symbol and address of the metadata, each with its length in front.
    pub texts: [&'a [u8]; 3],
}

/// Of three texts with their lengths, and the instruction's own eight bytes.
const MOST_METADATA: usize = 8 + 3 * 4 + 128 + 64 + 200;

impl NewMint<'_> {
    #[inline(never)]
    pub fn make(&self) -> Outcome {
        let texts: u64 = self.texts.iter().map(|text| text.len() as u64).sum();
        NewAccount {
            payer: self.creator,
            account: self.mint,
            bytes: MINT_BYTES,
            bytes_later: MINT_BYTES + METADATA_BYTES + texts,
            owner: &TOKEN2022,
            seeds: self.seeds,
        }
        .make()?;
        self.initialize()?;
        self.describe()
    }

    /// The pointer says that the metadata is in the mint itself.
    #[inline(never)]
    fn initialize(&self) -> Outcome {
        let mut pointer = [0; 66];
        pointer[0] = METADATA_POINTER;
        pointer[34..].copy_from_slice(self.mint.key());
        invoke(&TOKEN2022, [writes(self.mint)], &pointer, &[])?;
        let mut data = [0; 35];
        data[0] = INITIALIZE_MINT;
        data[1] = DECIMALS;
        data[2..34].copy_from_slice(self.creator.key());
        invoke(&TOKEN2022, [writes(self.mint)], &data, &[])
    }

    #[inline(never)]
    fn describe(&self) -> Outcome {
        let mut data = [0; MOST_METADATA];
        data[..8].copy_from_slice(&INITIALIZE_METADATA);
        let mut end = 8;
        for text in self.texts {
            copy(&mut data[end..], text)?;
            end += text.len();
        }
        let metas = [
            writes(self.mint),
            reads(self.creator),
            reads(self.mint),
            signs(self.creator),
        ];
        invoke(&TOKEN2022, metas, &data[..end], &[])
    }

    /// The whole supply into the vault; then nobody can mint more or change what the token is called.
    #[inline(never)]
    pub fn fill_and_give_up(&self, vault: Account) -> Outcome {
        let mut supply = [0; 10];
        supply[0] = MINT_TO_CHECKED;
        supply[1..9].copy_from_slice(&SUPPLY.to_le_bytes());
        supply[9] = DECIMALS;
        invoke(
            &TOKEN2022,
            [writes(self.mint), writes(vault), signs(self.creator)],
            &supply,
            &[],
        )?;
        let authority = [writes(self.mint), signs(self.creator)];
        invoke(&TOKEN2022, authority, &[SET_AUTHORITY, 0, 0], &[])?;
        let mut nobody = [0; 40];
        nobody[..8].copy_from_slice(&UPDATE_METADATA_AUTHORITY);
        invoke(&TOKEN2022, authority, &nobody, &[])
    }
}

// ---------------------------------------------------------------- moving money

/// One transfer of a token whose mint is checked by the token program.
pub struct Transfer<'a> {
    pub program: &'a Key,
    pub from: Account,
    pub mint: Account,
    pub to: Account,
    pub authority: Account,
    pub amount: u64,
    pub decimals: u8,
    pub seeds: &'a [Bytes<'a>],
}

impl Transfer<'_> {
    #[inline(never)]
    pub fn make(&self) -> Outcome {
        if self.amount == 0 {
            return Ok(());
        }
        let mut data = [0; 10];
        data[0] = TRANSFER_CHECKED;
        data[1..9].copy_from_slice(&self.amount.to_le_bytes());
        data[9] = self.decimals;
        let metas = [
            writes(self.from),
            reads(self.mint),
            writes(self.to),
            signs(self.authority),
        ];
        invoke(self.program, metas, &data, self.seeds)
    }
}

/// Dollars out of a token's vault into the vault of credits.
pub fn usd_to_credits(launch_account: Account, launch: &Launch, vaults: &Vaults, amount: u64) -> Outcome {
    let (mint, bump) = (launch.mint.get(), [launch.bump.get() as u8]);
    Transfer {
        program: &TOKEN,
        from: vaults.usd,
        mint: vaults.dollar_mint,
        to: vaults.fees,
        authority: launch_account,
        amount,
        decimals: USD_DECIMALS,
        seeds: &[bytes(b"launch"), bytes(&mint), bytes(&bump)],
    }
    .make()
}

/// Where a token's dollars lie.
#[derive(Clone, Copy)]
pub struct Vaults {
    pub usd: Account,
    pub fees: Account,
    pub dollar_mint: Account,
}

impl Vaults {
    /// The three at these places of the instruction, each the one that Launch and Config name (S102), and the dollar's program.
    pub fn read(
        call: &Call,
        [usd, fees, dollar_mint, token]: [usize; 4],
        config: &Config,
        launch: &Launch,
    ) -> Result<Vaults, Error> {
        call.known(token, &TOKEN)?;
        Ok(Vaults {
            usd: call.known(usd, &launch.usd_vault.get())?,
            fees: call.known(fees, &config.fee_vault_of(&launch.mint.get()))?,
            dollar_mint: call.known(dollar_mint, &config.dollar_mint.get())?,
        })
    }
}

/// Test dollars out of nothing: the Config is their mint's authority.
pub fn mint_test_usd(config_account: Account, config: &Config, mint: Account, to: Account, amount: u64) -> Outcome {
    let mut data = [0; 10];
    data[0] = MINT_TO_CHECKED;
    data[1..9].copy_from_slice(&amount.to_le_bytes());
    data[9] = USD_DECIMALS;
    let bump = [config.bump.get() as u8];
    let seeds = [bytes(b"config"), bytes(&bump)];
    invoke(&TOKEN, [writes(mint), writes(to), signs(config_account)], &data, &seeds)
}
