"""What the search bots of Code 777 weigh: own knowledge to come, what rivals know, what their play tells."""
