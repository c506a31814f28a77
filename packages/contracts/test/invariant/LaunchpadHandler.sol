// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {FixedPointMathLib} from "solady/src/utils/FixedPointMathLib.sol";
import {TickMath} from "v4-core/libraries/TickMath.sol";
import {BalanceDelta} from "v4-core/types/BalanceDelta.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {SwapParams} from "v4-core/types/PoolOperation.sol";
import {IFeeVault} from "../../src/interfaces/IFeeVault.sol";
import {ILaunchToken} from "../../src/interfaces/ILaunchToken.sol";
import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {ILens} from "../../src/interfaces/ILens.sol";
import {Fees} from "../../src/libraries/Fees.sol";
import {PoolType, PoolTypes} from "../../src/libraries/PoolTypes.sol";
import {LaunchpadV3} from "../../src/LaunchpadV3.sol";
import {IFactoryV3, IPoolV3} from "../../src/interfaces/IPoolV3.sol";
import {PoolV3} from "../../src/libraries/PoolV3.sol";
import {Venue} from "../../src/venues/Venue.sol";
import {VenueV3} from "../../src/venues/VenueV3.sol";
import {VenueV4} from "../../src/venues/VenueV4.sol";
import {Crossings} from "./Crossings.sol";

/// @notice What people and attackers do, in any order. No action reverts: a refusal that is not one of the documented
/// ones, and an attack that succeeds, fail the run. Ghost totals are what the books must equal.
contract LaunchpadHandler is Crossings {
    uint256 private constant MAX_TOKENS = 8;
    /// @dev The trader has too few tokens, or too few dollars.
    bytes4 private constant TOO_FEW_TOKENS = bytes4(keccak256("InsufficientBalance()"));
    bytes4 private constant TOO_FEW_DOLLARS = bytes4(keccak256("TransferFromFailed()"));

    address[] public tokens;
    /// @dev Everyone who can ever have a credit, and claims it; the victims are only named.
    address[] private earners;
    address[] private traders;
    address[2] public victims;

    struct Provided {
        int24 lower;
        int24 upper;
        uint128 liquidity;
    }

    /// @dev Adds liquidity of their own, and belongs to nobody's coalition.
    address private provider = makeAddr("provider");
    mapping(address token => Provided[]) private _provided;

    // ---------------------------------------------------------------- ghosts

    uint256 public donatedUsd;
    mapping(address token => uint256) public donatedTokens;
    /// @dev Dollars that traders paid for and got from a token's curve, fees included.
    mapping(address token => uint256) public paidToCurve;
    mapping(address token => uint256) public paidByCurve;
    /// @dev Smallest A·B allowed: that after the last trade.
    mapping(address token => uint256) public product;
    mapping(address token => bool) public seenGraduated;
    mapping(address token => uint128[2]) public lockedLiquidity;
    mapping(address victim => uint256) public victimUsd;
    mapping(address victim => mapping(address token => uint256)) public victimTokens;
    /// @dev The trade at hand found its curve sold out.
    bool private soldOutBefore;
    /// @dev By action or trade, how often it did what it is for.
    mapping(bytes32 => uint256) public count;

    constructor(VenueKind kind, uint8 decimals) {
        venueKind = kind;
        vm.warp(1_700_000_000);
        _deployThroughFactory(decimals);
        victims = [makeAddr("first victim"), makeAddr("second victim")];
        // The router buys and sells inside its own lock of the PoolManager (`_errorOf`).
        traders = [alice, bob, attacker, creator, makeAddr("sniper"), makeAddr("sandwicher"), address(router)];
        earners = [builder, referral, referrer, treasury, owner, deployer, makeAddr("next treasury")];
        for (uint256 i; i < traders.length; i++) {
            earners.push(traders[i]);
            _fund(traders[i], 1e12 * oneUsd);
        }
        earners.push(makeAddr("own builder"));
        earners.push(makeAddr("own referral"));
        _add(_create(PoolTypes.TEST, true));
        _add(_create(PoolTypes.TEST, false));
        _add(_create(PoolTypes.MEME, false));
        _add(_create(PoolTypes.STARTUP_PRESEED, true));
    }

    function setUp() public override {}

    function tokenCount() external view returns (uint256) {
        return tokens.length;
    }

    function creditsOfAll() external view returns (uint256 sum) {
        for (uint256 i; i < earners.length; i++) {
            sum += _credit(earners[i]);
        }
        for (uint256 i; i < victims.length; i++) {
            sum += _credit(victims[i]);
        }
    }

    /// @notice What people can withdraw in the token: of the fees of a pool on a v3 exchange.
    function tokenCreditsOf(address token) external view returns (uint256 sum) {
        for (uint256 i; i < earners.length; i++) {
            sum += launchpad.creditOf(token, earners[i]);
        }
    }

    function owedFor(address token) external view returns (uint256) {
        return _owedFor(token);
    }

    function stateOf(address token) external view returns (ILaunchpad.TokenState memory) {
        return launchpad.stateOf(token);
    }

    function poolTypeOf(address token) external view returns (PoolType memory) {
        return _poolType(token);
    }

    function viewOf(address token) external view returns (ILens.TokenView memory) {
        return _view(token);
    }

    function system() external view returns (address usd_, address launchpad_, address manager_, address hook_) {
        return (address(usd), address(launchpad), address(manager), address(launchpad));
    }

    // ---------------------------------------------------------------- trading

    function buyExactIn(uint256 who, uint256 which, uint256 amount, uint256 mix) external {
        address token = _token(which);
        _trade(token, _trader(who), _dollars(token, amount), mix, ILaunchpad.buyExactIn.selector);
    }

    function buyExactOut(uint256 who, uint256 which, uint256 amount, uint256 mix) external {
        address token = _token(which);
        _trade(token, _trader(who), bound(amount, 1, 2e26), mix, ILaunchpad.buyExactOut.selector);
    }

    function sellExactIn(uint256 who, uint256 which, uint256 amount, uint256 mix) external {
        (address token, address trader) = (_token(which), _trader(who));
        uint256 held = IERC20(token).balanceOf(trader);
        _trade(token, trader, bound(amount, 0, held), mix, ILaunchpad.sellExactIn.selector);
    }

    function sellExactOut(uint256 who, uint256 which, uint256 amount, uint256 mix) external {
        address token = _token(which);
        _trade(token, _trader(who), _dollars(token, amount) / 8, mix, ILaunchpad.sellExactOut.selector);
    }

    function buyToEnd(uint256 who, uint256 which, uint256 mix) external {
        address token = _token(which);
        _trade(token, _trader(who), 100 * _poolType(token).virtualUsd, mix, ILaunchpad.buyExactIn.selector);
    }

    /// @notice A swap by a router that is not ours.
    function foreignSwap(uint256 who, uint256 which, uint256 amount, uint8 kind) external {
        (address token, address trader) = (_token(which), _trader(who));
        if (!launchpad.stateOf(token).graduated) return;
        bool isBuy = kind % 2 == 0;
        bool usdExact = kind % 4 < 2;
        if (usdExact) amount = _dollars(token, amount) / 8;
        else amount = isBuy ? bound(amount, 1, 1e25) : bound(amount, 0, IERC20(token).balanceOf(trader));
        if (amount == 0) return;
        uint256 fee = usd.balanceOf(address(launchpad));
        _approveRouter(token, trader);
        PoolKey memory pool = _poolKey(token);
        int256 specified = isBuy == usdExact ? -int256(amount) : int256(amount);
        vm.prank(trader, trader);
        // Refused: more tokens than the trader has, or a swap that the pool cannot fill.
        try router.swap(pool, isBuy == _usdIs0(token), specified) {
            assertGe(usd.balanceOf(address(launchpad)), fee);
            count["foreignSwap"]++;
        } catch {}
    }

    function _trade(address token, address trader, uint256 amount, uint256 mix, bytes4 trade) private {
        ILaunchpad.Order memory order = _mixed(token, trader, amount, mix);
        bool exactOut = trade == ILaunchpad.buyExactOut.selector || trade == ILaunchpad.sellExactOut.selector;
        if (exactOut) order.limit = type(uint256).max;
        bytes4 error = _run(order, trader, trade);
        assertTrue(error != ILaunchpad.TooLittleReceived.selector, "refused without a limit");
        if (error == 0) count[trade]++;
        if (error == 0 && trader == address(router)) count["inOwnLock"]++;
    }

    /// @return error Zero when the trade ran; then the ghosts know of it. Any refusal is a documented one.
    function _run(ILaunchpad.Order memory order, address trader, bytes4 trade) private returns (bytes4 error) {
        bool onCurve = !launchpad.stateOf(order.token).graduated;
        uint256 dollars = usd.balanceOf(trader);
        soldOutBefore = onCurve && launchpad.stateOf(order.token).tokensLeft == 0;
        error = _errorOf(order, trader, trade);
        if (error != 0) {
            bool documented = _isRefusal(error) || error == ILaunchpad.TooLittleReceived.selector
                || error == TOO_FEW_TOKENS || error == TOO_FEW_DOLLARS || (!onCurve && _isLocked(trader, error));
            assertTrue(documented, string.concat("refused with ", vm.toString(error)));
            return error;
        }
        uint256 now_ = usd.balanceOf(trader);
        if (onCurve && now_ < dollars) paidToCurve[order.token] += dollars - now_;
        if (onCurve && now_ > dollars) paidByCurve[order.token] += now_ - dollars;
        _note(order.token);
        soldOutBefore = false;
    }

    /// @dev Builder and referral come from `mix`.
    function _mixed(address token, address trader, uint256 amount, uint256 mix)
        private
        view
        returns (ILaunchpad.Order memory order)
    {
        order = _order(token, amount, trader);
        if (mix & 1 != 0) (order.builder, order.builderBps) = (_named(mix >> 8), (mix >> 16) % 2000);
        if (mix & 2 != 0) order.referral = _named(mix >> 32);
    }

    // ---------------------------------------------------------------- graduating, claiming, time

    /// @notice Once sold out and 6 seconds old, anyone graduates, always.
    function graduate(uint256 who, uint256 which) external {
        address token = _token(which);
        ILaunchpad.TokenState memory state = launchpad.stateOf(token);
        bool ready = state.tokensLeft == 0 && !state.graduated && block.timestamp >= state.created + 6;
        vm.prank(_trader(who));
        try launchpad.graduate(token) {
            assertTrue(ready, "graduated too early or twice");
            count["graduate"]++;
        } catch {
            assertFalse(ready, "graduation refused");
        }
        _note(token);
    }

    function withdraw(uint256 who, uint256 amount, bool all) external {
        address account = _earner(who);
        uint256 credit = _credit(account);
        uint256 before = usd.balanceOf(account);
        vm.prank(account);
        uint256 paid = launchpad.withdraw(address(usd), account, all ? type(uint256).max : bound(amount, 0, credit));
        assertEq(usd.balanceOf(account) - before, paid);
        assertEq(credit - _credit(account), paid);
        if (paid != 0) count["withdraw"]++;
    }

    function collectTreasury(uint256 which) external {
        launchpad.collectTreasury(_one(_token(which)));
    }

    function passTime(uint256 howLong) external {
        skip(bound(howLong, 1, 4));
    }

    function setReferrer(uint256 who, uint256 other) external {
        (address user, address referrer_) = (_trader(who), _earner(other));
        if (user == referrer_) return;
        _setReferrer(user, referrer_);
        assertTrue(launchpad.referrerOf(referrer_) != user || launchpad.referrerOf(user) != referrer_, "a pair");
    }

    /// @notice A creation, with a copycat in front of it and the creator's own buy in the first second.
    function create(uint256 which, uint256 amount) external {
        if (tokens.length == MAX_TOKENS) return;
        uint8[3] memory types = [PoolTypes.TEST, PoolTypes.MEME, PoolTypes.STARTUP_PRESEED];
        ILaunchpad.TokenParams memory params = _params(types[which % 3]);
        address expected = launchpad.tokenAddress(creator, params.salt);
        vm.prank(attacker);
        assertTrue(launchpad.create(params) != expected, "copied");
        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(ILaunchpad.create, (params));
        ILaunchpad.Order memory order = _order(expected, bound(amount, oneUsd, 100 * oneUsd), creator);
        calls[1] = abi.encodeCall(ILaunchpad.buyExactIn, (order));
        uint256 dollars = usd.balanceOf(creator);
        vm.prank(creator);
        launchpad.multicall(calls);
        paidToCurve[expected] += dollars - usd.balanceOf(creator);
        _add(expected);
        count["create"]++;
    }

    // ---------------------------------------------------------------- hostile

    /// @notice Dollars and tokens arrive unasked: at our contracts, at the manager, in the pool.
    function donate(uint256 which, uint256 amount, uint256 where) external {
        address token = _token(which);
        address shared = _isV4() ? address(manager) : exchange.factory;
        address[3] memory places = [address(launchpad), address(launchpad), shared];
        address place = places[where % 3];
        amount = bound(amount, 0, 1000 * oneUsd);
        usd.mint(place, amount);
        if (place == address(launchpad)) donatedUsd += amount;
        uint256 held = IERC20(token).balanceOf(attacker) / 100;
        vm.prank(attacker);
        IERC20(token).transfer(place, held);
        if (place == address(launchpad)) donatedTokens[token] += held;
        if (!launchpad.stateOf(token).graduated) return;
        _approveRouter(token, attacker);
        vm.prank(attacker);
        router.donate(_poolKey(token), _usdIs0(token) ? oneUsd : 0, _usdIs0(token) ? 0 : oneUsd);
        count["donate"]++;
    }

    /// @notice The owner uses every own right, also over the PoolManager, and tries those of others.
    function admin(uint256 what, uint256 which, uint256 amount) external {
        address token = _token(which);
        if (launchpad.stateOf(token).graduated) _setProtocolFee(token, what >> 16);
        vm.startPrank(owner);
        if (what % 2 == 0) launchpad.setTreasury(_earner(what >> 8));
        launchpad.transferOwnership(owner);
        launchpad.acceptOwnership();
        launchpad.setVoucherSigner(launchpad.voucherSigner());
        launchpad.clearReferrer(_trader(what >> 16));
        vm.stopPrank();
        _steal(owner, token, _trader(what), amount);
    }

    /// @notice Somebody moves what is not theirs: every way fails.
    function steal(uint256 which, uint256 whom, uint256 amount) external {
        _steal(attacker, _token(which), victims[whom % 2], amount);
    }

    /// @notice The deployer's key puts any code at an address of ours, or at another, and moves what is not its own.
    function deployCode(uint256 where, uint256 which, uint256 amount) external {
        address token = _token(which);
        bool known = where % 2 == 0;
        address code = _placeAnyCode(known ? _saltOf(names[where / 2 % names.length]) : bytes32(where));
        _steal(deployer, token, victims[amount % 2], amount);
        if (code == address(0)) return;
        _steal(code, token, victims[amount % 2], amount);
        count["deployCode"]++;
    }

    // ---------------------------------------------------------------- what only v3 exchanges have

    /// @notice Anyone collects what the locked liquidity earned.
    function collectPoolFees(uint256 who, uint256 which) external {
        address token = _token(which);
        if (_isV4() || !launchpad.stateOf(token).graduated) return;
        vm.prank(_trader(who));
        (uint256 dollars, uint256 tokens_) = LaunchpadV3(address(launchpad)).collectPoolFees(token);
        if (dollars != 0 || tokens_ != 0) count["collectPoolFees"]++;
    }

    /// @notice Somebody makes a token's pool before it graduates, at any price.
    function preparePool(uint256 which, uint256 price) external {
        address token = _token(which);
        if (_isV4() || launchpad.stateOf(token).graduated) return;
        address pool = LaunchpadV3(address(launchpad)).poolOf(token);
        if (pool.code.length != 0) return;
        vm.startPrank(attacker);
        IFactoryV3(exchange.factory).createPool(address(usd), token, PoolV3.SWAP_FEE);
        IPoolV3(pool).initialize(uint160(bound(price, TickMath.MIN_SQRT_PRICE, TickMath.MAX_SQRT_PRICE - 1)));
        vm.stopPrank();
        count["preparePool"]++;
    }

    /// @notice A stranger adds dollars below the price, of the token in dollars, or takes them, or what they became, out again.
    function foreignLiquidity(uint256 which, uint256 howFar, uint256 amount) external {
        address token = _token(which);
        if (_isV4() || !launchpad.stateOf(token).graduated) return;
        _approveRouter(token, provider);
        if (howFar % 4 == 0) return _takeOut(token);
        int24 at = _view(token).tick / 200 * 200;
        int24 width = int24(int256(bound(howFar >> 8, 1, 50))) * 200;
        int24 gap = 200 + int24(int256(howFar >> 16 & 15)) * 200;
        (int24 lower, int24 upper) = _usdIs0(token) ? (at + gap, at + gap + width) : (at - gap - width, at - gap);
        if (lower < -887_200 || upper > 887_200) return;
        uint128 liquidity = uint128(bound(amount, 1, 1e15) * (oneUsd == 1e18 ? 1e6 : 1));
        usd.mint(provider, 1e12 * oneUsd);
        vm.prank(provider);
        router.modifyLiquidity(_poolKey(token), lower, upper, int256(uint256(liquidity)));
        _provided[token].push(Provided(lower, upper, liquidity));
        count["foreignLiquidity"]++;
    }

    function _takeOut(address token) private {
        Provided[] storage list = _provided[token];
        if (list.length == 0) return;
        Provided memory last = list[list.length - 1];
        list.pop();
        vm.prank(provider);
        router.modifyLiquidity(_poolKey(token), last.lower, last.upper, -int256(uint256(last.liquidity)));
        count["takeOut"]++;
    }

    function _isV4() private view returns (bool) {
        return venueKind == VenueKind.UniswapV4;
    }

    // ---------------------------------------------------------------- other chains

    function sendAway(uint256 who, uint256 which, uint256 amount, uint256 where) external {
        (address token, address trader) = (_token(which), _trader(who));
        uint256 held = IERC20(token).balanceOf(trader);
        if (_sendAway(token, trader, _path(where), bound(amount, 0, held + held / 64))) count["sendAway"]++;
    }

    /// @notice The first token, from this one on, that is out on that chain.
    function comeHome(uint256 who, uint256 which, uint256 amount, uint256 where) external {
        uint32 eid = _path(where);
        for (uint256 i; i < tokens.length; i++) {
            address token = _token(which % tokens.length + i);
            uint256 out = _outOf(token, eid);
            if (out == 0) continue;
            if (_comeHome(token, _trader(who), eid, bound(amount, 1, out))) count["comeHome"]++;
            return;
        }
    }

    /// @notice Verifiers lie, together or alone, and the guardian pauses or the owner goes on.
    function lie(uint256 which, uint256 amount, uint256 where) external {
        (address token, uint32 eid) = (_token(which), _path(where));
        _lieTogether(token, attacker, eid, amount);
        _lieAlone(token, attacker, eid, bytes32(amount));
        _pauseOrNot(eid, where & 14 == 0);
        count["lie"]++;
    }

    function _steal(address thief, address token, address from, uint256 amount) private {
        amount = bound(amount, 1, 1e27);
        Venue.Swap memory swap = Venue.Swap(token, from, thief, true, -int256(amount));
        uint256 above = _credit(thief) + amount;
        bytes memory callback = abi.encode(token, from);
        bytes[6] memory onLaunchpad = [
            abi.encodeCall(launchpad.unlockCallback, (abi.encode(VenueV4.Action.Swap, swap))),
            abi.encodeCall(
                launchpad.afterSwap,
                (thief, _poolKey(token), SwapParams(true, -int256(amount), 0), BalanceDelta.wrap(int256(amount)), "")
            ),
            abi.encodeCall(VenueV3.uniswapV3SwapCallback, (int256(amount), int256(amount), callback)),
            abi.encodeCall(VenueV3.pancakeV3MintCallback, (amount, amount, callback)),
            abi.encodeCall(IFeeVault.withdraw, (address(usd), thief, above)),
            abi.encodeCall(IFeeVault.withdraw, (token, thief, launchpad.creditOf(token, thief) + amount))
        ];
        bytes[5] memory onToken = [
            abi.encodeWithSignature("crosschainMint(address,uint256)", thief, amount),
            abi.encodeWithSignature("crosschainBurn(address,uint256)", from, amount),
            abi.encodeCall(ILaunchToken.launchpadTransfer, (from, thief, amount)),
            abi.encodeCall(ILaunchToken.initialize, ("", "", amount)),
            abi.encodeCall(IERC20.transferFrom, (from, thief, amount))
        ];
        vm.startPrank(thief);
        for (uint256 i; i < onLaunchpad.length; i++) {
            _mustFail(address(launchpad), onLaunchpad[i]);
        }
        for (uint256 i; i < onToken.length; i++) {
            _mustFail(token, onToken[i]);
        }
        if (_isV4()) _stealFromPoolV4(token, amount);
        else _stealFromPoolV3(token, amount);
        vm.stopPrank();
        count["steal"]++;
    }

    /// @dev Of a pool on a v3 exchange nobody sets the price again, and nobody has the locked positions.
    function _stealFromPoolV3(address token, uint256 amount) private {
        ILens.TokenView memory at = _view(token);
        int256 out = -int256(uint256(amount % 1e18 + 1));
        bytes memory floor_ = abi.encodeCall(router.modifyLiquidity, (_poolKey(token), at.floor.tickLower, at.floor.tickUpper, out));
        _mustFail(address(router), abi.encodeCall(router.modifyLiquidity, (_poolKey(token), -887_200, 887_200, out)));
        _mustFail(address(router), floor_);
        address pool = LaunchpadV3(address(launchpad)).poolOf(token);
        if (pool.code.length != 0) _mustFail(pool, abi.encodeCall(IPoolV3.initialize, (1 << 96)));
        if (!launchpad.stateOf(token).graduated) {
            _mustFail(address(token), abi.encodeCall(IERC20.transfer, (pool, 0)));
        }
    }

    function _stealFromPoolV4(address token, uint256 amount) private {
        PoolKey memory pool = _poolKey(token);
        ILens.TokenView memory tokenView = _view(token);
        int256 liquidity = int256(uint256(amount % 1e18 + 1));
        bytes[3] memory onPool = [
            abi.encodeCall(router.modifyLiquidity, (pool, -887_200, 887_200, -liquidity)),
            abi.encodeCall(router.modifyLiquidity, (pool, -887_200, 887_200, liquidity)),
            abi.encodeCall(
                router.modifyLiquidity, (pool, tokenView.floor.tickLower, tokenView.floor.tickUpper, -liquidity)
            )
        ];
        for (uint256 i; i < onPool.length; i++) {
            _mustFail(address(router), onPool[i]);
        }
        _mustFail(address(manager), abi.encodeCall(manager.initialize, (pool, 1 << 96)));
    }

    function _mustFail(address target, bytes memory call) private {
        (bool ok,) = target.call(call);
        assertFalse(ok, string.concat("an attack succeeded: ", vm.toString(bytes4(call))));
    }

    /// @notice A coalition with nothing in hand buys, sells and graduates in any order and sells all: no profit.
    function concert(uint256 which, uint256 seed) external {
        address token = _token(which);
        address[] memory coalition = new address[](3);
        coalition[0] = makeAddr("conductor");
        coalition[1] = makeAddr("own builder");
        coalition[2] = makeAddr("own referral");
        _fund(coalition[0], 1000 * _poolType(token).virtualUsd);
        uint256 before = _dollarsOf(coalition);
        for (uint256 i; i < 4; i++) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint256 held = IERC20(token).balanceOf(coalition[0]);
            bool sells = i == 3 || seed % 4 == 0;
            uint256 amount = i == 3 ? held : sells ? held / 2 : _dollars(token, seed >> 8);
            ILaunchpad.Order memory order = _order(token, amount, coalition[0]);
            (order.builder, order.builderBps, order.referral) = (coalition[1], seed % 1000, coalition[2]);
            _run(order, coalition[0], sells ? ILaunchpad.sellExactIn.selector : ILaunchpad.buyExactIn.selector);
            if (seed % 8 == 1) skip(1);
        }
        assertLe(_dollarsOf(coalition), before, "the coalition profits");
        // What was too little to sell must not count in its next concert.
        uint256 rest = IERC20(token).balanceOf(coalition[0]);
        vm.prank(coalition[0]);
        IERC20(token).transfer(DEAD, rest);
        count["concert"]++;
    }

    /// @notice Buys in front of somebody with a limit and sells behind them: they get their limit, or pay nothing.
    function sandwich(uint256 which, uint256 amount, uint256 front) external {
        address token = _token(which);
        ILaunchpad.Order memory order = _order(token, _dollars(token, amount), alice);
        // 5 % under the price that they see.
        order.limit = FixedPointMathLib.fullMulDiv(order.amount, _tokensPerUsdX96(token), 1 << 96) * 95 / 100;
        ILaunchpad.Order memory hostile = _order(token, _dollars(token, front), attacker);
        uint256 held = IERC20(token).balanceOf(attacker);
        _run(hostile, attacker, ILaunchpad.buyExactIn.selector);

        (uint256 dollars, uint256 tokens_) = (usd.balanceOf(alice), IERC20(token).balanceOf(alice));
        bool ran = _run(order, alice, ILaunchpad.buyExactIn.selector) == 0;
        uint256 paid = dollars - usd.balanceOf(alice);
        if (ran) assertGe(IERC20(token).balanceOf(alice) - tokens_, _limitFor(order, paid), "their limit");
        else assertEq(paid, 0, "nothing paid");

        hostile.amount = IERC20(token).balanceOf(attacker) - held;
        _run(hostile, attacker, ILaunchpad.sellExactIn.selector);
        if (ran) count["sandwich"]++;
    }

    /// @dev The limit of a buy that ran. At the end of the curve it is per dollar, without what was rounded up: at most the
    /// last base unit of the curve with its fees, and one of the fees themselves. Three in all once the window is over.
    function _limitFor(ILaunchpad.Order memory order, uint256 paid) private view returns (uint256) {
        if (paid == order.amount) return order.limit;
        uint256 rounding = Fees.grossOfNetUp(1, launchpad.buyFeeBps(order.token)) + 1;
        return paid <= rounding ? 0 : order.limit * (paid - rounding) / order.amount;
    }

    // ---------------------------------------------------------------- the end

    /// @notice Nobody gains by anything that they could still do; then everybody sells all and withdraws all.
    function everybodyExits(uint256 seed) external {
        uint256[2] memory routed;
        for (uint256 i; i < tokens.length; i++) {
            _allComeHome(tokens[i], alice);
            _assertNobodyGains(tokens[i], _everyone(), creator, uint256(keccak256(abi.encode(seed, i))), routed);
        }
        count["churnInOwnLock"] += routed[0];
        count["churnByRouter"] += routed[1];
        for (uint256 i; i < tokens.length; i++) {
            _leave(tokens[i], _everyone());
        }
        _withdrawAll(_everyone());
        count["exits"]++;
    }

    function _everyone() private view returns (address[] memory all) {
        all = new address[](earners.length + victims.length);
        for (uint256 i; i < all.length; i++) {
            all[i] = _named(i);
        }
    }

    // ---------------------------------------------------------------- internals

    function _token(uint256 which) private view returns (address) {
        return tokens[which % tokens.length];
    }

    function _trader(uint256 who) private view returns (address) {
        return traders[who % traders.length];
    }

    function _earner(uint256 who) private view returns (address) {
        return earners[who % earners.length];
    }

    /// @dev Whom somebody else's order can name: the victims too.
    function _named(uint256 who) private view returns (address) {
        uint256 place = who % (earners.length + victims.length);
        return place < earners.length ? earners[place] : victims[place - earners.length];
    }

    /// @dev From one base unit to twice the virtual dollars of its curve, every size as likely.
    function _dollars(address token, uint256 amount) private view returns (uint256) {
        return bound(amount, 1, 2 * _poolType(token).virtualUsd >> (amount % 24)) + 1;
    }

    /// @notice Puts a new token in the books; both victims buy some, approve us for everything, and never come again.
    function _add(address token) private {
        tokens.push(token);
        for (uint256 i; i < 2; i++) {
            (uint256 paid,) = _buy(token, victims[i], oneUsd);
            paidToCurve[token] += paid;
            usd.mint(victims[i], 1000 * oneUsd);
            vm.startPrank(victims[i]);
            IERC20(token).approve(address(launchpad), type(uint256).max);
            vm.stopPrank();
            victimUsd[victims[i]] = usd.balanceOf(victims[i]);
            victimTokens[victims[i]][token] = IERC20(token).balanceOf(victims[i]);
        }
        _note(token);
    }

    /// @dev After every trade of a token: A·B; at graduation the opening price and the liquidity.
    function _note(address token) private {
        ILaunchpad.TokenState memory state = launchpad.stateOf(token);
        PoolType memory poolType = _poolType(token);
        if (!state.graduated) {
            uint256 a = poolType.virtualTokens - poolType.curveTokens + state.tokensLeft;
            uint256 next = a * (poolType.virtualUsd + state.usd);
            assertGe(next, product[token], "A times B fell");
            product[token] = next;
            return;
        }
        if (seenGraduated[token]) return;
        seenGraduated[token] = true;
        ILens.TokenView memory pool = _view(token);
        // A buy that opened the pool has moved its price already; hostile/Graduation.t.sol compares that one to the wei.
        uint256 atEnd = poolType.virtualTokens - poolType.curveTokens;
        if (!soldOutBefore) _assertOpenedAtTheLastPrice(token, pool.sqrtPriceX96, atEnd);
        else count["openingBuy"]++;
        lockedLiquidity[token] = [pool.fullRange.liquidity, pool.floor.liquidity];
        count["graduated"]++;
    }

    /// @dev Tokens for dollars at the end of the curve are A² to A·B. One basis point.
    function _assertOpenedAtTheLastPrice(address token, uint256 sqrtPriceX96, uint256 a) private view {
        uint256 last = FixedPointMathLib.fullMulDiv(a, a << 96, product[token]);
        assertApproxEqRel(_tokensPerUsdOnPoolX96(token, sqrtPriceX96), last, 1e14, "jump");
    }

    function _tokensPerUsdX96(address token) private view returns (uint256) {
        ILaunchpad.TokenState memory state = launchpad.stateOf(token);
        if (state.graduated) return _tokensPerUsdOnPoolX96(token, _sqrtPrice(token));
        PoolType memory poolType = _poolType(token);
        uint256 a = poolType.virtualTokens - poolType.curveTokens + state.tokensLeft;
        return (a << 96) / (poolType.virtualUsd + state.usd);
    }

    function _tokensPerUsdOnPoolX96(address token, uint256 sqrtPriceX96) private view returns (uint256) {
        uint256 root = _usdIs0(token) ? sqrtPriceX96 : (1 << 192) / sqrtPriceX96;
        return FixedPointMathLib.fullMulDiv(root, root, 1 << 96);
    }
}
