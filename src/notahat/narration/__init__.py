"""What happens at a table as sentences in seven languages: for players that read and write text."""
