"""What every format is made of: the contract, who meets, contests; and the schedule and plan of an event."""
