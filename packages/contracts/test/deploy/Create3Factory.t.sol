// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {Test} from "forge-std/Test.sol";
import {ERC20} from "solady/src/tokens/ERC20.sol";
import {Create3Factory} from "../../src/deploy/Create3Factory.sol";
import {DollarCheck} from "../../src/deploy/DollarCheck.sol";
import {TestUSD} from "../../src/TestUSD.sol";

contract Numbered {
    uint256 public immutable number;

    constructor(uint256 number_) {
        require(number_ != 13);
        number = number_;
    }
}

/// @dev Keeps one part in a hundred of every transfer.
contract FeeDollar is ERC20 {
    function name() public pure override returns (string memory) {
        return "Fee Dollar";
    }

    function symbol() public pure override returns (string memory) {
        return "FEE";
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _afterTokenTransfer(address from, address to, uint256 amount) internal override {
        if (from != address(0) && to != address(0)) _burn(to, amount / 100);
    }
}

contract Create3FactoryTest is Test {
    address private constant PROXY = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
    address private immutable deployer = makeAddr("deployer");
    Create3Factory private factory;

    function setUp() public {
        factory = new Create3Factory(deployer);
    }

    function creationCode(uint256 number) private pure returns (bytes memory) {
        return abi.encodePacked(type(Numbered).creationCode, abi.encode(number));
    }

    function testFuzz_deploy_addressDependsOnSaltOnly(bytes32 salt, uint256 number) public {
        vm.assume(number != 13);
        address expected = factory.addressOf(salt);
        vm.expectEmit(address(factory));
        emit Create3Factory.Deployed(salt, expected);
        vm.prank(deployer);
        address deployed = factory.deploy(salt, creationCode(number));
        assertEq(deployed, expected);
        assertEq(Numbered(deployed).number(), number);
    }

    function testFuzz_deploy_factoryIsPartOfTheAddress(bytes32 salt, bytes32 factorySalt) public {
        bytes memory code = abi.encodePacked(type(Create3Factory).creationCode, abi.encode(deployer));
        (bool done,) = PROXY.call(abi.encodePacked(factorySalt, code));
        assertTrue(done);
        Create3Factory there = Create3Factory(vm.computeCreate2Address(factorySalt, keccak256(code), PROXY));
        assertEq(there.deployer(), deployer);
        assertTrue(there.addressOf(salt) != factory.addressOf(salt), "the factory is part of the address");
    }

    /// C16: nobody else takes an address of ours, on any chain.
    function testFuzz_C16_deploy_revertsForEveryoneElse(address other, bytes32 salt) public {
        vm.assume(other != deployer);
        vm.prank(other);
        vm.expectRevert(abi.encodeWithSelector(Create3Factory.Unauthorized.selector, other));
        factory.deploy(salt, creationCode(1));
        assertEq(factory.addressOf(salt).code.length, 0);
    }

    function test_deploy_revertsOnUsedSalt() public {
        vm.startPrank(deployer);
        factory.deploy(bytes32("a"), creationCode(1));
        vm.expectRevert(bytes4(keccak256("DeploymentFailed()")));
        factory.deploy(bytes32("a"), creationCode(2));
    }

    function test_deploy_revertsWithTheConstructorAndLeavesTheSaltFree() public {
        vm.startPrank(deployer);
        vm.expectRevert(bytes4(keccak256("DeploymentFailed()")));
        factory.deploy(bytes32("a"), creationCode(13));
        factory.deploy(bytes32("a"), creationCode(14));
    }
}

contract DollarCheckTest is Test {
    address private immutable recipient = makeAddr("recipient");
    DollarCheck private holder;

    function setUp() public {
        holder = new DollarCheck();
    }

    function testFuzz_check_passesAnExactToken(uint8 decimals, uint96 amount) public {
        TestUSD usd = new TestUSD("Test USD", "USDC", decimals);
        usd.mint(address(holder), amount);
        assertEq(holder.check(address(usd), recipient, false), amount);
        assertEq(usd.balanceOf(recipient), amount);
    }

    function test_check_mintsWhereAnyoneMints() public {
        TestUSD usd = new TestUSD("Test USD", "USDC", 6);
        assertEq(holder.check(address(usd), recipient, true), 2e18 + 1);
    }

    function test_check_returnsZeroWithoutDollars() public {
        assertEq(holder.check(address(new TestUSD("Test USD", "USDC", 6)), recipient, false), 0);
    }

    /// C15: a token that keeps a part of a transfer is refused before anything is deployed.
    function test_C15_check_revertsOnAFeeToken() public {
        address usd = address(new FeeDollar());
        vm.expectRevert(
            abi.encodeWithSelector(
                DollarCheck.TokenMovesOtherAmounts.selector, 1e18, 1e18 + 1, 1e18 - 1e16
            )
        );
        holder.check(usd, recipient, true);
    }
}
