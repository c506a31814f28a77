// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {CREATE3} from "solady/src/utils/CREATE3.sol";
import {Create3Factory} from "../../src/deploy/Create3Factory.sol";
import {LaunchToken} from "../../src/LaunchToken.sol";
import {LaunchTokenV3} from "../../src/LaunchTokenV3.sol";
import {LaunchpadV3} from "../../src/LaunchpadV3.sol";
import {LaunchpadV4} from "../../src/LaunchpadV4.sol";
import {LensV3} from "../../src/LensV3.sol";
import {LensV4} from "../../src/LensV4.sol";
import {TestUSD} from "../../src/TestUSD.sol";
import {TokenBridge} from "../../src/TokenBridge.sol";
import {TokenFactory} from "../../src/TokenFactory.sol";
import {LayerZeroWorld} from "../bridge/LayerZeroWorld.sol";
import {AnyCode} from "./actors/AnyCode.sol";
import {LaunchpadTest} from "../LaunchpadTest.sol";
import {HostileTest} from "./HostileTest.sol";

/// @notice The system at CREATE3 addresses, in the order of the deploy script, and a thief with the deployer's key.
abstract contract DeployedSystem is HostileTest, LayerZeroWorld {
    address internal deployer = makeAddr("deployer");
    Create3Factory internal create3;
    bytes32 private _hookSalt;

    /// @dev The names of all addresses that a version of this system used.
    string[6] internal names = ["TestUSD", "LaunchToken", "TokenFactory", "TokenBridge", "Launchpad", "Lens"];

    /// @dev Each test says when, and with which dollars, by `_deployThroughFactory`.
    function setUp() public virtual override(HostileTest, LaunchpadTest) {}

    function _deployThroughFactory(uint8 decimals) internal {
        oneUsd = 10 ** decimals;
        create3 = new Create3Factory(deployer);
        _hookSalt = _mineHookSalt();
        bool isV4 = venueKind == VenueKind.UniswapV4;
        if (isV4) manager = _deployPoolManager(owner);
        else exchange = _deployExchange(venueKind);
        router = _newRouter();
        usd = TestUSD(_place("TestUSD", type(TestUSD).creationCode, abi.encode("Test Dollar", "USDC", decimals)));
        address launchpad_ = create3.addressOf(_saltOf("Launchpad"));
        address tokenFactory = create3.addressOf(_saltOf("TokenFactory"));
        tokenBridge = TokenBridge(create3.addressOf(_saltOf("TokenBridge")));
        bridge = address(tokenBridge);
        address implementation = isV4
            ? _place("LaunchToken", type(LaunchToken).creationCode, abi.encode(tokenFactory, launchpad_, bridge))
            : _place(
                "LaunchToken",
                type(LaunchTokenV3).creationCode,
                abi.encode(tokenFactory, launchpad_, bridge, usd, exchange)
            );
        _place("TokenFactory", type(TokenFactory).creationCode, abi.encode(implementation, launchpad_, bridge));
        _place("TokenBridge", _bridgeCode(tokenFactory, owner), "");
        bytes memory arguments = isV4
            ? abi.encode(_config(address(usd), tokenFactory, GRADUATION_GAS), manager)
            : abi.encode(_config(address(usd), tokenFactory, 0), exchange);
        bytes memory code = isV4 ? type(LaunchpadV4).creationCode : type(LaunchpadV3).creationCode;
        launchpad = LaunchpadV4(_place("Launchpad", code, arguments));
        bytes memory lensCode = isV4 ? type(LensV4).creationCode : type(LensV3).creationCode;
        lens = LensV4(_place("Lens", lensCode, abi.encode(launchpad_)));
    }

    /// @notice The thief's code at the address of this salt; zero when something stands there.
    /// @dev A second CREATE2 at one address burns all gas that it has.
    function _placeAnyCode(bytes32 salt) internal returns (address) {
        bytes memory code = vm.getCode("AnyCode.sol:AnyCode");
        vm.prank(deployer);
        try create3.deploy{gas: 2_000_000}(salt, code) returns (address placed) {
            return placed;
        } catch {
            return address(0);
        }
    }

    function _saltOf(string memory name) internal view returns (bytes32) {
        bool isHook = keccak256(bytes(name)) == keccak256("Launchpad");
        return isHook ? _hookSalt : keccak256(abi.encodePacked("mintage/", name, "/2"));
    }

    function _place(string memory name, bytes memory creationCode, bytes memory arguments) private returns (address) {
        bytes memory code = abi.encodePacked(creationCode, arguments);
        bytes32 salt = _saltOf(name);
        vm.prank(deployer);
        return create3.deploy(salt, code);
    }

    /// @dev The first salt whose address has the flags of the hook.
    function _mineHookSalt() private view returns (bytes32 salt) {
        while (uint160(CREATE3.predictDeterministicAddress(salt, address(create3))) & 0x3FFF != 0x28CC) {
            salt = bytes32(uint256(salt) + 1);
        }
    }
}
