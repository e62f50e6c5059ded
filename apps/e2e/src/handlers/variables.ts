/** How long one step of an order takes, ms. */
export const STEP_MS_VARIABLE = 'GRAPHRUN_E2E_STEP_MS';
/** File of the ledger of physical calls; the examples' ledger reads it. */
export const LEDGER_VARIABLE = 'GRAPHRUN_LEDGER_FILE';
/** Base URL of the provider; the effects of the example's handlers go there. */
export const PROVIDER_VARIABLE = 'GRAPHRUN_PROVIDER_URL';
