/** What the rest of the server may ask of experiments. */
export { applyExperiments, listExperimentCode } from './code-experiments.ts'
export { readingsWork } from './take-readings.ts'
