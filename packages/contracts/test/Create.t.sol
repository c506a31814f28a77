// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {LaunchToken} from "../src/LaunchToken.sol";
import {Launchpad} from "../src/Launchpad.sol";
import {LaunchpadV4} from "../src/LaunchpadV4.sol";
import {ILaunchpad} from "../src/interfaces/ILaunchpad.sol";
import {OpeningV4} from "../src/libraries/OpeningV4.sol";
import {PoolType, PoolTypes} from "../src/libraries/PoolTypes.sol";
import {LaunchpadTest} from "./LaunchpadTest.sol";

contract CreateTest is LaunchpadTest {
    function testFuzz_create_default(uint8 typeSeed, bool usdIs0) public {
        uint8 id = uint8(bound(typeSeed, 7, 9));
        address token = _create(id, usdIs0);
        PoolType memory poolType = PoolTypes.get(id, oneUsd);
        ILaunchpad.TokenState memory state = launchpad.stateOf(token);
        assertEq(state.tokensLeft, poolType.curveTokens);
        assertEq(state.usd + state.treasuryShare + state.floorUsd, 0);
        assertEq(state.creator, creator);
        assertEq(state.created, block.timestamp);
        assertEq(state.poolType, id);
        assertFalse(state.graduated);
        assertEq(LaunchToken(token).totalSupply(), PoolTypes.SUPPLY);
        assertEq(LaunchToken(token).balanceOf(address(launchpad)), PoolTypes.SUPPLY);
        assertEq(LaunchToken(token).name(), "Example Token");
        assertEq(LaunchToken(token).symbol(), "EXMPL");
        assertEq(LaunchToken(token).decimals(), 18);
    }

    function test_create_emitsEverythingTheIndexerNeeds() public {
        ILaunchpad.TokenParams memory params = _params(PoolTypes.STARTUP_PRESEED);
        address expected = launchpad.tokenAddress(creator, params.salt);
        vm.expectEmit(address(launchpad));
        emit ILaunchpad.TokenCreated(
            expected,
            creator,
            PoolTypes.STARTUP_PRESEED,
            1_280_000_000e18,
            18_000 * oneUsd,
            params.salt,
            block.timestamp,
            params.name,
            params.symbol,
            params.uri
        );
        vm.prank(creator);
        assertEq(launchpad.create(params), expected);
    }

    function test_create_withInitialBuyInOneTransaction() public {
        ILaunchpad.TokenParams memory params = _params(PoolTypes.MEME);
        address token = launchpad.tokenAddress(creator, params.salt);
        _fund(creator, 100 * oneUsd);
        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(ILaunchpad.create, (params));
        calls[1] = abi.encodeCall(ILaunchpad.buyExactIn, (_order(token, 100 * oneUsd, creator)));
        vm.prank(creator);
        bytes[] memory results = launchpad.multicall(calls);
        assertEq(abi.decode(results[0], (address)), token);
        (uint256 paid, uint256 tokens) = abi.decode(results[1], (uint256, uint256));
        assertEq(paid, 100 * oneUsd);
        assertEq(LaunchToken(token).balanceOf(creator), tokens);
        assertEq(launchpad.stateOf(token).usd, 20 * oneUsd, "80 % in second 0, the creator too");
        assertEq(launchpad.stateOf(token).floorUsd, 79 * oneUsd);
    }

    function test_poolTypes_theLastPriceOfTheCurveIsTheFirstOfThePool() public pure {
        for (uint8 id = PoolTypes.MEME; id <= PoolTypes.TEST; id++) {
            PoolType memory poolType = PoolTypes.get(id, 1e6);
            assertEq(poolType.curveTokens + poolType.poolTokens, PoolTypes.SUPPLY);
            uint256 atEnd = poolType.virtualTokens - poolType.curveTokens;
            assertEq(poolType.virtualUsd * poolType.curveTokens % atEnd, 0, "the raise is a whole number");
            uint256 raise = poolType.virtualUsd * poolType.curveTokens / atEnd;
            assertEq(
                (poolType.virtualUsd + raise) * poolType.poolTokens, (raise - poolType.creatorReward) * atEnd, "price"
            );
            (uint256 tokensAtEnd, uint256 usdAtStart) = PoolTypes.virtualBase(id, 1e6);
            assertEq(tokensAtEnd, atEnd);
            assertEq(usdAtStart, poolType.virtualUsd);
        }
    }

    function test_create_error_deadline() public {
        ILaunchpad.TokenParams memory params = _params(PoolTypes.MEME);
        params.deadline = block.timestamp - 1;
        vm.expectRevert(
            abi.encodeWithSelector(ILaunchpad.DeadlinePassed.selector, params.deadline, block.timestamp)
        );
        launchpad.create(params);
    }

    function test_create_error_poolType() public {
        ILaunchpad.TokenParams memory params = _params(10);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.UnknownPoolType.selector, 10));
        launchpad.create(params);
    }

    function test_create_error_testTypeWhereItIsOff() public {
        Launchpad.Config memory config = _ownConfig();
        config.testPoolType = false;
        LaunchpadV4 strict = this.deployWith(config, address(manager));
        ILaunchpad.TokenParams memory params = _params(PoolTypes.TEST);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.UnknownPoolType.selector, PoolTypes.TEST));
        strict.create(params);
    }

    function test_create_error_noVenue() public {
        LaunchpadV4 without = this.deployWith(_ownConfig(), address(0));
        ILaunchpad.TokenParams memory params = _params(PoolTypes.MEME);
        vm.expectRevert(ILaunchpad.NoVenue.selector);
        without.create(params);
    }

    /// @dev A message between chains carries both, and its gas is bounded.
    function test_create_error_texts() public {
        string[4] memory names = ["", string(new bytes(129)), "Example", "Example"];
        string[4] memory symbols = ["EXMPL", "EXMPL", "", string(new bytes(65))];
        for (uint256 i; i < 4; i++) {
            ILaunchpad.TokenParams memory params = _params(PoolTypes.MEME);
            (params.name, params.symbol) = (names[i], symbols[i]);
            (uint256 given, uint256 most) =
                i < 2 ? (bytes(names[i]).length, uint256(128)) : (bytes(symbols[i]).length, uint256(64));
            vm.expectRevert(abi.encodeWithSelector(ILaunchpad.UnusableText.selector, given, most));
            launchpad.create(params);
        }
        ILaunchpad.TokenParams memory longest = _params(PoolTypes.MEME);
        (longest.name, longest.symbol) = (string(new bytes(128)), string(new bytes(64)));
        launchpad.create(longest);
    }

    function test_create_error_sameSaltTwice() public {
        ILaunchpad.TokenParams memory params = _params(PoolTypes.MEME);
        address token = launchpad.create(params);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.TokenExists.selector, token));
        launchpad.create{gas: 100_000}(params);
    }

    function test_constructor_error_zeroOwnerOrTreasury() public {
        Launchpad.Config memory config = _ownConfig();
        config.owner = address(0);
        vm.expectRevert(ILaunchpad.ZeroAddress.selector);
        this.deployWith(config, address(manager));
        config = _ownConfig();
        config.treasury = address(0);
        vm.expectRevert(ILaunchpad.ZeroAddress.selector);
        this.deployWith(config, address(manager));
    }

    /// @dev An expected revert of `new` itself ends a test that is linked dynamically.
    function deployWith(Launchpad.Config memory config, address poolManager) external returns (LaunchpadV4 deployed) {
        deployed = LaunchpadV4(_hookAddress());
        _place(
            address(deployed), abi.encodePacked(type(LaunchpadV4).creationCode, abi.encode(config, poolManager))
        );
    }

    /// @dev Creating any contract larger than 24,576 bytes fails; ours keeps room for a fix.
    function test_size_belowTheLimit() public view {
        assertLt(address(launchpad).code.length, 24_000);
        assertLt(address(OpeningV4).code.length, 24_000);
    }

    function _ownConfig() private view returns (Launchpad.Config memory) {
        return _config(address(usd), launchpad.factory(), GRADUATION_GAS);
    }
}
