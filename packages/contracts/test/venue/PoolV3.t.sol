// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {LiquidityAmounts} from "v4-periphery/libraries/LiquidityAmounts.sol";
import {TickMath} from "v4-core/libraries/TickMath.sol";
import {LaunchpadV3} from "../../src/LaunchpadV3.sol";
import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {ILaunchpadV3} from "../../src/interfaces/ILaunchpadV3.sol";
import {ILens} from "../../src/interfaces/ILens.sol";
import {IFactoryV3, IPoolV3} from "../../src/interfaces/IPoolV3.sol";
import {Fees} from "../../src/libraries/Fees.sol";
import {PoolRange} from "../../src/libraries/PoolRange.sol";
import {PoolType, PoolTypes} from "../../src/libraries/PoolTypes.sol";
import {ExchangeV3, PoolV3} from "../../src/libraries/PoolV3.sol";
import {LaunchpadTest} from "../LaunchpadTest.sol";

/// @notice Anybody with money: makes the pool first, parks liquidity, moves the price, calls back whom they like.
contract Stranger {
    using SafeTransferLib for address;

    function mint(IPoolV3 pool, int24 lower, int24 upper, uint128 liquidity) external {
        pool.mint(address(this), lower, upper, liquidity, "");
    }

    function burn(IPoolV3 pool, int24 lower, int24 upper, uint128 liquidity) external {
        pool.burn(lower, upper, liquidity);
        pool.collect(address(this), lower, upper, type(uint128).max, type(uint128).max);
    }

    function swap(IPoolV3 pool, bool zeroForOne, int256 amount, uint160 limitX96) external {
        pool.swap(address(this), zeroForOne, amount, limitX96, "");
    }

    function _pay(int256 amount0, int256 amount1) private {
        if (amount0 > 0) IPair(msg.sender).token0().safeTransfer(msg.sender, uint256(amount0));
        if (amount1 > 0) IPair(msg.sender).token1().safeTransfer(msg.sender, uint256(amount1));
    }

    function uniswapV3SwapCallback(int256 a, int256 b, bytes calldata) external {
        _pay(a, b);
    }

    function pancakeV3SwapCallback(int256 a, int256 b, bytes calldata) external {
        _pay(a, b);
    }

    function uniswapV3MintCallback(uint256 a, uint256 b, bytes calldata) external {
        _pay(int256(a), int256(b));
    }

    function pancakeV3MintCallback(uint256 a, uint256 b, bytes calldata) external {
        _pay(int256(a), int256(b));
    }
}

interface IPair {
    function token0() external view returns (address);
    function token1() external view returns (address);
}

/// @notice What only a v3 exchange has: pools that strangers prepare, fees of positions, rewards out of the treasury's share.
abstract contract PoolV3Test is LaunchpadTest {
    uint8 private immutable _decimals;
    LaunchpadV3 internal venue;
    Stranger internal stranger;

    constructor(VenueKind kind, uint8 decimals) {
        (venueKind, _decimals) = (kind, decimals);
    }

    function setUp() public override {
        vm.warp(1_700_000_000);
        _deploySystem(_decimals);
        venue = LaunchpadV3(address(launchpad));
        stranger = new Stranger();
        usd.mint(address(stranger), 100_000_000 * oneUsd);
    }

    // ---------------------------------------------------------------- prepared pools

    /// @notice Whatever price the pool was made with, it opens at the curve's, and nothing is lost.
    function testFuzz_C1_preparedPool_opensAtTheTarget(uint160 price, bool usdIs0, bool bare) public {
        address token = _soldOut(usdIs0);
        price = uint160(bound(price, TickMath.MIN_SQRT_PRICE, TickMath.MAX_SQRT_PRICE - 1));
        IPoolV3 pool = _make(token);
        if (!bare) pool.initialize(price);
        uint160 target = _target(token, usdIs0);
        launchpad.graduate(token);
        ILens.TokenView memory opened = _view(token);
        assertEq(opened.sqrtPriceX96, target, "the opening price");
        assertEq(opened.fullRange.tickLower, PoolRange.MIN_TICK);
        _assertAllLocked(token);
    }

    /// @notice Nothing enters the pool before it graduates: by no transfer, buy, bridge or callback.
    function test_C1_preparedPool_nobodyAsks() public {
        address token = _soldOut(true);
        IPoolV3 pool = _make(token);
        pool.initialize(_target(token, true));
        vm.prank(creator);
        IERC20(token).transfer(address(stranger), 1e24);
        vm.startPrank(creator);
        vm.expectRevert(ILaunchpadV3.PoolNotOpen.selector);
        IERC20(token).transfer(address(pool), 1);
        vm.stopPrank();
        vm.prank(bridge);
        vm.expectRevert(ILaunchpadV3.PoolNotOpen.selector);
        IMints(token).crosschainMint(address(pool), 1);
        vm.expectRevert();
        stranger.mint(pool, PoolRange.MIN_TICK, PoolRange.MAX_TICK, 1e15);
        address fresh = _createOld(PoolTypes.MEME, true);
        IPoolV3 itsPool = _make(fresh);
        _fund(alice, 100 * oneUsd);
        ILaunchpad.Order memory order = _order(fresh, 100 * oneUsd, alice);
        order.recipient = address(itsPool);
        vm.prank(alice);
        vm.expectRevert();
        launchpad.buyExactIn(order);
        launchpad.graduate(token);
        vm.prank(creator);
        IERC20(token).transfer(address(pool), 1);
    }

    /// @notice Bids above the target are sold into: the pool opens exactly, and their dollars are the floor's.
    function testFuzz_C1_foreignBids_small(bool usdIs0, uint256 dollars, uint256 dearer) public {
        address token = _soldOut(usdIs0);
        dollars = bound(dollars, oneUsd / 100, 800 * oneUsd);
        _placeBids(token, usdIs0, bound(dearer, 2, 1000), dollars);
        uint160 target = _target(token, usdIs0);
        launchpad.graduate(token);
        assertEq(_view(token).sqrtPriceX96, target, "the opening price");
        _assertAllLocked(token);
    }

    /// @notice Bids that are too heavy hold the price: at most a twentieth is sold to them, for more than it is worth; our bids
    /// end at the target and our asks begin where they hold.
    function test_C1_foreignBids_heavy_bothOrders() public {
        for (uint256 i; i < 2; i++) {
            bool usdIs0 = i == 0;
            address token = _soldOut(usdIs0);
            (int24 lower, int24 upper, uint128 liquidity) = _placeBids(token, usdIs0, 10, 500_000 * oneUsd);
            uint256 atStart = usd.balanceOf(address(_poolOf(token)));
            uint160 target = _target(token, usdIs0);
            uint256 toLock = launchpad.stateOf(token).usd + launchpad.stateOf(token).floorUsd;
            launchpad.graduate(token);
            ILens.TokenView memory opened = _view(token);
            assertTrue(usdIs0 ? opened.sqrtPriceX96 < target : opened.sqrtPriceX96 > target, "dearer");
            PoolType memory poolType = _poolType(token);
            // What was sold brought more than it is worth at the target, and all of that is locked too.
            uint256 locked = usd.balanceOf(address(_poolOf(token)));
            assertApproxEqAbs(locked, atStart + toLock - poolType.creatorReward, 10, "all dollars are in the pool");
            assertEq(IERC20(token).balanceOf(address(launchpad)), 0);
            assertGt(IERC20(token).balanceOf(address(_poolOf(token))), poolType.poolTokens - 1e18, "all tokens too");
            // The bids leave: whoever sells meets ours just below the target, and who bought there has no gain by them.
            stranger.burn(_poolOf(token), lower, upper, liquidity);
            assertLe(IERC20(token).balanceOf(address(stranger)), poolType.poolTokens / 20, "a twentieth at most");
            (, uint256 received) = _sell(token, creator, 1_000_000e18);
            uint256 worth = _valueAt(target, 1_000_000e18, usdIs0);
            assertLe(received, worth, "not above the target");
            assertGt(received, worth * 95 / 100, "near it");
        }
    }

    /// @notice More ticks in the way than one walks through at once: anybody walks a part, and what that sells is counted.
    function test_C5_manyTicks_areWalkedInSteps() public {
        address token = _soldOut(true);
        IPoolV3 pool = _make(token);
        uint160 target = _target(token, true);
        pool.initialize(target / 4);
        int24 from = _aligned(TickMath.getTickAtSqrtPrice(target / 4)) + 400;
        for (int24 i; i < 30; i++) {
            stranger.mint(pool, from + i * 400, from + i * 400 + 200, 1e12);
        }
        uint256 kept = IERC20(token).balanceOf(address(launchpad));
        uint256 floor = launchpad.stateOf(token).floorUsd;
        vm.prank(alice);
        venue.levelPool(token, TickMath.getSqrtPriceAtTick(from + 5000));
        (uint160 half,) = pool.slot0();
        assertEq(half, TickMath.getSqrtPriceAtTick(from + 5000), "half the way");
        assertLt(IERC20(token).balanceOf(address(launchpad)), kept, "sold some");
        assertGt(launchpad.stateOf(token).floorUsd, floor, "for the floor");
        assertEq(usd.balanceOf(address(launchpad)), _owed(token), "held is owed");
        launchpad.graduate(token);
        assertEq(_view(token).sqrtPriceX96, target);
        assertEq(IERC20(token).balanceOf(address(launchpad)), 0);
        vm.expectPartialRevert(ILaunchpad.AlreadyGraduated.selector);
        venue.levelPool(token, target);
    }

    function test_C1_levelPool_beforeItsTime() public {
        address token = _createOld(PoolTypes.MEME, true);
        vm.expectPartialRevert(ILaunchpad.NotCompleted.selector);
        venue.levelPool(token, 1);
        vm.expectPartialRevert(ILaunchpad.UnknownToken.selector);
        venue.levelPool(address(usd), 1);
    }

    /// @notice A pool's callback pays only the pool that we called, for the token that we named.
    function test_C9_callbacks_strangersGetNothing() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        _buy(token, alice, 100 * oneUsd);
        vm.prank(alice);
        usd.approve(address(launchpad), type(uint256).max);
        usd.mint(alice, 1000 * oneUsd);
        bytes memory data = abi.encode(token, alice);
        vm.startPrank(address(stranger));
        bytes memory refusal = abi.encodeWithSelector(ILaunchpad.Unauthorized.selector, address(stranger));
        vm.expectRevert(refusal);
        venue.uniswapV3SwapCallback(1, 1, data);
        vm.expectRevert(refusal);
        venue.pancakeV3SwapCallback(1, 1, data);
        vm.expectRevert(refusal);
        venue.uniswapV3MintCallback(1, 1, data);
        vm.expectRevert(refusal);
        venue.pancakeV3MintCallback(1, 1, data);
        vm.stopPrank();
    }

    /// @notice A token of another home enters pools here as it likes.
    function test_C1_foreignHome_poolIsOpen() public view {
        assertTrue(venue.poolIsOpen(address(0xbeef)));
    }

    // ---------------------------------------------------------------- fees

    function test_C13_poolFees_halfToCreatorHalfToTreasury() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        vm.expectPartialRevert(ILaunchpad.UnknownToken.selector);
        venue.collectPoolFees(address(usd));
        _buy(token, alice, 2000 * oneUsd);
        _sell(token, alice, 5_000_000e18);
        uint256 credit = _credit(creator);
        uint256 share = launchpad.stateOf(token).treasuryShare;
        vm.prank(bob);
        (uint256 dollars, uint256 tokens) = venue.collectPoolFees(token);
        // PancakeSwap keeps 32 % of its fees.
        uint256 kept = venueKind == VenueKind.PancakeV3 ? 68 : 100;
        assertApproxEqAbs(dollars, 20 * oneUsd * kept / 100, oneUsd / 1000);
        assertApproxEqRel(tokens, 50_000e18 * kept / 100, 1e12);
        assertEq(_credit(creator) - credit, dollars / 2);
        assertEq(launchpad.stateOf(token).treasuryShare - share, dollars - dollars / 2);
        assertEq(launchpad.creditOf(token, creator), tokens / 2);
        assertEq(launchpad.creditOf(token, treasury), tokens - tokens / 2);
        assertEq(IERC20(token).balanceOf(address(launchpad)), tokens, "held is owed");
        vm.prank(creator);
        launchpad.withdraw(token, creator, type(uint256).max);
        assertEq(IERC20(token).balanceOf(address(launchpad)), tokens - tokens / 2);
        (dollars, tokens) = venue.collectPoolFees(token);
        assertEq(dollars + tokens, 0, "once");
    }

    function testFuzz_C13_rewards_asFarAsTheShareReaches(uint256 amount, uint256 share) public {
        address token = _createGraduated(PoolTypes.MEME, true);
        address[] memory list = new address[](1);
        list[0] = token;
        launchpad.collectTreasury(list);
        // A share of any size, by a buy whose pool fees are collected.
        share = bound(share, oneUsd / 100, 10 * oneUsd);
        _buy(token, bob, share * 200);
        venue.collectPoolFees(token);
        share = launchpad.stateOf(token).treasuryShare;
        _setReferrer(alice, referrer);
        amount = bound(amount, oneUsd, 20_000 * oneUsd);
        ILaunchpad.Order memory order = _order(token, amount, alice);
        order.referral = referral;
        _buy(order, alice);
        uint256 wanted = amount * 15 / 10_000;
        uint256 paid = wanted < share ? wanted : share;
        assertEq(_credit(referral), paid, "the referral first");
        share -= paid;
        wanted = amount * 10 / 10_000;
        paid = wanted < share ? wanted : share;
        assertEq(_credit(referrer), paid, "then the referrer");
        share -= paid;
        wanted = amount * 4 / 10_000;
        paid = wanted < share ? wanted : share;
        assertEq(_credit(alice), paid, "then the trader");
        assertEq(launchpad.stateOf(token).treasuryShare, share - paid, "out of the treasury's");
    }

    function test_C12_builder_isTheOnlyFeeAround() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        uint256 share = launchpad.stateOf(token).treasuryShare;
        ILaunchpad.Order memory order = _order(token, 1000 * oneUsd + 1, alice);
        (order.builder, order.builderBps) = (builder, 33);
        _buy(order, alice);
        assertEq(_credit(builder), (1000 * oneUsd + 1) * 33 / 10_000);
        assertEq(launchpad.stateOf(token).treasuryShare - share, 1, "what rounding left");
    }

    // ---------------------------------------------------------------- the lens

    function test_lens_tellsForeignTicks() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        IPoolV3 pool = _poolOf(token);
        uint256 own = _view(token).ticks.length;
        vm.prank(creator);
        IERC20(token).transfer(address(stranger), 100_000_000e18);
        int24 at = _aligned(_view(token).tick);
        stranger.mint(pool, at - 2000, at + 2000, 1e15);
        ILens.TokenView memory seen = _view(token);
        assertEq(seen.ticks.length, own + 2);
        int256 sum;
        for (uint256 i; i < seen.ticks.length; i++) {
            if (i > 0) assertLt(seen.ticks[i - 1].tick, seen.ticks[i].tick, "ascending");
            if (seen.ticks[i].tick <= seen.tick) sum += seen.ticks[i].liquidityNet;
        }
        assertEq(uint256(sum), seen.liquidity, "the ticks below make what is in range");
    }

    function test_error_noExchange() public {
        ExchangeV3 memory none;
        exchange = none;
        address at = _hookAddress();
        _place(
            at,
            abi.encodePacked(
                type(LaunchpadV3).creationCode, abi.encode(_config(address(usd), launchpad.factory(), 0), none)
            )
        );
        vm.expectRevert(ILaunchpad.NoVenue.selector);
        LaunchpadV3(at).create(_params(PoolTypes.MEME));
    }

    // ---------------------------------------------------------------- helpers

    function _soldOut(bool usdIs0) internal returns (address token) {
        token = _create(PoolTypes.MEME, usdIs0);
        _buy(token, bob, 100 * oneUsd);
        skip(Fees.WINDOW_SECONDS);
        _buy(token, creator, 1_000_000 * oneUsd);
        assertEq(launchpad.stateOf(token).tokensLeft, 0);
    }

    function _make(address token) internal returns (IPoolV3 pool) {
        pool = IPoolV3(IFactoryV3(exchange.factory).createPool(address(usd), token, PoolV3.SWAP_FEE));
        assertEq(address(pool), venue.poolOf(token));
    }

    function _poolOf(address token) internal view returns (IPoolV3) {
        return IPoolV3(venue.poolOf(token));
    }

    /// @dev Of a token that is not in its pool yet.
    function _target(address token, bool usdIs0) internal view returns (uint160) {
        PoolType memory poolType = _poolType(token);
        uint256 left = poolType.virtualTokens - poolType.curveTokens;
        return PoolRange.sqrtPriceX96(left, poolType.virtualUsd + launchpad.stateOf(token).usd, usdIs0);
    }

    /// @dev Dollars from just above the target to `dearer` times its price, by somebody who made the pool there.
    function _placeBids(address token, bool usdIs0, uint256 dearer, uint256 dollars)
        internal
        returns (int24 lower, int24 upper, uint128 liquidity)
    {
        uint160 target = _target(token, usdIs0);
        int24 shift = int24(TickMath.getTickAtSqrtPrice(uint160(_sqrt(dearer << 192))));
        int24 at = TickMath.getTickAtSqrtPrice(target);
        int24 start = usdIs0 ? at - shift : at + shift;
        IPoolV3 pool = _make(token);
        pool.initialize(TickMath.getSqrtPriceAtTick(start));
        (lower, upper) = usdIs0
            ? (_aligned(start) + 200, _aligned(at))
            : (_aligned(at) + 200, _aligned(start));
        liquidity = LiquidityAmounts.getLiquidityForAmounts(
            TickMath.getSqrtPriceAtTick(start),
            TickMath.getSqrtPriceAtTick(lower),
            TickMath.getSqrtPriceAtTick(upper),
            usdIs0 ? dollars : 0,
            usdIs0 ? 0 : dollars
        );
        stranger.mint(pool, lower, upper, liquidity);
    }

    function _assertAllLocked(address token) internal view {
        assertEq(IERC20(token).balanceOf(address(launchpad)), 0, "no token is left here");
        PoolType memory poolType = _poolType(token);
        assertGt(IERC20(token).balanceOf(venue.poolOf(token)), poolType.poolTokens * 94 / 100, "tokens are locked");
        assertEq(usd.balanceOf(address(launchpad)), _owed(token), "held is owed");
        assertGe(usd.balanceOf(venue.poolOf(token)), 24_500 * oneUsd, "dollars are locked");
    }

    function _owed(address token) internal view returns (uint256 owed) {
        address[5] memory earners = [creator, alice, bob, treasury, builder];
        for (uint256 i; i < earners.length; i++) {
            owed += _credit(earners[i]);
        }
        return owed + _owedFor(token);
    }

    function _valueAt(uint160 priceX96, uint256 tokens, bool usdIs0) internal pure returns (uint256) {
        uint256 x = uint256(priceX96);
        return usdIs0 ? tokens * (1 << 96) / x * (1 << 96) / x : tokens * x / (1 << 96) * x / (1 << 96);
    }

    function _aligned(int24 tick) internal pure returns (int24) {
        return tick - (tick % 200 + 200) % 200;
    }

    function _sqrt(uint256 x) private pure returns (uint256 root) {
        root = 1 << 128;
        uint256 next = (root + x / root) / 2;
        while (next < root) {
            (root, next) = (next, (next + x / next) / 2);
        }
    }
}

interface IMints {
    function crosschainMint(address to, uint256 amount) external;
}

contract UniswapPoolV3Test is PoolV3Test {
    constructor() PoolV3Test(VenueKind.UniswapV3, 6) {}
}

contract PancakePoolV3Test is PoolV3Test {
    constructor() PoolV3Test(VenueKind.PancakeV3, 18) {}
}
