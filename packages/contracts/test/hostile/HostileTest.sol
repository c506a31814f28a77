// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IHooks} from "v4-core/interfaces/IHooks.sol";
import {SafeCast} from "v4-core/libraries/SafeCast.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {LaunchpadV3} from "../../src/LaunchpadV3.sol";
import {Fees} from "../../src/libraries/Fees.sol";
import {LaunchpadTest} from "../LaunchpadTest.sol";
import {ForeignRouter} from "./actors/ForeignRouter.sol";
import {ForeignRouterV3} from "./actors/ForeignRouterV3.sol";

/// @notice Of a v3 exchange's factory, and of its pools.
interface IOwnedV3 {
    function owner() external view returns (address);
    function setFeeProtocol(uint8 of0, uint8 of1) external;
}

/// @notice The whole system, an attacker with every approval given, and a foreign router.
abstract contract HostileTest is LaunchpadTest {
    address internal attacker = makeAddr("attacker");
    address internal victim = makeAddr("victim");
    ForeignRouter internal router;

    function setUp() public virtual override {
        super.setUp();
        router = _newRouter();
    }

    /// @dev On a v3 exchange it has the same functions.
    function _newRouter() internal returns (ForeignRouter) {
        bool isV4 = venueKind == VenueKind.UniswapV4;
        return isV4 ? new ForeignRouter(manager) : ForeignRouter(address(new ForeignRouterV3(exchange.factory)));
    }

    function _redeploy(uint8 decimals) internal {
        _deploySystem(decimals);
        router = _newRouter();
    }

    // ---------------------------------------------------------------- tokens in a stage

    /// @notice Sold out inside its opening window, so not yet graduated; `holder` has all its curve tokens.
    function _createCompleted(uint8 poolType, bool usdIs0, address holder) internal returns (address token) {
        token = _create(poolType, usdIs0);
        skip(Fees.WINDOW_SECONDS - 1);
        _buyToEnd(token, holder);
        assertEq(launchpad.stateOf(token).tokensLeft, 0, "sold out");
        assertFalse(launchpad.stateOf(token).graduated, "window still open");
    }

    function _approveRouter(address token, address trader) internal {
        vm.startPrank(trader);
        usd.approve(address(router), type(uint256).max);
        IERC20(token).approve(address(router), type(uint256).max);
        vm.stopPrank();
    }

    // ---------------------------------------------------------------- books

    /// @notice Everything these accounts own in dollars: balances and credits.
    function _dollarsOf(address[] memory accounts) internal view returns (uint256 sum) {
        for (uint256 i; i < accounts.length; i++) {
            sum += usd.balanceOf(accounts[i]) + _credit(accounts[i]);
        }
    }

    /// @notice Credits of everyone whom `_order` and its variants can pay.
    function _creditsOfAll() internal view returns (uint256 sum) {
        address[9] memory all = [creator, builder, referral, referrer, alice, bob, treasury, attacker, victim];
        for (uint256 i; i < all.length; i++) {
            sum += _credit(all[i]);
        }
    }

    function _assertBooksClose(address token) internal view {
        assertEq(usd.balanceOf(address(launchpad)), _owedFor(token) + _creditsOfAll(), "held = owed");
    }

    // ---------------------------------------------------------------- pools

    function _usdIs0(address token) internal view returns (bool) {
        return address(usd) < token;
    }

    function _sqrtPrice(address token) internal view returns (uint256) {
        return _view(token).sqrtPriceX96;
    }

    /// @notice What the owner of the exchange can do to a pool: on Uniswap v4 take up to 0.1 % of what goes in, in both directions,
    /// on v3 a part of the pool's own fee.
    function _setProtocolFee(address token, uint256 pips) internal {
        if (venueKind == VenueKind.UniswapV3) return _setProtocolPartV3(token, uint8(pips % 8));
        if (venueKind == VenueKind.PancakeV3) return; // as it is published: 32 %
        PoolKey memory pool = _poolKey(token);
        pips %= 1001;
        vm.startPrank(owner);
        manager.setProtocolFeeController(owner);
        manager.setProtocolFee(pool, uint24(pips << 12 | pips));
        vm.stopPrank();
    }

    /// @param part One of so many of the fee, 4 to 10; below 4: none.
    function _setProtocolPartV3(address token, uint8 part) private {
        uint8 fee = part < 4 ? 0 : part;
        vm.prank(IOwnedV3(exchange.factory).owner());
        IOwnedV3(LaunchpadV3(address(launchpad)).poolOf(token)).setFeeProtocol(fee, fee);
    }

    function _otherPool(address token, uint24 fee, int24 spacing, address hooks)
        internal
        view
        returns (PoolKey memory pool)
    {
        pool = _poolKey(token);
        (pool.fee, pool.tickSpacing) = (fee, spacing);
        pool.hooks = IHooks(hooks);
    }

    function _one(address item) internal pure returns (address[] memory list) {
        list = new address[](1);
        list[0] = item;
    }

    /// @notice What a trade that cannot be is refused with. The last is the PoolManager's: a price beyond its numbers.
    function _isRefusal(bytes4 error) internal pure returns (bool) {
        return error == ILaunchpad.ZeroAmount.selector || error == ILaunchpad.BeyondCurve.selector
            || error == ILaunchpad.BeyondReserve.selector || error == ILaunchpad.PartialFill.selector
            || error == ILaunchpad.GraduationPending.selector
            || error == SafeCast.SafeCastOverflow.selector;
    }

    /// @return Zero when the trade ran, else the selector of its error.
    function _errorOf(ILaunchpad.Order memory order, address trader, bytes4 trade)
        internal
        virtual
        returns (bytes4)
    {
        vm.prank(trader);
        (bool ok, bytes memory reason) = address(launchpad).call(abi.encodeWithSelector(trade, order));
        return ok ? bytes4(0) : _selectorOf(reason);
    }

    /// @dev Never zero, which stands for a trade that ran.
    function _selectorOf(bytes memory reason) internal pure returns (bytes4) {
        return reason.length < 4 ? bytes4(0xffffffff) : bytes4(reason);
    }
}
