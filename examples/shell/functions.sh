# Functions that the commands in the documentation use. They call the server at $URL with the key $KEY:
#
#   . examples/shell/functions.sh
#   get partners
#   post partners '{"name":"Nordlys ApS","workspace_id":"6f1c2d4e-0000-4000-8000-000000000002"}' | field id
URL=${URL:-http://127.0.0.1:3000}
KEY=${KEY:-$(cat .quittance/dev-key)}

call() {
  curl -sS --fail-with-body -w '\n' -X "$1" "$URL/api/v1/$2" -H "Authorization: Bearer $KEY" \
    -H 'Content-Type: application/json' ${3:+-d "$3"}
}
get() { call GET "$1"; }
post() { call POST "$1" "${2-}"; }
patch() { call PATCH "$1" "$2"; }
put() { call PUT "$1" "$2"; }
delete() { call DELETE "$1" "${2-}"; }

# Prints one field of the JSON on standard input: field 'settlements[0].view.total'
field() { node -pe "JSON.parse(fs.readFileSync(0, 'utf8')).$1"; }

# Prints the status of a settlement.
status() { get "settlements?ids=$1" | field 'settlements[0].view.status.type'; }

# Waits until a settlement has a status, because a worker makes the documents: wait_for <settlement id> <status>
wait_for() { until [ "$(status "$1")" = "$2" ]; do sleep 1; done; }
