"""What several tests share: people, servers, databases, and the way to play a round."""
