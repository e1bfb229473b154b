"""What several algorithms share: exploration, and tables over joint states."""
