-- Keyed hashes of the network and the device of a user's last sign-in by code.
alter table users add column code_net text, add column code_client text;
