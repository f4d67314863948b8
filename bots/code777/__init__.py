"""What the search bots of Code 777 weigh: own knowledge to come, rivals' knowledge, and what their play tells."""
