// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {TickMath} from "v4-core/libraries/TickMath.sol";
import {IPoolV3} from "../../src/interfaces/IPoolV3.sol";

interface IPairV3 {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function flash(address recipient, uint256 amount0, uint256 amount1, bytes calldata data) external;
}

/// @title RouterV3: somebody else's router on Uniswap v3 and PancakeSwap v3. Swaps and positions are paid by the caller, who gets
/// what comes out; every position belongs to this contract.
contract RouterV3 {
    using SafeTransferLib for address;

    /// @param amountSpecified Positive: exactly this much in. Negative: exactly this much out.
    function swap(address pool, bool zeroForOne, int256 amountSpecified) public returns (int256 amount0, int256 amount1) {
        uint160 limitX96 = zeroForOne ? TickMath.MIN_SQRT_PRICE + 1 : TickMath.MAX_SQRT_PRICE - 1;
        return IPoolV3(pool).swap(msg.sender, zeroForOne, amountSpecified, limitX96, abi.encode(pool, msg.sender));
    }

    function mint(address pool, int24 lower, int24 upper, uint128 liquidity) public {
        IPoolV3(pool).mint(address(this), lower, upper, liquidity, abi.encode(pool, msg.sender));
    }

    function burn(address pool, int24 lower, int24 upper, uint128 liquidity) public {
        IPoolV3(pool).burn(lower, upper, liquidity);
        IPoolV3(pool).collect(msg.sender, lower, upper, type(uint128).max, type(uint128).max);
    }

    /// @notice Gives to all who have liquidity in range.
    function donate(address pool, uint256 amount0, uint256 amount1) public {
        IPairV3(pool).flash(address(this), 0, 0, abi.encode(pool, msg.sender, amount0, amount1));
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        _paySwap(amount0, amount1, data);
    }

    function pancakeV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        _paySwap(amount0, amount1, data);
    }

    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
        _pay(amount0, amount1, data);
    }

    function pancakeV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
        _pay(amount0, amount1, data);
    }

    function uniswapV3FlashCallback(uint256, uint256, bytes calldata data) external {
        _payFlash(data);
    }

    function pancakeV3FlashCallback(uint256, uint256, bytes calldata data) external {
        _payFlash(data);
    }

    function _payFlash(bytes calldata data) internal virtual {
        (address pool, address payer, uint256 amount0, uint256 amount1) =
            abi.decode(data, (address, address, uint256, uint256));
        _payTo(pool, payer, amount0, amount1);
    }

    function _paySwap(int256 amount0, int256 amount1, bytes calldata data) private {
        _pay(amount0 > 0 ? uint256(amount0) : 0, amount1 > 0 ? uint256(amount1) : 0, data);
    }

    function _pay(uint256 amount0, uint256 amount1, bytes calldata data) private {
        (address pool, address payer) = abi.decode(data, (address, address));
        _payTo(pool, payer, amount0, amount1);
    }

    function _payTo(address pool, address payer, uint256 amount0, uint256 amount1) private {
        require(msg.sender == pool, "not the pool");
        if (amount0 != 0) IPairV3(pool).token0().safeTransferFrom(payer, pool, amount0);
        if (amount1 != 0) IPairV3(pool).token1().safeTransferFrom(payer, pool, amount1);
    }
}
