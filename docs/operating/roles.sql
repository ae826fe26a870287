-- Roles and database of a server, run once by a superuser. psql takes the passwords from the environment; without psql, write
-- them in the place of :'owner_password' and :'server_password'.
\getenv owner_password OWNER_PASSWORD
\getenv server_password SERVER_PASSWORD

-- Owns the tables: logs in for "quittance migrate" alone.
create role quittance login noinherit password :'owner_password';
-- Servers log in as this role. It reads and writes rows, and can change no table.
create role quittance_server login noinherit password :'server_password';
-- Reads across customers; nobody logs in as this role.
create role quittance_platform nologin;
grant quittance_platform to quittance, quittance_server;
create database quittance owner quittance;
