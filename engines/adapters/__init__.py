"""Our games as other libraries know games; each adapter is an extra with its library."""
