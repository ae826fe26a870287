# Creates a partner who earns 10 % of each sale, and sets CUSTOMER, WORKSPACE, PARTNER, SCHEMA and FORMULA.
. examples/shell/functions.sh

WORKSPACE=$(node -p 'crypto.randomUUID()')
PARTNER=$(post partners '{"name":"Nordlys ApS","workspace_id":"'$WORKSPACE'"}' | field id)
CUSTOMER=$(get "partners?ids=$PARTNER" | field 'partners[0].customer_id')
SCHEMA=$(post attribution-schemas '{"workspace_id":"'$WORKSPACE'","name":"Sale",
  "properties":[{"name":"cents","type":"number","required":true}]}' | field id)
FORMULA=$(post commission-formulas '{
  "workspace_id":"'$WORKSPACE'","partner_id":"'$PARTNER'","schema_id":"'$SCHEMA'",
  "name":"10 % of each sale","currency":"'${CURRENCY:-EUR}'","start_datetime":"2020-01-01T00:00:00Z",
  "expression":{"type":"multiply","operands":[
    {"type":"property","name":"cents"},
    {"type":"literal","value":{"type":"percent","value":10}}]}}' | field id)

# Records a sale and prints the id of its attribution: sell <cents> <your reference>
sell() {
  post attributions '{"workspace_id":"'$WORKSPACE'","partner_id":"'$PARTNER'","schema_id":"'$SCHEMA'",
    "external_reference":"'$2'","properties":{"cents":'$1'}}' | field id
}

# Changes the partner to self-billing: you write the invoices, with 25 % VAT, and pay to this bank account.
bill_yourself() {
  patch partners/$PARTNER '{"billing_mode":"self_billing","self_billing_data":{"legal_name":"Nordlys ApS",
    "address":{"street":"Havnegade 1","city":"København","region":"","postal_code":"1058","country":"DK"},
    "vat_number":"DK12345678","payment_terms_days":14,
    "bank_account":{"beneficiary_name":"Nordlys ApS","iban":"DK5000400440116243","bic":"NDEADKKK"},
    "tax_config":{"treatment":"standard","label":"Moms","rate_bps":2500}}}'
}

# Prints the ids of the commissions of this partner that have an amount due, as a JSON array.
due() { get "commissions?partner_ids=$PARTNER&due=nonzero&per_page=100" | field 'commissions.map(({ id }) => `"${id}"`).join()' | sed 's/.*/[&]/'; }

# Creates a draft settlement of everything that is due and prints its id.
draft() {
  post settlements '{"customer_id":"'$CUSTOMER'","workspace_id":"'$WORKSPACE'","partner_id":"'$PARTNER'",
    "commission_ids":'"$(due)"'}' | field id
}
