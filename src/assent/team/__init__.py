"""What hubs and relays of a team share: keys and signatures of hubs, identity providers, proofs about people."""
