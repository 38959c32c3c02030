/** What the rest of the server may ask of analytics. */
export { runRollUp } from './run-roll-up.ts'
export { openRollUps } from './roll-ups.ts'
