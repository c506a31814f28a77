// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {TickMath} from "v4-core/libraries/TickMath.sol";
import {IFactoryV3, IPoolV3} from "../../src/interfaces/IPoolV3.sol";
import {PoolDeployer} from "../venue/PoolDeployer.sol";

/// @notice As much of it as anybody likes: a pool sees its balance grow by what it asks for.
contract Coin {
    mapping(address account => uint256) public balanceOf;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

/// @title PoolV3Harness: swaps on an exchange's own pool of the tier of 1 %, for comparison with protocol/src/maths/pool.
/// @dev Every case is undone by a revert that carries its results.
contract PoolV3Harness {
    /// @param liquidity Zero: no position.
    struct Position {
        int24 tickLower;
        int24 tickUpper;
        uint128 liquidity;
    }

    /// @param amountSpecified Positive: exactly so much in. Negative: exactly so much out.
    struct Swap {
        bool zeroForOne;
        int256 amountSpecified;
    }

    struct Case {
        uint160 sqrtPriceX96;
        Position[6] positions;
        Swap[3] swaps;
    }

    /// @param amount0 The pool's: positive is paid to it. Likewise `amount1`.
    struct Outcome {
        bool refused;
        int256 amount0;
        int256 amount1;
        uint160 sqrtPriceX96;
        int24 tick;
        uint128 liquidity;
    }

    error Outcomes(Outcome[3] outcomes);

    Coin private immutable _coin0;
    Coin private immutable _coin1;
    IPoolV3 private immutable _pool;

    /// @param hasDeployer Whether the factory has pools made by a deployer.
    constructor(bytes memory factoryCode, bytes memory poolCode, bool hasDeployer) {
        (Coin a, Coin b) = (new Coin(), new Coin());
        (_coin0, _coin1) = address(a) < address(b) ? (a, b) : (b, a);
        if (hasDeployer) factoryCode = abi.encodePacked(factoryCode, abi.encode(new PoolDeployer(poolCode)));
        address factory;
        assembly ("memory-safe") {
            factory := create(0, add(factoryCode, 0x20), mload(factoryCode))
        }
        _pool = IPoolV3(IFactoryV3(factory).createPool(address(a), address(b), 10_000));
    }

    function applyAll(Case[] calldata cases) external returns (Outcome[3][] memory outcomes) {
        outcomes = new Outcome[3][](cases.length);
        for (uint256 i; i < cases.length; i++) {
            try this.run(cases[i]) {}
            catch (bytes memory reason) {
                require(bytes4(reason) == Outcomes.selector, "case could not be prepared");
                assembly ("memory-safe") {
                    mstore(add(reason, 4), sub(mload(reason), 4))
                    reason := add(reason, 4)
                }
                outcomes[i] = abi.decode(reason, (Outcome[3]));
            }
        }
    }

    function run(Case calldata c) external {
        _pool.initialize(c.sqrtPriceX96);
        for (uint256 i; i < c.positions.length; i++) {
            Position calldata at = c.positions[i];
            if (at.liquidity != 0) _pool.mint(address(this), at.tickLower, at.tickUpper, at.liquidity, "");
        }
        Outcome[3] memory outcomes;
        for (uint256 i; i < c.swaps.length; i++) {
            outcomes[i] = _swap(c.swaps[i]);
        }
        revert Outcomes(outcomes);
    }

    function _swap(Swap calldata order) private returns (Outcome memory outcome) {
        uint160 limit = order.zeroForOne ? TickMath.MIN_SQRT_PRICE + 1 : TickMath.MAX_SQRT_PRICE - 1;
        try _pool.swap(address(this), order.zeroForOne, order.amountSpecified, limit, "") returns (int256 a, int256 b) {
            (outcome.amount0, outcome.amount1) = (a, b);
        } catch {
            outcome.refused = true;
        }
        (outcome.sqrtPriceX96, outcome.tick) = _pool.slot0();
        outcome.liquidity = _pool.liquidity();
    }

    function _pay(int256 amount0, int256 amount1) private {
        if (amount0 > 0) _coin0.mint(msg.sender, uint256(amount0));
        if (amount1 > 0) _coin1.mint(msg.sender, uint256(amount1));
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
