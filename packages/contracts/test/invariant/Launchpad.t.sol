// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Test} from "forge-std/Test.sol";
import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {ILens} from "../../src/interfaces/ILens.sol";
import {PoolType, PoolTypes} from "../../src/libraries/PoolTypes.sol";
import {Exchanges} from "../venue/Exchanges.sol";
import {LaunchpadHandler} from "./LaunchpadHandler.sol";

/// @notice The invariants of invariants.md, by number, for every token of a run: all types, both orders of the pair.
abstract contract LaunchpadInvariants is Test {
    LaunchpadHandler internal handler;
    IERC20 private usd;
    address private launchpad;

    function decimals() internal pure virtual returns (uint8);
    function venue() internal pure virtual returns (Exchanges.VenueKind);

    function setUp() public {
        // Not by `new`: each of these contracts would have the handler's code within its own, and the compiler optimizes it each time.
        handler = LaunchpadHandler(vm.deployCode("LaunchpadHandler.sol", abi.encode(venue(), decimals())));
        (address usd_, address launchpad_,,) = handler.system();
        (usd, launchpad) = (IERC20(usd_), launchpad_);
        bytes4[] memory actions = new bytes4[](24);
        actions[0] = handler.buyExactIn.selector;
        actions[1] = handler.buyExactOut.selector;
        actions[2] = handler.sellExactIn.selector;
        actions[3] = handler.sellExactOut.selector;
        actions[4] = handler.buyToEnd.selector;
        actions[5] = handler.foreignSwap.selector;
        actions[6] = handler.graduate.selector;
        actions[7] = handler.withdraw.selector;
        actions[8] = handler.collectTreasury.selector;
        actions[9] = handler.passTime.selector;
        actions[10] = handler.setReferrer.selector;
        actions[11] = handler.create.selector;
        actions[12] = handler.donate.selector;
        actions[13] = handler.admin.selector;
        actions[14] = handler.concert.selector;
        actions[15] = handler.sandwich.selector;
        actions[16] = handler.steal.selector;
        actions[17] = handler.deployCode.selector;
        actions[18] = handler.sendAway.selector;
        actions[19] = handler.comeHome.selector;
        actions[20] = handler.lie.selector;
        actions[21] = handler.collectPoolFees.selector;
        actions[22] = handler.preparePool.selector;
        actions[23] = handler.foreignLiquidity.selector;
        targetContract(address(handler));
        targetSelector(FuzzSelector(address(handler), actions));
    }

    /// @dev 1: held = reserves + floors + treasury shares + credits + unasked transfers, to the unit.
    function invariant_C14_C13_held_isOwed() public view {
        uint256 owed = handler.creditsOfAll() + handler.donatedUsd();
        for (uint256 i; i < handler.tokenCount(); i++) {
            owed += handler.owedFor(handler.tokens(i));
        }
        assertEq(usd.balanceOf(launchpad), owed, "held is owed");
    }

    /// @dev 2 and 3.
    function invariant_C7_C3_curve_paysBackEveryTokenAndNoMore() public view {
        for (uint256 i; i < handler.tokenCount(); i++) {
            address token = handler.tokens(i);
            ILaunchpad.TokenState memory state = handler.stateOf(token);
            if (state.graduated) continue;
            PoolType memory poolType = handler.poolTypeOf(token);
            uint256 sold = poolType.curveTokens - state.tokensLeft;
            uint256 b = poolType.virtualUsd + state.usd;
            // Selling all that is sold brings A back to its start.
            assertLe(b * sold / poolType.virtualTokens, state.usd, "covered");
            assertLe(state.usd + handler.paidByCurve(token), handler.paidToCurve(token), "never more than was paid in");
        }
    }

    /// @dev 4: the supply, with what is out on other chains, and where it is while the curve lasts and after.
    function invariant_X1_C3_supply_isFixed() public view {
        for (uint256 i; i < handler.tokenCount(); i++) {
            address token = handler.tokens(i);
            ILaunchpad.TokenState memory state = handler.stateOf(token);
            assertEq(IERC20(token).totalSupply() + handler.outOf(token), PoolTypes.SUPPLY, "supply");
            uint256 kept = state.graduated ? 0 : state.tokensLeft + handler.poolTypeOf(token).poolTokens;
            uint256 known = kept + handler.donatedTokens(token) + handler.tokenCreditsOf(token);
            assertEq(IERC20(token).balanceOf(launchpad), known, "kept here");
        }
    }

    /// @dev 6: both positions as graduation made them.
    function invariant_C3_C1_liquidity_neverLeaves() public view {
        for (uint256 i; i < handler.tokenCount(); i++) {
            address token = handler.tokens(i);
            ILens.TokenView memory pool = handler.viewOf(token);
            assertEq(handler.stateOf(token).graduated, handler.seenGraduated(token));
            if (!handler.seenGraduated(token)) continue;
            assertEq(pool.fullRange.liquidity, handler.lockedLiquidity(token, 0), "full range stays");
            assertEq(pool.floor.liquidity, handler.lockedLiquidity(token, 1), "floor stays");
            assertGe(pool.liquidity, pool.fullRange.liquidity, "full range counts");
        }
    }

    /// @dev 9: two people approved everything and do nothing; what they have stays.
    function invariant_C9_victims_keepWhatTheyHave() public view {
        for (uint256 who; who < 2; who++) {
            address victim = handler.victims(who);
            assertEq(usd.balanceOf(victim), handler.victimUsd(victim), "victim's dollars");
            for (uint256 i; i < handler.tokenCount(); i++) {
                address token = handler.tokens(i);
                assertEq(IERC20(token).balanceOf(victim), handler.victimTokens(victim, token), "victim's tokens");
            }
        }
    }

    /// @dev 16 and 17, once, at the end of each run; then the books of all that is left behind.
    function afterInvariant() public {
        invariant_C3_C1_liquidity_neverLeaves(); // first: whoever leaves is not paid what is missing
        handler.everybodyExits(uint256(keccak256(abi.encode(usd.totalSupply(), handler.tokenCount()))));
        assertEq(handler.creditsOfAll(), 0, "everybody was paid");
        invariant_C14_C13_held_isOwed();
        invariant_C7_C3_curve_paysBackEveryTokenAndNoMore();
        invariant_X1_C3_supply_isFixed();
        invariant_C3_C1_liquidity_neverLeaves();
    }

    /// @notice The handler is not idle: this many seeded actions reach every stage and every kind of trade.
    function test_handler_reachesEverything() public {
        for (uint256 i; i < 400; i++) {
            uint256 a = uint256(keccak256(abi.encode("handler", i)));
            uint256 b = uint256(keccak256(abi.encode(a)));
            uint256 c = uint256(keccak256(abi.encode(b)));
            _act(a % 24, a >> 8, b, c);
        }
        string[13] memory reached = [
            "foreignSwap",
            "graduated",
            "openingBuy",
            "withdraw",
            "create",
            "donate",
            "concert",
            "sandwich",
            "deployCode",
            "inOwnLock",
            "sendAway",
            "comeHome",
            "lie"
        ];
        for (uint256 i; i < reached.length; i++) {
            assertGt(handler.count(bytes32(bytes(reached[i]))), 0, reached[i]);
        }
        assertGt(handler.count(ILaunchpad.buyExactIn.selector), 0);
        assertGt(handler.count(ILaunchpad.buyExactOut.selector), 0);
        assertGt(handler.count(ILaunchpad.sellExactIn.selector), 0);
        assertGt(handler.count(ILaunchpad.sellExactOut.selector), 0);
        invariant_C14_C13_held_isOwed();
        invariant_C7_C3_curve_paysBackEveryTokenAndNoMore();
        invariant_X1_C3_supply_isFixed();
        invariant_C3_C1_liquidity_neverLeaves();
        invariant_C9_victims_keepWhatTheyHave();
        afterInvariant();
    }

    /// @notice Nor is the end of a run: a coalition's router trades inside its own lock, and in the pool.
    function test_exits_routersTradeToo() public {
        handler.passTime(4);
        handler.passTime(4);
        handler.buyToEnd(0, 2, 0);
        handler.graduate(0, 2); // on Uniswap v4 the last buy did
        for (uint256 seed; seed < 4; seed++) {
            handler.everybodyExits(seed);
        }
        assertGt(handler.count("churnInOwnLock"), 0, "inside its own lock");
        assertGt(handler.count("churnByRouter"), 0, "in the pool");
    }

    function _act(uint256 action, uint256 a, uint256 b, uint256 c) private {
        if (action == 0) handler.buyExactIn(a, b, c, a >> 32);
        if (action == 1) handler.buyExactOut(a, b, c, a >> 32);
        if (action == 2) handler.sellExactIn(a, b, c, a >> 32);
        if (action == 3) handler.sellExactOut(a, b, c, a >> 32);
        if (action == 4) handler.buyToEnd(a, b, c);
        if (action == 5) handler.foreignSwap(a, b, c, uint8(a >> 32));
        if (action == 6) handler.graduate(a, b);
        if (action == 7) handler.withdraw(a, b, c % 2 == 0);
        if (action == 8) handler.collectTreasury(a);
        if (action == 9) handler.passTime(a);
        if (action == 10) handler.setReferrer(a, b);
        if (action == 11) handler.create(a, b);
        if (action == 12) handler.donate(a, b, c);
        if (action == 13) handler.admin(a, b, c);
        if (action == 14) handler.concert(a, b);
        if (action == 15) handler.sandwich(a, b, c);
        if (action == 16) handler.steal(a, b, c);
        if (action == 17) handler.deployCode(a, b, c);
        if (action == 18) handler.sendAway(a, b, c, a >> 32);
        if (action == 19) handler.comeHome(a, b, c, a >> 32);
        if (action == 20) handler.lie(a, b, c);
        if (action == 21) handler.collectPoolFees(a, b);
        if (action == 22) handler.preparePool(a, b);
        if (action == 23) handler.foreignLiquidity(a, b, c);
    }
}

contract Launchpad6DecimalsTest is LaunchpadInvariants {
    function venue() internal pure override returns (Exchanges.VenueKind) {
        return Exchanges.VenueKind.UniswapV4;
    }

    function decimals() internal pure override returns (uint8) {
        return 6;
    }

    /// @notice Of 0.03 tokens, left by a sell in front of the last buy, most of the price is rounding: it is not in the limit.
    function test_sandwich_limitOfACrumb() public {
        handler.buyToEnd(0, 2, 0);
        handler.passTime(4);
        handler.passTime(4);
        handler.sellExactIn(0, 2, 3e16, 0);
        handler.sandwich(2, 100e6 * 24, 0);
        assertEq(handler.count("sandwich"), 1);
        assertTrue(handler.stateOf(handler.tokens(2)).graduated, "ended the curve");
    }
}

contract Launchpad18DecimalsTest is LaunchpadInvariants {
    function venue() internal pure override returns (Exchanges.VenueKind) {
        return Exchanges.VenueKind.UniswapV4;
    }

    function decimals() internal pure override returns (uint8) {
        return 18;
    }
}

/// @notice The dollar of the chains that it is for has 18 decimals.
contract LaunchpadPancakeV3Test is LaunchpadInvariants {
    function venue() internal pure override returns (Exchanges.VenueKind) {
        return Exchanges.VenueKind.PancakeV3;
    }

    function decimals() internal pure override returns (uint8) {
        return 18;
    }
}

contract LaunchpadUniswapV3Test is LaunchpadInvariants {
    function venue() internal pure override returns (Exchanges.VenueKind) {
        return Exchanges.VenueKind.UniswapV3;
    }

    function decimals() internal pure override returns (uint8) {
        return 6;
    }
}
