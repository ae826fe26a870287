# Functions that start and stop a server of their own on a free port, for rehearsing a backup or an upgrade.
MAIN=$(node -p 'path.join(path.dirname(require.resolve("quittance/package.json")), "dist/adapters/server/main.js")')

# Starts a server, waits until it listens, and sets URL and SERVER: serve pglite://data
serve() {
  : > server.log
  node "$MAIN" serve --database-url "$1" --port 0 > server.log 2> server.err &
  SERVER=$!
  until grep -q '^listening on' server.log; do
    kill -0 $SERVER 2> server.end || { cat server.err; return 1; }
    sleep 0.2
  done
  URL=$(sed -n 's/^listening on //p' server.log)
}

# Stops it and waits for its end, so that the folder is complete.
stop() { kill $SERVER && wait $SERVER; }
