"""What every game is made of: the contract, luck, cards, positions, laws."""
