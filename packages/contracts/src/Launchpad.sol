// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {ECDSA} from "solady/src/utils/ECDSA.sol";
import {EIP712} from "solady/src/utils/EIP712.sol";
import {LibClone} from "solady/src/utils/LibClone.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {IPoolManager} from "v4-core/interfaces/IPoolManager.sol";
import {IUnlockCallback} from "v4-core/interfaces/callback/IUnlockCallback.sol";
import {FullMath} from "v4-core/libraries/FullMath.sol";
import {SafeCast} from "v4-core/libraries/SafeCast.sol";
import {Currency} from "v4-core/types/Currency.sol";
import {PoolId} from "v4-core/types/PoolId.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {FeeVault} from "./FeeVault.sol";
import {ILaunchpad} from "./interfaces/ILaunchpad.sol";
import {ILaunchToken} from "./interfaces/ILaunchToken.sol";
import {Curve} from "./libraries/Curve.sol";
import {Fees} from "./libraries/Fees.sol";
import {PoolType, PoolTypes} from "./libraries/PoolTypes.sol";
import {PoolVenue} from "./libraries/PoolVenue.sol";
import {Reserves, ReservesLibrary} from "./libraries/Reserves.sol";

/// @title Launchpad: creates tokens, trades them on a bonding curve, graduates them into a locked Uniswap v4 pool.
/// @dev What is assumed, by what breaks without it.
/// - Books: the dollar token moves exactly what it is told to, has no callbacks and no fee (the deploy script checks).
/// - Books: the hook credits only what it took from the PoolManager into this contract in the same call.
/// - Locked money: the PoolManager does not change; where it fails, sells on the curve stay open.
/// The payer of every trade is the caller. No function moves a token's reserves but sell, fee and graduation, and none
/// takes liquidity out of a pool.
contract Launchpad is ILaunchpad, FeeVault, EIP712, IUnlockCallback {
    using SafeTransferLib for address;
    using SafeCast for uint256;

    /// @param poolManager Uniswap v4's, or zero where the chain has none: then `create` reverts.
    /// @param testPoolType Whether pool type 9 may be created; off on mainnets.
    /// @param graduationGas Gas of the graduation that the last buy tries: from measurement, and 25 % or more on top.
    struct Config {
        address usd;
        address poolManager;
        address poolHook;
        address tokenImplementation;
        address owner;
        address treasury;
        address voucherSigner;
        bool testPoolType;
        uint256 graduationGas;
    }

    /// @notice What does not change in a trade; one storage slot.
    struct Facts {
        address creator;
        uint40 created;
        uint8 poolType;
        bool graduated;
    }

    /// @param floorUsd USD of opening-window fees, kept for the floor.
    struct Launch {
        Reserves reserves;
        Facts facts;
        uint256 floorUsd;
    }

    /// @notice A swap of ours inside the PoolManager's lock. Zero `payer` marks a graduation instead.
    struct PoolSwap {
        address payer;
        address token;
        address recipient;
        bool isBuy;
        int256 amountSpecified;
    }

    bytes32 private constant VOUCHER_TYPEHASH = keccak256("Voucher(address user,address referrer,uint256 deadline)");
    uint256 private constant VOUCHER_SECONDS = 1 hours;

    // ---------------------------------------------------------------- immutables and storage

    /// @inheritdoc ILaunchpad
    address public immutable usd;
    /// @inheritdoc ILaunchpad
    address public immutable poolManager;
    /// @inheritdoc ILaunchpad
    address public immutable poolHook;
    /// @inheritdoc ILaunchpad
    address public immutable tokenImplementation;
    /// @inheritdoc ILaunchpad
    bool public immutable testPoolType;
    /// @inheritdoc ILaunchpad
    uint256 public immutable graduationGas;
    /// @dev Base units of one dollar.
    uint256 private immutable _oneUsd;

    /// @inheritdoc ILaunchpad
    address public treasury;
    /// @inheritdoc ILaunchpad
    address public voucherSigner;
    /// @inheritdoc ILaunchpad
    address public owner;
    /// @inheritdoc ILaunchpad
    address public pendingOwner;

    /// @inheritdoc ILaunchpad
    mapping(address user => address) public referrerOf;
    mapping(address token => Launch) private _launches;

    /// @dev Comes after all that it trusts: code that is there at a CREATE3 address can not be replaced.
    constructor(Config memory config) {
        _requireCode(config.tokenImplementation);
        _requireCode(config.poolHook);
        if (config.poolManager != address(0)) _requireCode(config.poolManager);
        if (config.owner == address(0) || config.treasury == address(0)) revert ZeroAddress();
        uint8 decimals = IERC20Metadata(config.usd).decimals();
        if (decimals < 6 || decimals > 18) revert UnsupportedDecimals(decimals);

        usd = config.usd;
        poolManager = config.poolManager;
        poolHook = config.poolHook;
        tokenImplementation = config.tokenImplementation;
        testPoolType = config.testPoolType;
        graduationGas = config.graduationGas;
        _oneUsd = 10 ** decimals;
        _set("owner", owner = config.owner);
        _set("treasury", treasury = config.treasury);
        _set("voucherSigner", voucherSigner = config.voucherSigner);
    }

    modifier onlyOwner() {
        _requireOwner();
        _;
    }

    modifier before(uint256 deadline) {
        if (block.timestamp > deadline) revert DeadlinePassed(deadline, block.timestamp);
        _;
    }

    // ---------------------------------------------------------------- settings

    /// @inheritdoc ILaunchpad
    function setTreasury(address newTreasury) external onlyOwner {
        if (newTreasury == address(0)) revert ZeroAddress();
        _set("treasury", treasury = newTreasury);
    }

    /// @inheritdoc ILaunchpad
    function setVoucherSigner(address newSigner) external onlyOwner {
        _set("voucherSigner", voucherSigner = newSigner);
    }

    /// @inheritdoc ILaunchpad
    function clearReferrer(address user) external onlyOwner {
        _setReferrer(user, address(0));
    }

    /// @inheritdoc ILaunchpad
    function transferOwnership(address newOwner) external onlyOwner {
        _set("pendingOwner", pendingOwner = newOwner);
    }

    /// @inheritdoc ILaunchpad
    function acceptOwnership() external {
        if (msg.sender != pendingOwner) revert Unauthorized(msg.sender);
        _set("pendingOwner", pendingOwner = address(0));
        _set("owner", owner = msg.sender);
    }

    // ---------------------------------------------------------------- views

    /// @inheritdoc ILaunchpad
    function stateOf(address token) external view returns (TokenState memory state) {
        Launch storage launch = _launches[token];
        (state.tokensLeft, state.usd, state.treasuryShare) = launch.reserves.unpack();
        state.floorUsd = launch.floorUsd;
        Facts memory facts = launch.facts;
        (state.creator, state.created) = (facts.creator, facts.created);
        (state.poolType, state.graduated) = (facts.poolType, facts.graduated);
    }

    /// @inheritdoc ILaunchpad
    function tokenAddress(address creator, bytes32 salt) public view returns (address) {
        return LibClone.predictDeterministicAddress(tokenImplementation, _cloneSalt(creator, salt), address(this));
    }

    /// @inheritdoc ILaunchpad
    function buyFeeBps(address token) external view returns (uint256) {
        Facts memory facts = _launches[token].facts;
        _requireKnown(facts, token);
        return Fees.buyFeeBps(block.timestamp - facts.created);
    }

    // ---------------------------------------------------------------- creating

    /// @inheritdoc ILaunchpad
    function create(TokenParams calldata params)
        external
        nonReentrant
        before(params.deadline)
        returns (address token)
    {
        if (poolManager == address(0)) revert NoVenue();
        if (params.poolType == PoolTypes.TEST && !testPoolType) revert UnknownPoolType(params.poolType);
        PoolType memory poolType = PoolTypes.get(params.poolType, _oneUsd);

        // Looked up first: a second CREATE2 at one address would burn all gas of the transaction.
        token = tokenAddress(msg.sender, params.salt);
        Launch storage launch = _launches[token];
        if (launch.facts.creator != address(0)) revert TokenExists(token);
        LibClone.cloneDeterministic(tokenImplementation, _cloneSalt(msg.sender, params.salt));
        launch.reserves = ReservesLibrary.pack(poolType.curveTokens, 0, 0);
        launch.facts = Facts(msg.sender, uint40(block.timestamp), params.poolType, false);
        ILaunchToken(token).initialize(params.name, params.symbol, PoolTypes.SUPPLY);

        _emitCreated(token, poolType, params);
    }

    // ---------------------------------------------------------------- trading

    /// @inheritdoc ILaunchpad
    function buyExactIn(Order calldata order) external returns (uint256 usdIn, uint256 tokensOut) {
        return _buy(order, true);
    }

    /// @inheritdoc ILaunchpad
    function buyExactOut(Order calldata order) external returns (uint256 usdIn, uint256 tokensOut) {
        return _buy(order, false);
    }

    /// @inheritdoc ILaunchpad
    function sellExactIn(Order calldata order) external returns (uint256 tokensIn, uint256 usdOut) {
        (usdOut, tokensIn,) = _trade(order, false, true);
    }

    /// @inheritdoc ILaunchpad
    function sellExactOut(Order calldata order) external returns (uint256 tokensIn, uint256 usdOut) {
        (usdOut, tokensIn,) = _trade(order, false, false);
    }

    /// @inheritdoc ILaunchpad
    function multicall(bytes[] calldata calls) external returns (bytes[] memory results) {
        results = new bytes[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            (bool ok, bytes memory result) = address(this).delegatecall(calls[i]);
            if (!ok) {
                assembly ("memory-safe") {
                    revert(add(result, 0x20), mload(result))
                }
            }
            results[i] = result;
        }
    }

    /// @inheritdoc ILaunchpad
    function permitUsd(uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external nonReentrant {
        try IERC20Permit(usd).permit(msg.sender, address(this), value, deadline, v, r, s) {} catch {}
    }

    /// @inheritdoc ILaunchpad
    function setReferrer(Voucher calldata voucher, bytes calldata signature) external nonReentrant {
        bool moot = block.timestamp > voucher.deadline || referrerOf[voucher.user] != address(0)
            || referrerOf[voucher.referrer] == voucher.user;
        if (moot) return;
        bytes32 digest = _hashTypedData(
            keccak256(abi.encode(VOUCHER_TYPEHASH, voucher.user, voucher.referrer, voucher.deadline))
        );
        address signer = ECDSA.tryRecoverCalldata(digest, signature);
        bool bad = signer == address(0) || signer != voucherSigner || voucher.user == address(0)
            || voucher.referrer == address(0) || voucher.referrer == voucher.user
            || voucher.deadline > block.timestamp + VOUCHER_SECONDS;
        if (bad) revert InvalidVoucher();

        _setReferrer(voucher.user, voucher.referrer);
    }

    // ---------------------------------------------------------------- graduating

    /// @inheritdoc ILaunchpad
    function graduate(address token) external nonReentrant {
        Launch storage launch = _launches[token];
        Facts memory facts = launch.facts;
        _requireKnown(facts, token);
        if (facts.graduated) revert AlreadyGraduated(token);
        (uint256 tokensLeft, uint256 raised, uint256 share) = launch.reserves.unpack();
        if (tokensLeft != 0) revert NotCompleted(token, tokensLeft);
        uint256 opensAt = facts.created + Fees.WINDOW_SECONDS;
        if (block.timestamp < opensAt) revert WindowOpen(opensAt, block.timestamp);

        PoolVenue.Seed memory seed = _seed(token, facts.poolType, raised, launch.floorUsd);
        launch.facts.graduated = true;
        launch.floorUsd = 0;
        launch.reserves = ReservesLibrary.pack(0, 0, share);
        _credit(usd, facts.creator, seed.poolType.creatorReward);

        PoolSwap memory none;
        bytes memory answer = IPoolManager(poolManager).unlock(abi.encode(none, seed));
        Graduation memory result = abi.decode(answer, (Graduation));
        result.creatorReward = seed.poolType.creatorReward;
        _credit(usd, treasury, result.dustUsd);
        emit Graduated(token, PoolId.unwrap(PoolVenue.key(usd, token, poolHook).toId()), result);
    }

    /// @notice The PoolManager's call back into `graduate` or a pool trade; it calls only the contract that unlocked it.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        if (msg.sender != poolManager) revert Unauthorized(msg.sender);
        PoolSwap memory swap = abi.decode(data, (PoolSwap));
        if (swap.payer != address(0)) return _swapUnlocked(swap);

        (, PoolVenue.Seed memory seed) = abi.decode(data, (PoolSwap, PoolVenue.Seed));
        PoolKey memory pool = PoolVenue.key(usd, seed.token, poolHook);
        return abi.encode(PoolVenue.open(IPoolManager(msg.sender), pool, seed));
    }

    // ---------------------------------------------------------------- fees

    /// @inheritdoc ILaunchpad
    function collectTreasury(address[] calldata tokens) external nonReentrant {
        for (uint256 i; i < tokens.length; i++) {
            Launch storage launch = _launches[tokens[i]];
            uint256 share = launch.reserves.treasuryShare();
            if (share == 0) continue;
            launch.reserves = launch.reserves.withTreasuryShare(0);
            _creditTreasury(tokens[i], share);
        }
    }

    /// @inheritdoc ILaunchpad
    function recordForeignSwap(address token, address sender, Side side, uint256 grossUsd, uint256 tokens)
        external
        nonReentrant
    {
        if (msg.sender != poolHook) revert Unauthorized(msg.sender);
        Launch storage launch = _launches[token];
        Facts memory facts = launch.facts;
        _requireKnown(facts, token);
        TradeRecord memory record;
        record.recipient = sender;
        record.side = side;
        record.venue = Venue.Foreign;
        record.grossUsd = grossUsd;
        record.tokens = tokens;
        record.feeBps = Fees.NORMAL_BPS;
        _readPool(token, record);
        uint256 netUsd = Fees.netOfGrossDown(grossUsd, Fees.NORMAL_BPS);
        uint256 treasuryUsd = _payFees(launch, facts.creator, record, netUsd);
        launch.reserves = _withTreasuryUsd(token, launch.reserves, treasuryUsd);
        _emitTrade(token, tx.origin, record);
    }

    // ---------------------------------------------------------------- internals: creating

    function _cloneSalt(address creator, bytes32 salt) private view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, creator, salt));
    }

    function _emitCreated(address token, PoolType memory poolType, TokenParams calldata params) private {
        emit TokenCreated(
            token,
            msg.sender,
            params.poolType,
            poolType.virtualTokens,
            poolType.virtualUsd,
            params.salt,
            block.timestamp,
            params.name,
            params.symbol,
            params.uri
        );
    }

    // ---------------------------------------------------------------- internals: graduating

    function _seed(address token, uint8 poolTypeId, uint256 raised, uint256 floorUsd)
        private
        view
        returns (PoolVenue.Seed memory seed)
    {
        PoolType memory poolType = PoolTypes.get(poolTypeId, _oneUsd);
        seed.token = token;
        seed.poolType = poolType;
        seed.virtualTokens = poolType.virtualTokens - poolType.curveTokens;
        seed.virtualUsd = poolType.virtualUsd + raised;
        seed.usd = raised - poolType.creatorReward;
        seed.tokens = poolType.poolTokens;
        seed.floorUsd = floorUsd;
    }

    // ---------------------------------------------------------------- internals: a trade

    /// @dev The guard is free again when a graduation is tried. The buy of the last tokens stands whatever that does; one
    /// that finds none left needs the pool.
    function _buy(Order memory order, bool exactIn) private returns (uint256 usdIn, uint256 tokensOut) {
        bool completed;
        (usdIn, tokensOut, completed) = _trade(order, true, exactIn);
        if (!completed) return (usdIn, tokensOut);
        if (tokensOut == 0) {
            if (!_tryToGraduate(order.token, gasleft())) revert GraduationPending(order.token);
            (usdIn, tokensOut,) = _trade(order, true, exactIn);
        } else if (gasleft() > graduationGas + graduationGas / 32 + 10_000) {
            // The call gets 63/64 of what is left; the rest must end the transaction.
            _tryToGraduate(order.token, graduationGas);
        }
    }

    function _tryToGraduate(address token, uint256 gas) private returns (bool done) {
        try this.graduate{gas: gas}(token) {
            done = true;
        } catch {}
    }

    /// @dev Curve trades: effects, then transfers. A pool trade has to swap before its amounts are known; the
    /// PoolManager and our own token are all that is called until the books are written. `completed` with zero tokens: the
    /// buy found the curve sold out, and did nothing.
    function _trade(Order memory order, bool isBuy, bool exactIn)
        private
        nonReentrant
        before(order.deadline)
        returns (uint256 traderUsd, uint256 tokens, bool completed)
    {
        Launch storage launch = _launches[order.token];
        Facts memory facts = launch.facts;
        if (facts.creator == address(0)) revert UnknownToken(order.token);
        TradeRecord memory record = _openRecord(order, isBuy, facts.created);
        Reserves reserves = launch.reserves;
        uint256 netUsd;
        if (facts.graduated) {
            netUsd = _fillOnPool(order, record, isBuy, exactIn);
        } else {
            Curve.State memory curve = _curve(facts.poolType, reserves);
            if (isBuy && curve.tokensLeft == 0) return (0, 0, true);
            netUsd = _fillOnCurve(order, record, isBuy, exactIn, curve);
            reserves = ReservesLibrary.pack(curve.tokensLeft, curve.reserveUsd, reserves.treasuryShare());
            completed = curve.tokensLeft == 0;
        }
        tokens = record.tokens;
        traderUsd = isBuy ? record.grossUsd : netUsd;
        _checkLimit(order, record, isBuy, exactIn, netUsd);

        uint256 treasuryUsd = _payFees(launch, facts.creator, record, netUsd);
        launch.reserves = _withTreasuryUsd(order.token, reserves, treasuryUsd);
        _move(order, record, isBuy, netUsd);
        _emitTrade(order.token, msg.sender, record);
        if (completed) emit Completed(order.token);
    }

    function _openRecord(Order memory order, bool isBuy, uint256 created)
        private
        view
        returns (TradeRecord memory record)
    {
        if (order.recipient == address(0)) revert ZeroAddress();
        record.recipient = order.recipient;
        record.side = isBuy ? Side.Buy : Side.Sell;
        record.feeBps = isBuy ? Fees.buyFeeBps(block.timestamp - created) : Fees.NORMAL_BPS;
        if (order.builder != address(0)) {
            (record.builder, record.builderBps) = (order.builder, order.builderBps);
        }
        if (order.referral != msg.sender) record.referral = order.referral;
        record.referrer = referrerOf[msg.sender];
    }

    /// @dev Writes what the order does, and the state after it, into the record.
    /// @param curve Moves to its state after the trade.
    /// @return netUsd Buy: what reaches the curve. Sell: what the trader receives.
    function _fillOnCurve(
        Order memory order,
        TradeRecord memory record,
        bool isBuy,
        bool exactIn,
        Curve.State memory curve
    ) private pure returns (uint256 netUsd) {
        uint256 sumBps = Fees.totalBps(record.feeBps, record.builderBps);
        uint256 amount = order.amount < Fees.MOST ? order.amount : Fees.MOST;
        Curve.Fill memory fill = isBuy
            ? exactIn ? Curve.buyExactIn(curve, amount, sumBps) : Curve.buyExactOut(curve, amount, sumBps)
            : exactIn ? Curve.sellExactIn(curve, amount, sumBps) : Curve.sellExactOut(curve, amount, sumBps);
        if (isBuy) Curve.applyBuy(curve, fill);
        else Curve.applySell(curve, fill);
        (record.grossUsd, record.tokens) = (fill.grossUsd, fill.tokens);
        (record.stateA, record.stateB) = (curve.virtualTokens, curve.virtualUsd);
        return fill.netUsd;
    }

    function _curve(uint8 poolTypeId, Reserves reserves) private view returns (Curve.State memory) {
        (uint256 tokensLeft, uint256 raised,) = reserves.unpack();
        (uint256 tokensAtEnd, uint256 usdAtStart) = PoolTypes.virtualBase(poolTypeId, _oneUsd);
        unchecked {
            return Curve.State(tokensAtEnd + tokensLeft, usdAtStart + raised, tokensLeft, raised); // each below 2^92
        }
    }

    /// @dev Moves the tokens, and the USD without the fees of a buy, between payer, PoolManager, recipient and this
    /// contract. Whole orders only. Writes what the order does, and the state after it, into the record.
    /// @return netUsd Buy: what reaches the pool. Sell: what the trader receives.
    function _fillOnPool(Order memory order, TradeRecord memory record, bool isBuy, bool exactIn)
        private
        returns (uint256 netUsd)
    {
        uint256 sumBps = Fees.totalBps(record.feeBps, record.builderBps);
        uint256 exact = order.amount;
        exact.toInt128(); // more than the PoolManager counts reverts here, before a product with a rate overflows
        if (isBuy && exactIn) exact = Fees.netOfGrossDown(exact, sumBps);
        if (!isBuy && !exactIn) exact = Fees.grossOfNetUp(exact, sumBps);
        if (exact == 0) revert ZeroAmount();

        (uint256 amountIn, uint256 amountOut) = _swapOnPool(order, isBuy, exactIn, exact);
        if (isBuy) {
            (netUsd, record.tokens) = (amountIn, amountOut);
            record.grossUsd = exactIn ? order.amount : Fees.grossOfNetUp(amountIn, sumBps);
        } else {
            (record.tokens, record.grossUsd) = (amountIn, amountOut);
            netUsd = exactIn ? Fees.netOfGrossDown(amountOut, sumBps) : order.amount;
        }
        if (record.tokens == 0 || netUsd == 0) revert ZeroAmount();
        record.venue = Venue.Pool;
        _readPool(order.token, record);
    }

    function _swapOnPool(Order memory order, bool isBuy, bool exactIn, uint256 exact)
        private
        returns (uint256 amountIn, uint256 amountOut)
    {
        int256 specified = exact.toInt128();
        PoolSwap memory swap =
            PoolSwap(msg.sender, order.token, order.recipient, isBuy, exactIn ? -specified : specified);
        return abi.decode(IPoolManager(poolManager).unlock(abi.encode(swap)), (uint256, uint256));
    }

    /// @dev The transfers that the pool has not made.
    function _move(Order memory order, TradeRecord memory record, bool isBuy, uint256 netUsd) private {
        bool onCurve = record.venue == Venue.Curve;
        if (isBuy) {
            usd.safeTransferFrom(msg.sender, address(this), onCurve ? record.grossUsd : _feesOf(record, netUsd));
            if (onCurve) order.token.safeTransfer(order.recipient, record.tokens);
        } else {
            if (onCurve) _pullTokens(order.token, msg.sender, address(this), record.tokens);
            usd.safeTransfer(order.recipient, netUsd);
        }
    }

    /// @dev `swap.payer` is the caller of the trade: `_fillOnPool` wrote it, and nobody else can unlock for us.
    function _swapUnlocked(PoolSwap memory swap) private returns (bytes memory) {
        IPoolManager manager = IPoolManager(poolManager);
        PoolKey memory pool = PoolVenue.key(usd, swap.token, poolHook);
        bool zeroForOne = swap.isBuy == (usd < swap.token);
        (uint256 amountIn, uint256 amountOut) = PoolVenue.swap(manager, pool, zeroForOne, swap.amountSpecified);
        bool exactIn = swap.amountSpecified < 0;
        uint256 exact = uint256(exactIn ? -swap.amountSpecified : swap.amountSpecified);
        uint256 filled = exactIn ? amountIn : amountOut;
        if (filled != exact) revert PartialFill(exact, filled);

        Currency currencyIn = Currency.wrap(swap.isBuy ? usd : swap.token);
        manager.sync(currencyIn);
        if (swap.isBuy) usd.safeTransferFrom(swap.payer, address(manager), amountIn);
        else _pullTokens(swap.token, swap.payer, address(manager), amountIn);
        manager.settle();

        if (swap.isBuy) manager.take(Currency.wrap(swap.token), swap.recipient, amountOut);
        else manager.take(Currency.wrap(usd), address(this), amountOut);
        return abi.encode(amountIn, amountOut);
    }

    /// @dev A buy that ends the curve pays less than it offered, and its limit shrinks in proportion: to what the rest costs before
    /// curve and fees round it up. Rounding is most of the price of a few base units of tokens, and anybody can leave so few.
    function _checkLimit(Order memory order, TradeRecord memory record, bool isBuy, bool exactIn, uint256 netUsd)
        private
        pure
    {
        uint256 limit = order.limit;
        if (!exactIn) {
            uint256 paid = isBuy ? record.grossUsd : record.tokens;
            if (paid > limit) revert TooMuchPaid(paid, limit);
            return;
        }
        if (isBuy && record.grossUsd < order.amount) {
            unchecked {
                uint256 unrounded = Fees.grossOfNetDown(netUsd - 1, record.feeBps + record.builderBps);
                limit = FullMath.mulDiv(limit, unrounded, order.amount);
            }
        }
        uint256 received = isBuy ? record.tokens : netUsd;
        if (received < limit) revert TooLittleReceived(received, limit);
    }

    // ---------------------------------------------------------------- internals: books

    /// @notice Credits people's parts of a trade's fees and completes the record with them.
    /// @param netUsd The gross amount without its fees.
    /// @return The treasury's part, which is still to be written.
    function _payFees(Launch storage launch, address creator, TradeRecord memory record, uint256 netUsd)
        private
        returns (uint256)
    {
        Fees.Split memory parts = Fees.split(
            record.grossUsd,
            _feesOf(record, netUsd),
            record.feeBps,
            record.builderBps,
            record.referral != address(0),
            record.referrer != address(0)
        );
        (record.base, record.excess) = (parts.base, parts.excess);
        (record.builderFee, record.cashback) = (parts.builder, parts.cashback);

        mapping(address account => uint256) storage credits = _creditsIn(usd);
        unchecked {
            // A credit is at most the dollar token's supply.
            credits[creator] += parts.creator;
            if (parts.builder != 0) credits[record.builder] += parts.builder;
            if (parts.referral != 0) credits[record.referral] += parts.referral;
            if (parts.referrer != 0) credits[record.referrer] += parts.referrer;
            if (parts.cashback != 0) credits[msg.sender] += parts.cashback;
        }
        if (parts.excess != 0) launch.floorUsd += parts.excess;
        return parts.treasury;
    }

    /// @param netUsd The gross amount without its fees: never more.
    function _feesOf(TradeRecord memory record, uint256 netUsd) private pure returns (uint256) {
        unchecked {
            return record.grossUsd - netUsd;
        }
    }

    /// @dev Where the share would no longer fit its bits, all of it moves to the treasury's credit.
    function _withTreasuryUsd(address token, Reserves reserves, uint256 treasuryUsd) private returns (Reserves) {
        uint256 share = reserves.treasuryShare() + treasuryUsd;
        if (share > ReservesLibrary.MAX_TREASURY_SHARE) {
            _creditTreasury(token, share);
            share = 0;
        }
        return reserves.withTreasuryShare(share);
    }

    /// @dev A record holds one word per member, in memory as in the event's data: logged as it lies, which saves the
    /// copy that `emit` makes (1.5 k gas). The tests decode it with the interface's event.
    function _emitTrade(address token, address trader, TradeRecord memory record) private {
        bytes32 topic = Trade.selector;
        assembly ("memory-safe") {
            log3(record, 0x220, topic, token, trader)
        }
    }

    function _creditTreasury(address token, uint256 amount) private {
        _credit(usd, treasury, amount);
        emit TreasuryCollected(token, treasury, amount);
    }

    /// @dev The one use of the token's right to move without an approval. `from` is the caller of the trade.
    function _pullTokens(address token, address from, address to, uint256 amount) private {
        ILaunchToken(token).launchpadTransfer(from, to, amount);
    }

    function _readPool(address token, TradeRecord memory record) private view {
        PoolVenue.State memory state =
            PoolVenue.read(IPoolManager(poolManager), PoolVenue.key(usd, token, poolHook));
        (record.stateA, record.stateB, record.tick) = (state.sqrtPriceX96, state.liquidity, state.tick);
    }

    function _requireKnown(Facts memory facts, address token) private pure {
        if (facts.creator == address(0)) revert UnknownToken(token);
    }

    function _setReferrer(address user, address referrer) private {
        referrerOf[user] = referrer;
        emit ReferrerSet(user, referrer);
    }

    function _requireCode(address account) private view {
        if (account.code.length == 0) revert NoCode(account);
    }

    function _requireOwner() private view {
        if (msg.sender != owner) revert Unauthorized(msg.sender);
    }

    function _set(bytes32 setting, address value) private {
        emit SettingChanged(setting, value);
    }

    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("MintageLaunchpad", "1");
    }
}
