"""What the search of Seven Symbols knows of its game: playouts of one deal, and what points are worth."""
