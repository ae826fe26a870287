/**
 * The parameters of every method and the fields that their inputs may have, generated from the types of the services by
 * `npm run docs`: change the services, not this file. `input(name address(street))` is a parameter with two fields, one
 * of which has a field; one without parentheses has any.
 */
export const METHODS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  attributions: {
    create:
      "input(credits(partnerId role share) externalReference occurredAt occurredOn partnerId properties schemaId settledElsewhere(at reference) workspaceId)",
    createBatch:
      "input(attributions(credits(partnerId role share) externalReference occurredAt occurredOn partnerId properties schemaId settledElsewhere(at reference) workspaceId) mode)",
    cancel: "id input(reason)",
    replace:
      "id input(credits(partnerId role share) dryRun occurredAt occurredOn partnerId properties reason received(of received receivedAt))",
    dryRun:
      "id input(credits(partnerId role share) dryRun occurredAt occurredOn partnerId properties reason received(of received receivedAt))",
    list: "input(externalReferences ids occurredFrom occurredTo order originIds page partnerIds perPage roles schemaIds statuses workspaceIds)",
    statistics: "input(from granularity partnerIds to workspaceIds)",
    all: "filters(externalReferences ids occurredFrom occurredTo originIds partnerIds roles schemaIds statuses workspaceIds)",
    get: "id",
  },
  billingProfile: {
    read: "",
    customerName: "",
    write:
      "input(accentColor address(city country postalCode region street) backgroundColor bankAccount(beneficiaryName bic iban) buyerReference documentNumbers(correctionPrefix prefix separator series year) eInvoice electronicAddress exchangeRates(currency date rate source) invoicePrefix language legalName legalNote logo noticeEmail registrationNumber taxCurrency vatNumber vatNumberType)",
  },
  events: { list: "input(after limit order types)", verify: "", all: "filters(after limit order types)" },
  payoutAccounts: {
    read: "id",
    propose: "id input(currency details type)",
    confirm: "id accountId",
    retire: "id accountId",
  },
  commissions: {
    explain: "id language",
    list: "input(attributionIds currencies due formulaIds ids occurredFrom occurredTo order page partnerIds perPage settlementIds settlementStatus waiting workspaceIds)",
    statistics: "input(from granularity partnerIds to workspaceIds)",
    all: "filters(attributionIds currencies due formulaIds ids occurredFrom occurredTo partnerIds settlementIds settlementStatus waiting workspaceIds)",
    get: "id",
  },
  documents: {
    upload: "id kind file(bytes date dueDate fileName number taxAmount)",
    download: "id kind",
    downloadEInvoice: "id kind format attachment",
    attach: "id file(bytes fileName)",
    downloadAttachment: "id attachmentId",
  },
  receipts: {
    stateReceived: "id input(of received receivedAt)",
    previewReceived: "id input(of received receivedAt)",
    stateReceivedBatch: "input(mode receipts(attributionId of received receivedAt))",
  },
  partners: {
    create:
      "input(billingMode dryRun email externalReference name notes selfBillingData(address(city country postalCode region street) bankAccount(beneficiaryName bic iban) contact(email name phone) electronicAddress legalName legalNote paymentTermsDays registrationNumber taxConfig(label rateBps treatment) vatNumber vatNumberType) status tags workspaceId)",
    dryRun:
      "input(billingMode dryRun email externalReference name notes selfBillingData(address(city country postalCode region street) bankAccount(beneficiaryName bic iban) contact(email name phone) electronicAddress legalName legalNote paymentTermsDays registrationNumber taxConfig(label rateBps treatment) vatNumber vatNumberType) status tags workspaceId)",
    update:
      "id input(billingMode email externalReference name notes selfBillingData(address(city country postalCode region street) bankAccount(beneficiaryName bic iban) contact(email name phone) electronicAddress legalName legalNote paymentTermsDays registrationNumber taxConfig(label rateBps treatment) vatNumber vatNumberType) status tags)",
    list: "input(billingMode customerIds externalReferences ids name order page payoutAccountProposed perPage statuses tags workspaceIds)",
    events: "id input(order page perPage)",
    all: "filters(billingMode customerIds externalReferences ids name payoutAccountProposed statuses tags workspaceIds)",
    get: "id",
  },
  recredits: { recredit: "id input(dryRun reason)", dryRun: "id input(dryRun reason)" },
  recreditRuns: {
    start: "input(dryRun from partnerIds reason to workspaceId)",
    list: "input(ids order page perPage workspaceIds)",
    read: "id input(order outcomes page perPage)",
    all: "filters(ids workspaceIds)",
    get: "id",
  },
  attributionSchemas: {
    create: "input(displayProperties name properties(default format name required type) workspaceId)",
    list: "input(customerIds ids name order page perPage workspaceIds)",
    all: "filters(customerIds ids name workspaceIds)",
    get: "id",
  },
  partnerLinks: {
    create: "input(endDatetime partnerId role startDatetime uplinePartnerId)",
    update: "id input(endDatetime)",
    list: "input(activeAt ids order page partnerIds perPage roles uplinePartnerIds workspaceIds)",
    all: "filters(activeAt ids partnerIds roles uplinePartnerIds workspaceIds)",
    get: "id",
  },
  partnerStatements: {
    balance: "id input(at)",
    balances: "input(at partnerIds)",
    statement: "id query(after currency from limit to)",
    statementPdf: "id query(after currency from limit to)",
  },
  journals: { journal: "query(after currency from kinds limit partnerIds to workspaceIds)" },
  payables: { payables: "query(after at groupBy limit partnerIds workspaceIds)" },
  postingRules: {
    read: "",
    write:
      "input(datev(accountLength client consultant fiscalYearStart) reverseCharge(from rateBps) rules(account costCentre kind number partnerId planId taxTreatment text workspaceId) xero(taxRate trackingCategory))",
  },
  accountingPeriods: { read: "", close: "month", reopen: "month input(reason)" },
  commissionFormulas: {
    create:
      "input(applyShare currency description dryRun endDatetime expression expressionText name parameters(default format name type) partnerId release roles schemaId startDatetime values workspaceId)",
    dryRun:
      "input(applyShare currency description dryRun endDatetime expression expressionText name parameters(default format name type) partnerId release roles schemaId startDatetime values workspaceId)",
    update:
      "id input(applyShare description effectiveDatetime effectiveOn endDatetime expression expressionText name parameters(default format name type) startDatetime versionsAhead)",
    withdrawVersion: "id number",
    cancel: "id input(reason)",
    setParameters: "id input(effectiveDatetime effectiveOn values)",
    simulate:
      "input(applyShare currency expression expressionText parameters(default format name type) samples(createdAt credit(depth role share) history(createdAt credit(depth role share) occurredAt occurredOn properties status) occurredAt occurredOn properties sellersCommission) schemaId values)",
    list: "input(activeAt customerIds ids order page partnerIds perPage planIds workspaceIds)",
    all: "filters(activeAt customerIds ids partnerIds planIds workspaceIds)",
    get: "id",
  },
  commissionPlans: {
    create:
      "input(applyShare currency description endDatetime expression expressionText name parameters(default format name type) release roles schemaId startDatetime workspaceId)",
    update:
      "id input(applyShare description effectiveDatetime effectiveOn endDatetime expression expressionText name parameters(default format name type) startDatetime versionsAhead)",
    withdrawVersion: "id number",
    cancel: "id input(reason)",
    assign: "id input(dryRun endDatetime parameters partnerIds startDatetime)",
    dryRun: "id input(dryRun endDatetime parameters partnerIds startDatetime)",
    unassign: "id partnerId input(endDatetime)",
    setPartnerParameters: "id partnerId input(effectiveDatetime effectiveOn values)",
    setParameters: "id input(partners(effectiveDatetime effectiveOn partnerId values))",
    list: "input(ids name order page perPage workspaceIds)",
    all: "filters(ids name workspaceIds)",
    get: "id",
  },
  planTerms: {
    accept: "planId input(at hash language name partnerId reference)",
    acceptances: "planId input(ids order page partnerIds perPage)",
    read: "planId query(at partnerId) language",
    readPdf: "planId query(at partnerId) language",
  },
  planTrials: {
    start:
      "input(add(credit(depth role share) occurredAt occurredOn partnerId properties sellersCommission) applyShare currency expression expressionText from parameters partnerIds planId release roles schemaId to workspaceId)",
    list: "input(ids order page perPage planIds workspaceIds)",
    read: "id input(language order page partnerIds perPage)",
    adopt: "id input(effectiveDatetime effectiveOn parameters(default format name type) versionsAhead)",
    all: "filters(ids planIds workspaceIds)",
    get: "id",
  },
  settlements: {
    create: "input(commissionIds customerId partnerId workspaceId)",
    preview: "input(commissionIds customerId partnerId workspaceId)",
    approve: "id",
    cancel: "id",
    review: "id input(decision note)",
    writeOff: "id input(reason)",
    markAsPaid: "id input(bankReference fee(amount currency) note paidAt received(amount currency))",
    dispute: "id input(attachmentIds commissionIds reason)",
    withdrawDispute: "id",
    comment: "id input(attachmentIds text)",
    resolveDispute: "id input(attachmentIds note resolution)",
    initiatePayment: "id",
    choosePayoutAccount: "id input(payoutAccountId)",
    failPayment: "id input(reason)",
    returnPayment: "id input(reason)",
    reconcile: "id input(reconciled)",
    list: "input(commissionIds createdFrom createdTo currencies documentNumbers ids order page partnerIds paymentFailed paymentOverdue perPage stale statuses taxReview workspaceIds)",
    all: "filters(commissionIds createdFrom createdTo currencies documentNumbers ids partnerIds paymentFailed paymentOverdue stale statuses taxReview workspaceIds)",
    get: "id",
  },
  apiKeys: {
    create: "input(agentId customerId expiresAt kind mail name partnerIds person scopes use workspaceIds)",
    accept: "",
    revoke: "id",
    list: "input(order page partnerIds perPage uses)",
    all: "filters(partnerIds uses)",
  },
  webhookEndpoints: {
    create: "input(after description types url)",
    update: "id input(description enabled types url)",
    remove: "id",
    rotate: "id",
    list: "input(ids order page perPage)",
    read: "id",
    deliveries: "id input(order page perPage statuses)",
    redeliver: "id deliveryId",
    all: "filters(ids)",
    get: "id",
  },
  paymentFiles: {
    create: "input(executionDate)",
    list: "input(ids order page perPage)",
    read: "id",
    handOver: "id",
    discard: "id input(reason)",
    all: "filters(ids)",
    get: "id",
  },
  bankStatements: { upload: "file(bytes fileName)" },
  settlementPolicies: {
    read: "workspaceId",
    write:
      "workspaceId input(autoApprove cadence(day timeZone type) fourEyesAbove holdDays invoiceTaxBps minimum negative requireAcceptance)",
    readOverride: "workspaceId partnerId",
    writeOverride:
      "workspaceId partnerId input(autoApprove cadence(day timeZone type) fourEyesAbove holdDays invoiceTaxBps minimum negative requireAcceptance)",
    removeOverride: "workspaceId partnerId",
    settlementSchedule: "partnerId",
  },
  settlementRuns: {
    start: "input(currencies dryRun partnerIds until workspaceId)",
    dryRun: "input(currencies dryRun partnerIds until workspaceId)",
    list: "input(ids order page perPage workspaceIds)",
    read: "id input(order page partnerIds perPage)",
    all: "filters(ids workspaceIds)",
    get: "id",
  },
  workspaces: { read: "workspaceId", write: "workspaceId input(name timeZone)" },
  erasures: { partner: "id input(dryRun page)", events: "input(cursors customerId)" },
};
