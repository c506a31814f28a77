// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

/// @notice What Uniswap v3's factory and PancakeSwap v3's have in common. Source: IUniswapV3Factory.
interface IFactoryV3 {
    function getPool(address a, address b, uint24 fee) external view returns (address);
    function feeAmountTickSpacing(uint24 fee) external view returns (int24);
    function createPool(address a, address b, uint24 fee) external returns (address);
}

/// @notice What their pools have in common. An answer may have more words than are named here. Source: IUniswapV3Pool.
interface IPoolV3 {
    function slot0() external view returns (uint160 sqrtPriceX96, int24 tick);
    function liquidity() external view returns (uint128);
    function tickBitmap(int16 word) external view returns (uint256);
    function ticks(int24 tick) external view returns (uint128 liquidityGross, int128 liquidityNet);
    function positions(bytes32 key) external view returns (uint128 liquidity);

    function initialize(uint160 sqrtPriceX96) external;
    /// @param amountSpecified Positive: exactly this much in. Negative: exactly this much out.
    function swap(address to, bool zeroForOne, int256 amountSpecified, uint160 limitX96, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1);
    function mint(address owner, int24 lower, int24 upper, uint128 liquidity, bytes calldata data)
        external
        returns (uint256 amount0, uint256 amount1);
    /// @dev With zero liquidity it only counts the position's fees.
    function burn(int24 lower, int24 upper, uint128 liquidity) external returns (uint256 amount0, uint256 amount1);
    function collect(address to, int24 lower, int24 upper, uint128 most0, uint128 most1)
        external
        returns (uint128 amount0, uint128 amount1);
}
