// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {CREATE3} from "solady/src/utils/CREATE3.sol";
import {IPoolManager} from "v4-core/interfaces/IPoolManager.sol";
import {Create3Factory} from "../../src/deploy/Create3Factory.sol";
import {Launchpad} from "../../src/Launchpad.sol";
import {Lens} from "../../src/Lens.sol";
import {PoolHook} from "../../src/PoolHook.sol";
import {TestUSD} from "../../src/TestUSD.sol";
import {AnyCode} from "./actors/AnyCode.sol";
import {ForeignRouter} from "./actors/ForeignRouter.sol";
import {HostileTest} from "./HostileTest.sol";

/// @notice The system at CREATE3 addresses, in the order of the deploy script, and a thief with the deployer's key.
abstract contract DeployedSystem is HostileTest {
    address internal deployer = makeAddr("deployer");
    Create3Factory internal factory;
    bytes32 private _hookSalt;

    /// @dev The names of all addresses that a version of this system used.
    string[6] internal names = ["TestUSD", "LaunchToken", "PoolHook", "Launchpad", "Lens", "TokenBridge"];

    function _deployThroughFactory(uint8 decimals) internal {
        oneUsd = 10 ** decimals;
        factory = new Create3Factory(deployer);
        _hookSalt = _mineHookSalt();
        manager = IPoolManager(
            vm.deployCode("../../node_modules/@uniswap/v4-core/out/PoolManager.sol/PoolManager.json", abi.encode(owner))
        );
        router = new ForeignRouter(manager);
        usd = TestUSD(_place("TestUSD", abi.encode("Test Dollar", "USDC", decimals)));
        address launchpad_ = factory.addressOf(_saltOf("Launchpad"));
        address implementation = _place("LaunchToken", abi.encode(launchpad_));
        hook = PoolHook(_place("PoolHook", abi.encode(launchpad_, manager, usd)));
        launchpad = Launchpad(
            _place(
                "Launchpad",
                abi.encode(
                    Launchpad.Config({
                        usd: address(usd),
                        poolManager: address(manager),
                        poolHook: address(hook),
                        tokenImplementation: implementation,
                        owner: owner,
                        treasury: treasury,
                        voucherSigner: vm.addr(signerKey),
                        testPoolType: true,
                        graduationGas: GRADUATION_GAS
                    })
                )
            )
        );
        lens = Lens(_place("Lens", abi.encode(launchpad_)));
    }

    /// @notice The thief's code at the address of this salt; zero when something stands there.
    /// @dev A second CREATE2 at one address burns all gas that it has.
    function _placeAnyCode(bytes32 salt) internal returns (address) {
        bytes memory code = vm.getCode("AnyCode.sol:AnyCode");
        vm.prank(deployer);
        try factory.deploy{gas: 2_000_000}(salt, code) returns (address placed) {
            return placed;
        } catch {
            return address(0);
        }
    }

    function _saltOf(string memory name) internal view returns (bytes32) {
        bool isHook = keccak256(bytes(name)) == keccak256("PoolHook");
        return isHook ? _hookSalt : keccak256(abi.encodePacked("mintage/", name, "/1"));
    }

    function _place(string memory name, bytes memory arguments) private returns (address) {
        bytes memory code = abi.encodePacked(vm.getCode(string.concat(name, ".sol:", name)), arguments);
        bytes32 salt = _saltOf(name);
        vm.prank(deployer);
        return factory.deploy(salt, code);
    }

    /// @dev The first salt whose address has the flags of the hook.
    function _mineHookSalt() private view returns (bytes32 salt) {
        while (uint160(CREATE3.predictDeterministicAddress(salt, address(factory))) & 0x3FFF != 0x28CC) {
            salt = bytes32(uint256(salt) + 1);
        }
    }
}
