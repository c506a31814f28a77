// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

/// @notice Twelve ways in which a dollar token can differ from the plain one.
contract OddDollar {
    enum Model {
        FeeOnTransfer,
        FeeOnTransferFrom,
        BonusOnTransfer,
        MovesNothing,
        ReturnsFalse,
        SendsElsewhere,
        TakesMoreFromSender,
        ShrinksBalances,
        ReturnsNothing,
        RefusesZero,
        ApprovalOnlyFromZero,
        RefusesApproval
    }

    Model private immutable model;
    mapping(address account => uint256) public balanceOf;
    mapping(address account => mapping(address spender => uint256)) public allowance;

    constructor(Model model_) {
        model = model_;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        require(model != Model.RefusesApproval);
        require(model != Model.ApprovalOnlyFromZero || amount == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = amount;
        return _answer();
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount, model == Model.FeeOnTransfer);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        return _move(from, to, amount, model == Model.FeeOnTransferFrom);
    }

    function _move(address from, address to, uint256 amount, bool fee) private returns (bool) {
        require(model != Model.RefusesZero || amount != 0);
        if (model == Model.MovesNothing) return true;
        if (model == Model.ReturnsFalse) return false;
        balanceOf[from] -= model == Model.TakesMoreFromSender ? amount + 1 : amount;
        balanceOf[model == Model.SendsElsewhere ? address(0xdead) : to] += amount;
        if (fee) balanceOf[to] -= amount / 100;
        if (model == Model.BonusOnTransfer) balanceOf[to]++;
        if (model == Model.ShrinksBalances) balanceOf[to] = balanceOf[to] * 99 / 100;
        return _answer();
    }

    /// @dev Some real dollars return no bytes at all.
    function _answer() private view returns (bool) {
        if (model == Model.ReturnsNothing) {
            assembly ("memory-safe") {
                return(0, 0)
            }
        }
        return true;
    }
}
