// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IUnlockCallback} from "v4-core/interfaces/callback/IUnlockCallback.sol";
import {IHooks} from "v4-core/interfaces/IHooks.sol";
import {IPoolManager} from "v4-core/interfaces/IPoolManager.sol";
import {StateLibrary} from "v4-core/libraries/StateLibrary.sol";
import {TickMath} from "v4-core/libraries/TickMath.sol";
import {BalanceDelta} from "v4-core/types/BalanceDelta.sol";
import {Currency} from "v4-core/types/Currency.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {ModifyLiquidityParams, SwapParams} from "v4-core/types/PoolOperation.sol";

/// @title PoolHarness: swaps on the real PoolManager over many prepared pools, for comparison with protocol/src/maths/pool.
/// @dev Every case runs in a pool of its own and is undone by a revert that carries its results, so nothing is ever
/// settled and no token is needed.
contract PoolHarness is IUnlockCallback {
    using StateLibrary for IPoolManager;

    /// @param liquidity Zero: no position.
    struct Range {
        int24 tickLower;
        int24 tickUpper;
        uint128 liquidity;
    }

    /// @param amountSpecified Negative: exactly so much in. Positive: exactly so much out.
    struct Swap {
        bool zeroForOne;
        int256 amountSpecified;
    }

    /// @param swaps Done one after the other.
    struct Case {
        uint160 sqrtPriceX96;
        uint24 protocolFee;
        Range[2] ranges;
        Swap[3] swaps;
    }

    /// @param reverted Selector of the swap's error, zero for none.
    /// @param amount0 The swapper's: negative is paid. Likewise `amount1`.
    /// @param sqrtPriceX96 After the swap; likewise `tick` and `liquidity`.
    struct Outcome {
        bytes4 reverted;
        int256 amount0;
        int256 amount1;
        uint160 sqrtPriceX96;
        int24 tick;
        uint128 liquidity;
    }

    error Outcomes(Outcome[3] outcomes);
    error Unsettled();

    IPoolManager public immutable manager;

    /// @param managerCode Creation code of the PoolManager without its constructor argument, the owner.
    constructor(bytes memory managerCode) {
        bytes memory code = abi.encodePacked(managerCode, abi.encode(address(this)));
        address created;
        assembly ("memory-safe") {
            created := create(0, add(code, 0x20), mload(code))
        }
        manager = IPoolManager(created);
        manager.setProtocolFeeController(address(this));
    }

    function applyAll(Case[] calldata cases) external returns (Outcome[3][] memory outcomes) {
        outcomes = new Outcome[3][](cases.length);
        for (uint256 i; i < cases.length; i++) {
            try manager.unlock(abi.encode(cases[i])) {
                revert Unsettled();
            } catch (bytes memory reason) {
                require(bytes4(reason) == Outcomes.selector, "case could not be prepared");
                assembly ("memory-safe") {
                    mstore(add(reason, 4), sub(mload(reason), 4))
                    reason := add(reason, 4)
                }
                outcomes[i] = abi.decode(reason, (Outcome[3]));
            }
        }
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        Case memory c = abi.decode(data, (Case));
        PoolKey memory key = PoolKey(Currency.wrap(address(1)), Currency.wrap(address(2)), 0, 200, IHooks(address(0)));
        manager.initialize(key, c.sqrtPriceX96);
        manager.setProtocolFee(key, c.protocolFee);
        for (uint256 i; i < c.ranges.length; i++) {
            if (c.ranges[i].liquidity == 0) continue;
            manager.modifyLiquidity(
                key,
                ModifyLiquidityParams(
                    c.ranges[i].tickLower, c.ranges[i].tickUpper, int256(uint256(c.ranges[i].liquidity)), bytes32(i)
                ),
                ""
            );
        }
        Outcome[3] memory outcomes;
        for (uint256 i; i < c.swaps.length; i++) {
            outcomes[i] = _swap(key, c.swaps[i]);
        }
        revert Outcomes(outcomes);
    }

    function _swap(PoolKey memory key, Swap memory order) private returns (Outcome memory outcome) {
        uint160 limit = order.zeroForOne ? TickMath.MIN_SQRT_PRICE + 1 : TickMath.MAX_SQRT_PRICE - 1;
        try manager.swap(key, SwapParams(order.zeroForOne, order.amountSpecified, limit), "") returns (
            BalanceDelta delta
        ) {
            outcome.amount0 = delta.amount0();
            outcome.amount1 = delta.amount1();
        } catch (bytes memory reason) {
            // forge-lint: disable-next-line(unsafe-typecast)
            outcome.reverted = bytes4(reason); // the selector is what is wanted
        }
        (outcome.sqrtPriceX96, outcome.tick,,) = manager.getSlot0(key.toId());
        outcome.liquidity = manager.getLiquidity(key.toId());
    }
}
