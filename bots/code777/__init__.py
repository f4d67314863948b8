"""What `code777-racer` weighs: how its own knowledge will grow, and when its rivals will be done."""
