use crate::accounts::{Config, Launch, NOBODY, next};
use crate::instructions::user::open;
use crate::interface::{Error, create as at, events, text_limits, wellknown::*};
use crate::pool_types::{PoolType, TEST};
use crate::sol::{Account, Bytes, Call, FIRST_BUMP, Key, Outcome, bytes, find_address, now, same};
use crate::tokens::{NewAccount, NewMint, TOKEN_ACCOUNT_BYTES, initialize_token_account, require_empty};

struct Args {
    pool_type: u64,
    mint_bump: u8,
    launch_bump: u8,
    token_vault_bump: u8,
    usd_vault_bump: u8,
    salt: &'static Key,
    /// Name, symbol, address of the metadata.
    texts: [&'static [u8]; 3],
}

fn read_args(call: &Call) -> Result<Args, Error> {
    let mut args = call.args();
    let pool_type = args.u8()? as u64;
    let (mint_bump, launch_bump) = (args.u8()?, args.u8()?);
    let (token_vault_bump, usd_vault_bump) = (args.u8()?, args.u8()?);
    if now() > args.u64()? as i64 {
        return Err(Error::DeadlinePassed);
    }
    let salt = args.key()?;
    let texts = [
        args.text(text_limits::NAME)?,
        args.text(text_limits::SYMBOL)?,
        args.text(text_limits::URI)?,
    ];
    args.end()?;
    Ok(Args {
        pool_type,
        mint_bump,
        launch_bump,
        token_vault_bump,
        usd_vault_bump,
        salt,
        texts,
    })
}

/// Creates a token whose whole supply lies in its vault. The first buy is another instruction of the same transaction.
#[inline(never)]
pub fn create(call: &Call) -> Outcome {
    let creator = call.signer(at::CREATOR)?;
    let (_, config) = call.state::<Config>(at::CONFIG)?;
    let (mint, account) = (call.account(at::MINT)?, call.account(at::LAUNCH)?);
    call.known(at::DOLLAR_MINT, &config.dollar_mint.get())?;
    let args = read_args(call)?;
    let pool_type = PoolType::get(args.pool_type)?;
    if args.pool_type == TEST && config.allows_test.get() == 0 {
        return Err(Error::UnknownPoolType);
    }
    // Trades move what people earn into this vault, so it has to be there.
    if same(&config.fee_vault_of(mint.key()), &NOBODY) {
        return Err(Error::BadAccount);
    }

    create_mint_and_vaults(call, creator, &args)?;
    open(call.program, creator, creator.key(), call.account(at::CREATOR_USER)?)?;

    let launch = account.fresh::<Launch>(call.program)?;
    launch.mint.set(*mint.key());
    launch.creator.set(*creator.key());
    launch.token_vault.set(*call.account(at::TOKEN_VAULT)?.key());
    launch.usd_vault.set(*call.account(at::USD_VAULT)?.key());
    launch.created.set(now());
    launch.pool_type.set(args.pool_type);
    launch.bump.set(args.launch_bump as u64);
    launch.tokens_left.set(pool_type.curve_tokens);
    emit(call, config, account, launch, &args)
}

/// Mint and Launch are at the one address of their seeds, which everybody can derive. The vaults' bumps are as the caller likes,
/// because the Launch says where its vaults are.
#[inline(never)]
fn create_mint_and_vaults(call: &Call, creator: Account, args: &Args) -> Outcome {
    let (mint, launch) = (call.account(at::MINT)?, call.account(at::LAUNCH)?);
    require_empty(&mint)?;
    let (mint_bump, launch_bump) = ([args.mint_bump], [args.launch_bump]);
    let mint_seeds = [
        bytes(b"mint"),
        bytes(creator.key()),
        bytes(args.salt),
        bytes(&mint_bump),
    ];
    let launch_seeds = [bytes(b"launch"), bytes(mint.key()), bytes(&launch_bump)];
    require_first(&mint_seeds, args.mint_bump, call.program)?;
    require_first(&launch_seeds, args.launch_bump, call.program)?;
    let new_mint = NewMint {
        creator,
        mint,
        seeds: &mint_seeds,
        texts: args.texts,
    };
    new_mint.make()?;
    let size = size_of::<Launch>() as u64;
    NewAccount {
        payer: creator,
        account: launch,
        bytes: size,
        bytes_later: size,
        owner: call.program,
        seeds: &launch_seeds,
    }
    .make()?;

    let (tokens, usd) = (call.account(at::TOKEN_VAULT)?, call.account(at::USD_VAULT)?);
    let vault = |account: Account, owner: &'static Key| NewAccount {
        payer: creator,
        account,
        bytes: TOKEN_ACCOUNT_BYTES,
        bytes_later: TOKEN_ACCOUNT_BYTES,
        owner,
        seeds: &[],
    };
    let (token_bump, usd_bump) = ([args.token_vault_bump], [args.usd_vault_bump]);
    let seeds = [bytes(b"tokens"), bytes(mint.key()), bytes(&token_bump)];
    create_vault(
        &NewAccount {
            seeds: &seeds,
            ..vault(tokens, &TOKEN2022)
        },
        mint,
        launch.key(),
    )?;
    let seeds = [bytes(b"usd"), bytes(mint.key()), bytes(&usd_bump)];
    create_vault(
        &NewAccount {
            seeds: &seeds,
            ..vault(usd, &TOKEN)
        },
        call.account(at::DOLLAR_MINT)?,
        launch.key(),
    )?;
    new_mint.fill_and_give_up(tokens)
}

/// That no bump before this one gives an address too (S106). What the address is, the runtime compares when it signs. Of the very
/// first bump nothing has to be derived: who chooses a salt for it pays less.
#[inline(never)]
fn require_first(seeds: &[Bytes], bump: u8, program: &Key) -> Outcome {
    if bump == FIRST_BUMP {
        return Ok(());
    }
    let (_, first) = find_address(&seeds[..seeds.len() - 1], program)?;
    if bump == first { Ok(()) } else { Err(Error::BadAccount) }
}

#[inline(never)]
fn create_vault(vault: &NewAccount, mint: Account, owner: &Key) -> Outcome {
    vault.make()?;
    initialize_token_account(vault.owner, vault.account, mint, owner)
}

#[inline(never)]
fn emit(call: &Call, config: &Config, account: Account, launch: &Launch, args: &Args) -> Outcome {
    let mut event = launch.event(events::TOKEN_CREATED);
    event
        .u64(next(&config.launches))
        .key(&launch.mint.get())
        .key(&launch.creator.get())
        .u8(args.pool_type as u8)
        .i64(launch.created.get())
        .key(args.salt);
    for text in args.texts {
        event.text(text)?;
    }
    event.by_launch(call.program, account, launch)
}
