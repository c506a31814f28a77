use crate::accounts::{Config, Launch, NOBODY, User, add};
use crate::curve::{Curve, Fill, Kind, MOST};
use crate::fees::{self, NORMAL_BPS, Split, Terms, buy_fee_bps};
use crate::instructions::graduate::{is_window_over, open_pool};
use crate::instructions::user::require_user_address;
use crate::interface::{Error, events, trade as at, wellknown::*};
use crate::pool::Pool;
use crate::pool_types::{DECIMALS, PoolType};
use crate::sol::{Account, Call, Key, Outcome, bytes, now, same};
use crate::tokens::{TOKEN_OWNER, Transfer, USD_DECIMALS, Vaults, usd_to_credits};

struct Order {
    /// The exact side.
    amount: u64,
    /// Least received, or most paid.
    limit: u64,
    builder_bps: u64,
}

/// Who shares in the fee.
struct People {
    creator: &'static User,
    builder: Option<&'static User>,
    referral: Option<&'static User>,
    /// The trader's referrer, and the trader, who gets something back for having one.
    referred: Option<Referred>,
}

struct Referred {
    referrer: &'static User,
    trader: &'static User,
}

struct Market {
    account: Account,
    launch: &'static Launch,
    vaults: Vaults,
    mint: Account,
    token_vault: Account,
}

/// An order that was filled and booked.
struct Trade {
    kind: Kind,
    trader: Account,
    market: Market,
    people: People,
    terms: Terms,
    fill: Fill,
    /// Dollars that people were credited.
    credited: u64,
}

/// One order, on the curve or in the pool. A buy of the last tokens opens the pool, once the opening window is over; one that finds none
/// left opens it first and buys there.
#[inline(never)]
pub fn trade(call: &Call, kind: Kind) -> Outcome {
    let order = read_order(call)?;
    let trader = call.signer(at::TRADER)?;
    let (_, config) = call.state::<Config>(at::CONFIG)?;
    let market = read_market(call, config)?;
    let launch = market.launch;
    let creator = creator_of(call, launch)?;
    if kind.is_buy() && launch.graduated.get() == 0 && launch.tokens_left.get() == 0 {
        if !is_window_over(launch) {
            return Err(Error::GraduationPending);
        }
        open_pool(call, market.account, launch, &market.vaults, creator)?;
    }

    let people = read_people(call, trader.key(), creator)?;
    let terms = terms_of(kind, &order, launch, &people)?;
    let total_bps = terms.total_bps()?;
    let was_graduated = launch.graduated.get() != 0;
    let fill = fill(kind, order.amount, total_bps, launch)?;
    fill.require_limit(kind, order.amount, order.limit, total_bps)?;
    let parts = fees::split(fill.gross_usd, fill.gross_usd - fill.net_usd, &terms)?;
    let credited = book(launch, &people, &parts)?;
    let trade = Trade {
        kind,
        trader,
        market,
        people,
        terms,
        fill,
        credited,
    };
    settle(call, &trade)?;
    emit(call, &trade)?;

    if was_graduated || launch.tokens_left.get() != 0 {
        return Ok(());
    }
    let (account, vaults) = (trade.market.account, &trade.market.vaults);
    launch
        .event(events::COMPLETED)
        .key(&launch.mint.get())
        .by_launch(call.program, account, launch)?;
    if is_window_over(launch) {
        open_pool(call, account, launch, vaults, creator)
    } else {
        Ok(())
    }
}

fn read_order(call: &Call) -> Result<Order, Error> {
    let mut args = call.args();
    let (amount, limit, deadline, builder_bps) = (args.u64()?, args.u64()?, args.u64()? as i64, args.u16()?);
    args.end()?;
    if now() > deadline {
        return Err(Error::DeadlinePassed);
    }
    if amount > MOST {
        Err(Error::AmountTooLarge)
    } else {
        Ok(Order {
            amount,
            limit,
            builder_bps,
        })
    }
}

#[inline(never)]
fn read_market(call: &Call, config: &Config) -> Result<Market, Error> {
    let (account, launch) = call.state::<Launch>(at::LAUNCH)?;
    call.known(at::TOKEN2022, &TOKEN2022)?;
    let market = Market {
        account,
        launch,
        vaults: Vaults::read(
            call,
            [at::USD_VAULT, at::FEE_VAULT, at::DOLLAR_MINT, at::TOKEN],
            config,
            launch,
        )?,
        mint: call.known(at::MINT, &launch.mint.get())?,
        token_vault: call.known(at::TOKEN_VAULT, &launch.token_vault.get())?,
    };
    // What a trader is paid into a vault would be nobody's.
    let (tokens, usd) = (call.account(at::TRADER_TOKENS)?, call.account(at::TRADER_USD)?);
    let is_vault = same(tokens.key(), market.token_vault.key())
        || same(usd.key(), market.vaults.usd.key())
        || config.is_fee_vault(&usd);
    if is_vault { Err(Error::BadAccount) } else { Ok(market) }
}

fn creator_of(call: &Call, launch: &Launch) -> Result<&'static User, Error> {
    let (_, creator) = call.state::<User>(at::CREATOR_USER)?;
    if creator.is_of(&launch.creator.get()) {
        Ok(creator)
    } else {
        Err(Error::BadAccount)
    }
}

/// The trader's User is always named, so that no front end can leave its referrer out: where it is not open, its address is.
#[inline(never)]
fn read_people(call: &Call, trader: &Key, creator: &'static User) -> Result<People, Error> {
    let account = call.account(at::TRADER_USER)?;
    let referral = call
        .optional::<User>(at::REFERRAL_USER)?
        .filter(|user| !user.is_of(trader));
    let mut people = People {
        creator,
        builder: call.optional(at::BUILDER_USER)?,
        referral,
        referred: None,
    };
    if !same(account.owner(), call.program) {
        require_user_address(call.program, trader, &account)?;
        return Ok(people);
    }
    let user = account.state::<User>(call.program)?;
    if !user.is_of(trader) {
        return Err(Error::BadAccount);
    }
    if user.has_referrer() {
        let referrer = call.optional::<User>(at::REFERRER_USER)?.ok_or(Error::UserMissing)?;
        if !referrer.is_of(&user.referrer.get()) {
            return Err(Error::BadAccount);
        }
        people.referred = Some(Referred { referrer, trader: user });
    }
    Ok(people)
}

fn terms_of(kind: Kind, order: &Order, launch: &Launch, people: &People) -> Result<Terms, Error> {
    if order.builder_bps != 0 && people.builder.is_none() {
        return Err(Error::UserMissing);
    }
    // The clock may stand before the creation (S113).
    let elapsed = now().saturating_sub(launch.created.get()).max(0) as u64;
    let in_window = kind.is_buy() && launch.graduated.get() == 0;
    Ok(Terms {
        fee_bps: if in_window { buy_fee_bps(elapsed) } else { NORMAL_BPS },
        builder_bps: order.builder_bps,
        has_referral: people.referral.is_some(),
        has_referrer: people.referred.is_some(),
    })
}

/// What the order does, and the reserves after it.
#[inline(never)]
fn fill(kind: Kind, amount: u64, total_bps: u64, launch: &Launch) -> Result<Fill, Error> {
    let pool_type = PoolType::get(launch.pool_type.get())?;
    let (tokens, usd) = (launch.tokens_left.get(), launch.reserve_usd.get());
    let fill;
    if launch.graduated.get() != 0 {
        let mut pool = Pool::of(&pool_type, tokens, usd, launch.floor_usd.get())?;
        fill = pool.fill(kind, amount, total_bps)?;
        launch.tokens_left.set(pool.tokens);
        launch.reserve_usd.set(pool.usd);
    } else {
        let mut curve = Curve::of(&pool_type, tokens, usd);
        fill = curve.fill(kind, amount, total_bps)?;
        launch.tokens_left.set(curve.tokens_left);
        launch.reserve_usd.set(curve.reserve_usd);
    }
    Ok(fill)
}

/// Credits everybody; the dollars that they are credited.
#[inline(never)]
fn book(launch: &Launch, people: &People, parts: &Split) -> Result<u64, Error> {
    add(&launch.floor_usd, parts.excess)?;
    add(&launch.treasury_usd, parts.treasury)?;
    add(&people.creator.credit_usd, parts.creator)?;
    let mut credited = parts.creator;
    for (user, part) in [(people.builder, parts.builder), (people.referral, parts.referral)] {
        if let Some(user) = user {
            add(&user.credit_usd, part)?;
            credited += part;
        }
    }
    if let Some(Referred { referrer, trader }) = &people.referred {
        add(&referrer.credit_usd, parts.referrer)?;
        add(&trader.credit_usd, parts.cashback)?;
        credited += parts.referrer + parts.cashback;
    }
    Ok(credited)
}

/// Moves tokens and dollars: a buyer pays what is credited into the vault of credits at once, a sell's comes out of the token's vault.
#[inline(never)]
fn settle(call: &Call, trade: &Trade) -> Outcome {
    let (market, fill, trader) = (&trade.market, &trade.fill, trade.trader);
    let (trader_tokens, trader_usd) = (call.account(at::TRADER_TOKENS)?, call.account(at::TRADER_USD)?);
    let (mint_key, bump) = (market.launch.mint.get(), [market.launch.bump.get() as u8]);
    let seeds = [bytes(b"launch"), bytes(&mint_key), bytes(&bump)];
    let usd = Transfer {
        program: &TOKEN,
        from: trader_usd,
        mint: market.vaults.dollar_mint,
        to: market.vaults.usd,
        authority: trader,
        amount: fill.gross_usd - trade.credited,
        decimals: USD_DECIMALS,
        seeds: &[],
    };
    let tokens = Transfer {
        program: &TOKEN2022,
        from: trader_tokens,
        mint: market.mint,
        to: market.token_vault,
        authority: trader,
        amount: fill.tokens,
        decimals: DECIMALS,
        seeds: &[],
    };
    if trade.kind.is_buy() {
        usd.make()?;
        Transfer {
            to: market.vaults.fees,
            amount: trade.credited,
            ..usd
        }
        .make()?;
        let (from, to) = (market.token_vault, trader_tokens);
        Transfer {
            from,
            to,
            authority: market.account,
            seeds: &seeds,
            ..tokens
        }
        .make()
    } else {
        tokens.make()?;
        let (from, to) = (market.vaults.usd, trader_usd);
        Transfer {
            from,
            to,
            authority: market.account,
            amount: fill.net_usd,
            seeds: &seeds,
            ..usd
        }
        .make()?;
        usd_to_credits(market.account, market.launch, &market.vaults, trade.credited)
    }
}

#[inline(never)]
fn emit(call: &Call, trade: &Trade) -> Outcome {
    let (launch, people, terms, fill) = (trade.market.launch, &trade.people, &trade.terms, &trade.fill);
    let receiving = call.account(if trade.kind.is_buy() {
        at::TRADER_TOKENS
    } else {
        at::TRADER_USD
    })?;
    let wallet = |user: Option<&User>| user.map_or(NOBODY, |user| user.wallet.get());
    launch
        .event(events::TRADE)
        .key(&launch.mint.get())
        .key(trade.trader.key())
        .key(&receiving.key_at(TOKEN_OWNER)?)
        .key(&wallet(people.builder))
        .key(&wallet(people.referral))
        .key(&wallet(people.referred.as_ref().map(|referred| referred.referrer)))
        .u8(trade.kind as u8)
        .u8(launch.graduated.get() as u8)
        .u16(terms.fee_bps)
        .u16(terms.builder_bps)
        .u64(fill.gross_usd)
        .u64(fill.net_usd)
        .u64(fill.tokens)
        .u64(launch.tokens_left.get())
        .u64(launch.reserve_usd.get())
        .u64(launch.floor_usd.get())
        .u64(launch.treasury_usd.get())
        .i64(now())
        .by_launch(call.program, trade.market.account, launch)
}
